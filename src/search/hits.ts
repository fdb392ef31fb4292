import type { IndexFile } from './index-read.ts';
import { BESIDE, SUPPORT } from './weights.ts';

export interface Factors {
  recency: number;
  basis: number;
  standing: number;
  branch: number;
}

export interface Parts extends Factors {
  /** BM25's sum. */
  words: number;
  /** The share of the query that it has. */
  coverage: number;
  /** Above 1 in the time that the query names. */
  named: number;
  /** Added for other hits of the session. */
  support: number;
}

export interface RankedHit {
  file: IndexFile;
  row: number;
  seq: number;
  /** The seq of the fact that it is, or joins. */
  fact: number;
  session: string | null;
  /** Its number among all documents. */
  place: number;
  score: number;
  parts: Parts;
}

/** Better first; of equals the newer one. */
const byScore = (a: RankedHit, b: RankedHit): number => b.score - a.score || b.place - a.place;

/** The best hits so far: a heap with the worst of them on top. */
export class Best {
  readonly #size: number;
  readonly #heap: RankedHit[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  /** A hit below this one is not among them. */
  get lowest(): number {
    return this.#heap.length < this.#size ? 0 : this.#heap[0]!.score;
  }

  add(hit: RankedHit): void {
    const heap = this.#heap;
    if (heap.length === this.#size) {
      if (byScore(hit, heap[0]!) < 0) this.#sink(hit);
      return;
    }
    heap.push(hit);
    if (heap.length === this.#size) heap.sort((a, b) => byScore(b, a));
  }

  sorted(): RankedHit[] {
    return this.#heap.toSorted(byScore);
  }

  /** Instead of the worst one. */
  #sink(hit: RankedHit): void {
    const heap = this.#heap;
    let at = 0;
    for (;;) {
      let down = 2 * at + 1;
      if (down >= heap.length) break;
      if (down + 1 < heap.length && byScore(heap[down + 1]!, heap[down]!) > 0) down += 1;
      if (byScore(hit, heap[down]!) > 0) break;
      heap[at] = heap[down]!;
      at = down;
    }
    heap[at] = hit;
  }
}

/**
 * The best hit of each session carries what else was found there: what stands beside a hit tells of the same, and a session
 * that has several is more likely the one that is looked for.
 */
export function supported(hits: RankedHit[]): RankedHit[] {
  const byPlace = new Map(hits.map((hit) => [hit.place, hit]));
  const sessions = new Map<string, { best: RankedHit; worth: number[] }>();
  for (const hit of hits) {
    if (hit.session === null) continue;
    let worth = hit.score;
    for (const place of [hit.place - 1, hit.place + 1]) {
      const beside = byPlace.get(place);
      if (beside?.session === hit.session) worth += BESIDE * beside.score;
    }
    const session = sessions.get(hit.session) ?? { best: hit, worth: [] };
    sessions.set(hit.session, session);
    session.worth.push(worth);
  }
  for (const { best, worth } of sessions.values()) {
    worth.sort((a, b) => b - a);
    const all = SUPPORT.reduce((sum, weight, i) => sum + weight * (worth[i] ?? 0), 0);
    best.parts.support = all - best.score;
  }
  for (const hit of hits) hit.score += hit.parts.support;
  return hits.sort(byScore);
}
