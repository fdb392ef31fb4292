import { namesAmong } from '../projections/references.ts';
import { type Extra, type Item, KINDS, type Kind } from './items.ts';
import { frameChars, type Heading, renderItem, renderRecall, sectionChars } from './render.ts';

/** Of every kind, the best come in before density alone decides: a long list must not crowd out the others. */
const SURE_OF_EACH_KIND = 2;
/** The best of a poor kind must earn its place. */
const SURE_FROM_WORTH = 16;
/** How much length counts: at 1 only worth per character would, and one good long line lose to ten poor short ones. */
const LENGTH_COUNTS = 0.6;
/** Where there is more to tell than room the short ones are no poor ones, but what they would put out is better. */
const LENGTH_COUNTS_IN_A_CROWD = 0.45;

export interface Chosen {
  /** With the names that they are given with. */
  items: Item[];
  text: string;
}

/** In a shorter text there is no room for something of everything, and names alone say most: next to them a line costs too much. */
const SHORT_CHARS = 2500;
const NAMES_COUNT = 4;

/** An item, or one more name for an item. */
interface Candidate {
  item: Item;
  extra?: Extra;
  chars: number;
  density: number;
}

/**
 * Fills a budget with what is worth most for its length.
 * @param maxChars of the whole text, a hard limit
 * @param isMore goes on from a text that has the best of every kind already
 */
export function choose(
  offered: readonly Item[],
  maxChars: number,
  heading: Heading,
  isMore = false,
): Chosen {
  const isShort = maxChars < SHORT_CHARS;
  const isCrowded = crowds(offered, maxChars);
  const items = offered.map((item) => told(item, isCrowded));
  const chosen = new Map<Item, Extra[]>();
  const kinds = new Set<Kind>();
  const named = new Set<string>();
  let left = maxChars - frameChars(heading);
  const lengths = new Map(items.map((item) => [item, baseChars(item)]));
  const take = ({ item, extra, chars }: Candidate): void => {
    const own = chosen.get(item);
    if (extra === undefined ? own !== undefined : own?.includes(extra) || named.has(extra.text))
      return;
    const base = own === undefined ? lengths.get(item)! : 0;
    const section = kinds.has(item.kind) ? 0 : sectionChars(item.kind);
    const cost = base + section + (extra === undefined ? 0 : chars);
    if (cost > left) return;
    left -= cost;
    kinds.add(item.kind);
    // A name that a line has need not be given beside it.
    if (own === undefined) for (const name of namesAmong(item.text)) named.add(name);
    if (extra !== undefined) named.add(extra.text);
    if (own === undefined) chosen.set(item, extra === undefined ? [] : [extra]);
    else if (extra !== undefined) own.push(extra);
  };
  const isEmpty = ({ item, extra }: Candidate) => item.text === '' && extra === undefined;
  const counts = isCrowded && !isShort ? LENGTH_COUNTS_IN_A_CROWD : LENGTH_COUNTS;
  const order = inOrderOfDensity(lengths, counts, isShort ? NAMES_COUNT : 1);
  const sure = isMore || isShort ? [] : sureOnes(order);
  for (const one of [...sure, ...order]) if (!isEmpty(one)) take(one);
  // The names in the order of their worth, as far as they came in.
  const withNames = [...chosen].map(([item, extras]) => {
    const { extras: _, ...rest } = item;
    return extras.length === 0 ? rest : { ...rest, extras };
  });
  return shortened(withNames, maxChars, heading);
}

/** With twice as much to tell as there is room for, each is told briefly. */
const CROWDED = 2;
/** What would hardly be told anyway does not crowd. */
const CROWDS_FROM_WORTH = 20;

function crowds(items: readonly Item[], maxChars: number): boolean {
  const wanted = items.filter(({ worth }) => worth >= CROWDS_FROM_WORTH);
  return wanted.reduce((sum, item) => sum + baseChars(item), 0) > maxChars * CROWDED;
}

const told = ({ brief, ...item }: Item, isBriefly: boolean): Item =>
  isBriefly && brief !== undefined ? { ...item, text: brief } : item;

const bare = (item: Item): string => renderItem({ text: item.text, seq: item.seq });
const baseChars = (item: Item): number => bare(item).length + 1;

/**
 * @param counts how much length does
 * @param names what a name's worth counts
 */
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

/** The estimate is exact but for what cleaning adds; should it add too much, the last ones go. */
function shortened(items: Item[], maxChars: number, heading: Heading): Chosen {
  const kept = [...items];
  let text = renderRecall(kept, heading);
  while (text.length > maxChars && kept.length > 0) {
    kept.pop();
    text = renderRecall(kept, heading);
  }
  return { items: kept, text };
}
