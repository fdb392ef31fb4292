import { type Extra, type Item, KINDS, type Kind } from './item.ts';
import { namesStatedIn } from './name-items.ts';

import { frameChars, type Heading, renderItem, renderRecall, sectionChars } from './render.ts';
import { briefly, plainOf, plainTexts, repeats, withoutOutput } from './repeats.ts';

/** The best of each kind come first, so that a long list does not crowd out the others. */
const SURE_OF_EACH_KIND = 2;
const SURE_FROM_WORTH = 16;
/** Exponent of length: at 1 only worth per character counts, and poor short lines would win. */
const LENGTH_COUNTS = 0.6;
/** With more items than room, many short ones may be better than one long. */
const LENGTH_COUNTS_IN_A_CROWD = 0.45;

export interface Chosen {
  /** Items with their names, then those covered by another item's line. */
  items: Item[];
  text: string;
}

/** In a shorter text names count more, because a line takes too much. */
const SHORT_CHARS = 2500;
const NAMES_COUNT = 4;

/** An item, or one more name for an item. */
interface Candidate {
  item: Item;
  extra?: Extra;
  chars: number;
  density: number;
}

const CITED_MAX = 3;

/**
 * Fills a budget with what is worth most for its length. What another item's line says already is cited there (`repeats.ts`).
 * @param maxChars a hard limit for the whole text
 * @param isMore continues a text that has the best of each kind
 */
export function choose(
  offered: readonly Item[],
  maxChars: number,
  heading: Heading,
  isMore = false,
): Chosen {
  const isShort = maxChars < SHORT_CHARS;
  const isCrowded = crowds(offered, maxChars);
  const items = isCrowded ? offered.map(briefly) : offered;
  const chosen = new Map<Item, Extra[]>();
  const kinds = new Set<Kind>();
  const named = new Set<string>();
  let left = maxChars - frameChars(offered, heading);
  const lengths = new Map(items.map((item) => [item, baseChars(item)]));
  const isTold = (item: Item) => [...chosen.keys()].some((one) => repeats(item, one));
  const takeIn = (item: Item): void => {
    for (const one of [...chosen.keys()].filter((known) => repeats(known, item))) {
      chosen.delete(one);
      left += lengths.get(one)!;
    }
  };
  const take = ({ item, extra, chars }: Candidate): void => {
    const own = chosen.get(item);
    if (extra === undefined ? own !== undefined : own?.includes(extra) || named.has(extra.text))
      return;
    const base = own === undefined ? lengths.get(item)! : 0;
    const section = kinds.has(item.kind) ? 0 : sectionChars(item.kind);
    const cost = base + section + (extra === undefined ? 0 : chars);
    if (cost > left || (own === undefined && isTold(item))) return;
    left -= cost;
    kinds.add(item.kind);
    if (own === undefined) takeIn(item);
    // Names in the line need no mention beside it.
    if (own === undefined) for (const name of namesStatedIn(item.text)) named.add(name);
    if (extra !== undefined) named.add(extra.text);
    if (own === undefined) chosen.set(item, extra === undefined ? [] : [extra]);
    else if (extra !== undefined) own.push(extra);
  };
  const isEmpty = ({ item, extra }: Candidate) => item.text === '' && extra === undefined;
  const counts = isCrowded && !isShort ? LENGTH_COUNTS_IN_A_CROWD : LENGTH_COUNTS;
  const order = inOrderOfDensity(lengths, counts, isShort ? NAMES_COUNT : 1);
  const sure = isMore || isShort ? [] : sureOnes(order);
  for (const one of [...sure, ...order]) if (!isEmpty(one)) take(one);
  // The chosen items need fewer ages than all offered: use the room.
  left += frameChars(offered, heading) - frameChars([...chosen.keys()], heading);
  for (const one of order) if (!isEmpty(one)) take(one);
  const withNames = [...chosen].map(([item, extras]) => {
    const { extras: _, ...rest } = item;
    return extras.length === 0 ? rest : { ...rest, extras };
  });
  const others = items.filter((item) => !chosen.has(item));
  return shortened(withRepeated(withNames, others, left), maxChars, heading);
}

interface Line {
  item: Item;
  besides: Item[];
}

/** @param left characters for citing the covered items */
function withRepeated(chosen: readonly Item[], others: readonly Item[], left: number): Line[] {
  const lines = chosen.map((item): Line => ({ item: withoutOutput(item, chosen), besides: [] }));
  const texts = plainTexts(chosen);
  let room = left;
  for (const other of others) {
    if (!texts.includes(plainOf(other))) continue;
    const line = lines.find(({ item }) => repeats(other, item));
    if (line === undefined) continue;
    const { item, besides } = line;
    besides.push({ ...other, inLineOf: item.seq });
    const { cites = [] } = item;
    const cost = `@${other.seq} `.length;
    if (other.seq === item.seq || cites.includes(other.seq)) continue;
    if (cost > room || cites.length >= CITED_MAX) continue;
    room -= cost;
    line.item = { ...item, cites: [...cites, other.seq] };
  }
  return lines;
}

/** With this many times more than fits, short forms are used. */
const CROWDED = 2;
/** Poorer items do not count for that. */
const CROWDS_FROM_WORTH = 20;

function crowds(items: readonly Item[], maxChars: number): boolean {
  const wanted = items.filter(({ worth }) => worth >= CROWDS_FROM_WORTH);
  return wanted.reduce((sum, item) => sum + baseChars(item), 0) > maxChars * CROWDED;
}

const baseChars = ({ text, seq, cites = [] }: Item): number =>
  renderItem({ text, seq, cites }).length + 1;

/** @param counts exponent of length @param names factor for the worth of names */
function inOrderOfDensity(
  lengths: ReadonlyMap<Item, number>,
  counts: number,
  names: number,
): Candidate[] {
  const candidate = (item: Item, chars: number, worth: number, extra?: Extra): Candidate => ({
    item,
    chars,
    density: worth / chars ** counts,
    ...(extra !== undefined && { extra }),
  });
  const candidates = [...lengths].flatMap(([item, chars]): Candidate[] => {
    const extras = (item.extras ?? []).map((extra) =>
      candidate(item, extra.text.length + 1, extra.worth * names, extra),
    );
    return [candidate(item, chars, item.worth), ...extras];
  });
  return candidates.sort(
    (a, b) => b.density - a.density || b.item.seq - a.item.seq || a.chars - b.chars,
  );
}

const sureOnes = (order: readonly Candidate[]): Candidate[] =>
  KINDS.flatMap((kind) =>
    order
      .filter(
        ({ item, extra }) =>
          item.kind === kind && extra === undefined && item.worth >= SURE_FROM_WORTH,
      )
      .slice(0, SURE_OF_EACH_KIND),
  ).sort((a, b) => b.density - a.density);

/** Cleaning may lengthen the text; then the last lines go. */
function shortened(lines: readonly Line[], maxChars: number, heading: Heading): Chosen {
  const kept = [...lines];
  const rendered = () =>
    renderRecall(
      kept.map(({ item }) => item),
      heading,
    );
  let text = rendered();
  while (text.length > maxChars && kept.length > 0) {
    kept.pop();
    text = rendered();
  }
  const items = [...kept.map(({ item }) => item), ...kept.flatMap(({ besides }) => besides)];
  return { items, text };
}
