import { type Extra, type Item, KINDS, type Kind } from './item.ts';
import { namesToldIn } from './name-items.ts';
import { frameChars, type Heading, renderItem, renderRecall, sectionChars } from './render.ts';
import { briefly, plainOf, plainTexts, repeats, withoutOutput } from './repeats.ts';

/** Of every kind, the best come in before density alone decides: a long list must not crowd out the others. */
const SURE_OF_EACH_KIND = 2;
/** The best of a poor kind must earn its place. */
const SURE_FROM_WORTH = 16;
/** How much length counts: at 1 only worth per character would, and one good long line lose to ten poor short ones. */
const LENGTH_COUNTS = 0.6;
/** Where there is more to tell than room the short ones are no poor ones, but what they would put out is better. */
const LENGTH_COUNTS_IN_A_CROWD = 0.45;

export interface Chosen {
  /** With the names that they are given with, and behind them what is told by the line of another. */
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

/** Events that a line cites for what it tells besides. */
const CITED_MAX = 3;

/**
 * Fills a budget with what is worth most for its length, each thing once: what the line of another says is given with that
 * (`repeats.ts`), which cites its event as well.
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
    // A name that a line has need not be given beside it.
    if (own === undefined) for (const name of namesToldIn(item.text)) named.add(name);
    if (extra !== undefined) named.add(extra.text);
    if (own === undefined) chosen.set(item, extra === undefined ? [] : [extra]);
    else if (extra !== undefined) own.push(extra);
  };
  const isEmpty = ({ item, extra }: Candidate) => item.text === '' && extra === undefined;
  const counts = isCrowded && !isShort ? LENGTH_COUNTS_IN_A_CROWD : LENGTH_COUNTS;
  const order = inOrderOfDensity(lengths, counts, isShort ? NAMES_COUNT : 1);
  const sure = isMore || isShort ? [] : sureOnes(order);
  for (const one of [...sure, ...order]) if (!isEmpty(one)) take(one);
  // Fewer ages are told of what came in than of all that was on offer: that is room for more.
  left += frameChars(offered, heading) - frameChars([...chosen.keys()], heading);
  for (const one of order) if (!isEmpty(one)) take(one);
  // The names in the order of their worth, as far as they came in.
  const withNames = [...chosen].map(([item, extras]) => {
    const { extras: _, ...rest } = item;
    return extras.length === 0 ? rest : { ...rest, extras };
  });
  const others = items.filter((item) => !chosen.has(item));
  return shortened(withRepeated(withNames, others, left), maxChars, heading);
}

/** A line with what is told by it besides. */
interface Line {
  item: Item;
  besides: Item[];
}

/** @param left characters for what the lines cite besides */
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

/** With twice as much to tell as there is room for, each is told briefly. */
const CROWDED = 2;
/** What would hardly be told anyway does not crowd. */
const CROWDS_FROM_WORTH = 20;

function crowds(items: readonly Item[], maxChars: number): boolean {
  const wanted = items.filter(({ worth }) => worth >= CROWDS_FROM_WORTH);
  return wanted.reduce((sum, item) => sum + baseChars(item), 0) > maxChars * CROWDED;
}

const baseChars = ({ text, seq, cites = [] }: Item): number =>
  renderItem({ text, seq, cites }).length + 1;

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
