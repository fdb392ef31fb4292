import { isSeq } from '../journal/format/layout.ts';

/** Below `.ben10`; `project/stored.ts` names it, too, so that hooks need not load this file. */
export const SEARCH_PLACE = 'search';

/** An index file by its name: the events that it covers. */
export interface IndexPlace {
  name: string;
  firstSeq: number;
  lastSeq: number;
}

const NAME = /^(\d{16})-(\d{16})\.b10x$/;

const digits = (seq: number): string => String(seq).padStart(16, '0');

export const nameOf = ({ firstSeq, lastSeq }: Omit<IndexPlace, 'name'>): string =>
  `${digits(firstSeq)}-${digits(lastSeq)}.b10x`;

/** Names of other forms are left out. */
export const placesIn = (names: readonly string[]): IndexPlace[] =>
  names.flatMap((name) => {
    const [, first, last] = NAME.exec(name) ?? [];
    const place = { name, firstSeq: Number(first), lastSeq: Number(last) };
    return isSeq(place.firstSeq) && isSeq(place.lastSeq) && place.firstSeq <= place.lastSeq
      ? [place]
      : [];
  });

/** The files without gap or overlap that reach furthest from the first event on, and are fewest: two processes may have written. */
export function longestChain(places: readonly IndexPlace[]): IndexPlace[] {
  interface Way {
    end: number;
    files: number;
    place: IndexPlace;
  }
  const ways = new Map<number, Way>();
  for (const place of places.toSorted((a, b) => b.firstSeq - a.firstSeq)) {
    const { end = place.lastSeq, files = 0 } = ways.get(place.lastSeq + 1) ?? {};
    const best = ways.get(place.firstSeq);
    if (best !== undefined && (best.end > end || (best.end === end && best.files <= files + 1)))
      continue;
    ways.set(place.firstSeq, { end, files: files + 1, place });
  }
  const chain: IndexPlace[] = [];
  for (let way = ways.get(1); way !== undefined; way = ways.get(way.place.lastSeq + 1))
    chain.push(way.place);
  return chain;
}

/** A merge waits for so many neighbours of one level, each level eight times the one before. */
const NEIGHBOURS = 8;
const LEAST_EVENTS = 256;
/** No file covers more. */
export const FILE_EVENTS_MAX = 262_144;

export const eventsOf = ({ firstSeq, lastSeq }: Omit<IndexPlace, 'name'>): number =>
  lastSeq - firstSeq + 1;

function levelOf(place: IndexPlace): number {
  let level = 0;
  for (let n = LEAST_EVENTS * NEIGHBOURS; n <= eventsOf(place); n *= NEIGHBOURS) level += 1;
  return level;
}

/** Neighbours to be made one file, as from and to in a chain. @param eventsMax of the new file */
export function toMerge(
  chain: readonly IndexPlace[],
  eventsMax: number,
): [from: number, to: number] | undefined {
  for (let from = 0; from < chain.length; ) {
    const level = levelOf(chain[from]!);
    let to = from;
    while (to < chain.length && levelOf(chain[to]!) === level) to += 1;
    if (to - from >= NEIGHBOURS) {
      let events = 0;
      let upto = from;
      for (; upto < to; upto += 1) {
        events += eventsOf(chain[upto]!);
        if (events > eventsMax) break;
      }
      if (upto - from > 1) return [from, upto];
    }
    from = to;
  }
  return undefined;
}
