import { endsOf } from '../projections/bounds.ts';
import { baseChars, type Candidate, Filling } from './filling.ts';
import { type Extra, type Item, KINDS } from './item.ts';
import { frameChars, type Heading, renderRecall, sectionChars } from './render.ts';
import { briefly, plainOf, plainTexts, repeats, withoutOutput } from './repeats.ts';

/** The best of each kind come first, so that a long list does not crowd out the others. */
const BEST_OF_EACH_KIND = 2;
const BEST_FROM_WORTH = 16;
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

const CITED_MAX = 3;
/** Bare names may take a ninth of the rest, a tenth of the whole. */
const MENTIONS_SHARE = 1 / 9;
/** What has its place in any case is cut to this share. */
const SURE_SHARE = 1 / 4;
const SURE_CHARS_MIN = 120;

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
  const fit = fitting(offered, maxChars, heading);
  const items = (isCrowded ? offered.map(briefly) : offered).map(fit);
  const lengths = new Map(items.map((item) => [item, baseChars(item)]));
  const counts = isCrowded && !isShort ? LENGTH_COUNTS_IN_A_CROWD : LENGTH_COUNTS;
  const order = inOrderOfDensity(lengths, counts, isShort ? NAMES_COUNT : 1);
  const mentions = order.filter(({ item }) => item.kind === 'mention');
  const others = order.filter(({ item }) => item.kind !== 'mention');
  const frame = frameChars(offered, heading);
  const sureFrame = frameChars(offered.filter(isSure), heading);
  const filling = new Filling(lengths, maxChars - sureFrame);
  filling.takeAll(inPlaces(others));
  filling.left -= frame - sureFrame;
  filling.takeAll(isMore || isShort ? others : [...bestOfEachKind(others), ...others]);
  // The chosen items need fewer ages than all offered: use the room.
  filling.left += frame - frameChars([...filling.chosen.keys()], heading);
  filling.takeAll(others);
  const told = maxChars - filling.left;
  const spare = Math.max(0, filling.left - Math.floor(told * MENTIONS_SHARE));
  filling.left -= spare;
  filling.takeAll(mentions);
  const { chosen, left } = filling;
  const withNames = [...chosen].map(([item, extras]) => {
    const { extras: _, ...rest } = item;
    return extras.length === 0 ? rest : { ...rest, extras };
  });
  const unchosen = items.filter((item) => !chosen.has(item));
  return shortened(withRepeated(withNames, unchosen, left + spare), maxChars, heading);
}

const isSure = ({ sure }: Item): boolean => sure === true;

/** Cuts what has its place in any case, so that it leaves some for the rest. */
function fitting(
  offered: readonly Item[],
  maxChars: number,
  heading: Heading,
): (item: Item) => Item {
  const alone = maxChars - frameChars(offered.filter(isSure), heading);
  const share = Math.max(SURE_CHARS_MIN, Math.floor(maxChars * SURE_SHARE));
  return (item) => {
    if (!isSure(item)) return item;
    const room = Math.min(
      share,
      alone - sectionChars(item.kind) - baseChars({ ...item, text: '' }),
    );
    return item.text.length <= room || room <= 0
      ? item
      : { ...item, text: endsOf(item.text, room) };
  };
}

/** What has its place in any case: the last prompt, the one before it, then what they say besides, and a command. */
function inPlaces(order: readonly Candidate[]): Candidate[] {
  const rank = ({ kind }: Item) => (kind === 'prompt' ? 0 : kind === 'command' ? 2 : 1);
  return order
    .filter(({ item, extra }) => isSure(item) && extra === undefined)
    .sort((a, b) => rank(a.item) - rank(b.item) || b.item.seq - a.item.seq);
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

const bestOfEachKind = (order: readonly Candidate[]): Candidate[] =>
  KINDS.flatMap((kind) =>
    order
      .filter(
        ({ item, extra }) =>
          item.kind === kind && extra === undefined && item.worth >= BEST_FROM_WORTH,
      )
      .slice(0, BEST_OF_EACH_KIND),
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
