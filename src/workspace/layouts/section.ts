import { estimateTokens } from '../../projections/bounds.ts';

/** A line of a section, or one item of a line. */
export interface Entry {
  text: string;
  /** With too little room, the least goes first. */
  worth: number;
  /** Cut rather than left out. */
  needed?: boolean;
}

export type What = readonly [one: string, several: string];

/** A part of a layout, left out if it is empty. If none of its entries has room, the end of the text counts them. */
export interface Section {
  /** The name of its entries, one and several: `['script', 'scripts']`. */
  what?: What;
  /** Lines before the entries. */
  head: readonly string[];
  entries: readonly Entry[];
  /** Puts the entries on one line, after this. */
  inline?: string;
  /** Between entries of one line; `, ` by default. */
  between?: string;
  /** Entries that are not offered at all: they count as left out. */
  beyond?: number;
  /** Says how many entries had no room. */
  more?: (left: number) => string;
  /** An empty line before the section. */
  apart?: boolean;
}

export interface Layout {
  title: string;
  sections: readonly Section[];
  /** Always the end. */
  foot: readonly string[];
  /** Shown if no section has an entry. */
  empty?: string;
  /** Estimated, by `estimateTokens`. */
  tokensMax: number;
}

/**
 * A layout as text within its budget. Entries of least worth are left out first. Needed texts are cut only if they
 * alone are too long, the longest first.
 */
export function renderLayout({ title, sections, foot, empty, tokensMax }: Layout): string {
  if (empty !== undefined && sections.every(({ entries }) => entries.length === 0))
    return [title, empty, ...foot].join('\n\n');
  const kept = sections.map(({ entries }) => new Set(entries));
  const all = sections.flatMap(({ entries }, index) => entries.map((entry) => ({ entry, index })));
  // The least last; of equals, the later one last.
  const order = all
    .filter(({ entry }) => entry.needed !== true)
    .map((one, place) => ({ ...one, place }))
    .sort((a, b) => b.entry.worth - a.entry.worth || a.place - b.place);
  const text = () => textOf({ title, sections, foot }, kept);
  while (order.length > 0 && estimateTokens(text()) > tokensMax) {
    const { entry, index } = order.pop()!;
    kept[index]!.delete(entry);
  }
  for (;;) {
    const over = Buffer.byteLength(text()) - bytesOf(tokensMax);
    const longest = kept
      .flatMap((own) => [...own].map((entry) => ({ entry, own })))
      .sort((a, b) => b.entry.text.length - a.entry.text.length)[0];
    if (over <= 0 || longest === undefined || longest.entry.text.length < STEP_BYTES) return text();
    const { entry, own } = longest;
    const cut = shortened(entry.text, Math.min(over, STEP_BYTES));
    const all = [...own].map((one) => (one === entry ? { ...entry, text: cut } : one));
    own.clear();
    for (const one of all) own.add(one);
  }
}

/** How much is cut before the longest text is chosen again. */
const STEP_BYTES = 40;

/** The most bytes within so many tokens. */
function bytesOf(tokens: number): number {
  let bytes = Math.floor(tokens * 3.2);
  while (estimateTokens(bytes) > tokens) bytes -= 1;
  return bytes;
}

/** Shorter by at least `over` bytes, at the end of a word if possible. */
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
    const left = section.entries.length - own.length + (section.beyond ?? 0);
    const rest = left > 0 && section.more !== undefined ? [section.more(left)] : [];
    const texts = [...own.map((entry) => entry.text), ...rest];
    if (section.inline === undefined) lines.push(...texts);
    else lines.push(section.inline + texts.join(section.between ?? ', '));
  }
  const gone = sections.flatMap((section, index) =>
    kept[index]!.size === 0 ? countOf(section) : [],
  );
  if (gone.length > 0) lines.push('', `*… and ${gone.join(', ')}: no room for them here.*`);
  return [...lines, ...(foot.length > 0 ? ['', ...foot] : [])].join('\n').trimEnd();
}

/** `3 containers`; empty for an empty section. */
function countOf({ entries, beyond = 0, what }: Section): string[] {
  const count = entries.length + beyond;
  return what === undefined || count === 0 ? [] : [`${count} ${what[count === 1 ? 0 : 1]}`];
}
