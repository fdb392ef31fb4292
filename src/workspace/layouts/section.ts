import { estimateTokens } from '../../projections/bounds.ts';

/** A line of a section, or one item of a line. */
export interface Entry {
  text: string;
  /** What goes first when there is no room: the least. */
  worth: number;
}

/** A part of a layout. It is left out when it has no entry. */
export interface Section {
  /** Lines before the entries. */
  head: readonly string[];
  entries: readonly Entry[];
  /** Entries stand in one line, behind this. */
  inline?: string;
  /** The line that says how many entries had no room. */
  more?: (left: number) => string;
  /** An empty line before the section. */
  apart?: boolean;
}

export interface Layout {
  title: string;
  sections: readonly Section[];
  /** The end, in any case. */
  foot: readonly string[];
  /** Estimated, by `estimateTokens`. */
  tokensMax: number;
}

/**
 * A layout as text, within its budget. What is worth least is left out, entry by entry; no text is cut, but the one that is
 * left alone and still too long.
 */
export function renderLayout({ title, sections, foot, tokensMax }: Layout): string {
  const kept = sections.map(({ entries }) => new Set(entries));
  const all = sections.flatMap(({ entries }, index) => entries.map((entry) => ({ entry, index })));
  // The least is at the end, and of equals the one that stands last.
  const order = all
    .map((one, place) => ({ ...one, place }))
    .sort((a, b) => b.entry.worth - a.entry.worth || a.place - b.place);
  const text = () => textOf({ title, sections, foot }, kept);
  while (order.length > 1 && estimateTokens(text()) > tokensMax) {
    const { entry, index } = order.pop()!;
    kept[index]!.delete(entry);
  }
  const fits = text();
  const over = Buffer.byteLength(fits) - bytesOf(tokensMax);
  if (over <= 0 || order.length === 0) return fits;
  const [{ entry, index }] = order as [(typeof order)[number]];
  kept[index] = new Set([{ ...entry, text: shortened(entry.text, over) }]);
  return textOf({ title, sections, foot }, kept);
}

/** The most bytes that still are so many tokens. */
function bytesOf(tokens: number): number {
  let bytes = Math.floor(tokens * 3.2);
  while (estimateTokens(bytes) > tokens) bytes -= 1;
  return bytes;
}

/** Without `over` bytes and some more, where a word ends if there is one. */
function shortened(text: string, over: number): string {
  let end = text.length;
  while (end > 0 && Buffer.byteLength(text.slice(end)) < over + 3) end -= 1;
  const cut = text.slice(0, end).toWellFormed();
  return `${cut.replace(/\s+\S{0,20}$/, '')}…`;
}

function textOf(
  { title, sections, foot }: Omit<Layout, 'tokensMax'>,
  kept: readonly ReadonlySet<Entry>[],
): string {
  const lines = [title, ''];
  for (const [index, section] of sections.entries()) {
    const own = [...kept[index]!];
    if (own.length === 0) continue;
    if (section.apart === true && lines.at(-1) !== '') lines.push('');
    lines.push(...section.head);
    const left = section.entries.length - own.length;
    const rest = left > 0 && section.more !== undefined ? [section.more(left)] : [];
    const texts = [...own.map((entry) => entry.text), ...rest];
    if (section.inline === undefined) lines.push(...texts);
    else lines.push(section.inline + texts.join(', '));
  }
  return [...lines, ...(foot.length > 0 ? ['', ...foot] : [])].join('\n').trimEnd();
}
