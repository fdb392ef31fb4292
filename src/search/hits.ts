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
  session: string | null;
  /** Its number among all documents. */
  place: number;
  score: number;
  parts: Parts;
}

/** Better first; of equals the newer one. */
const byScore = (a: RankedHit, b: RankedHit): number =>
  b.score - a.score || b.seq - a.seq || b.row - a.row;

/** The best hits so far. */
export class Best {
  #hits: RankedHit[] = [];
  /** A hit below this one is not among them. */
  lowest = 0;

  readonly #size: number;

  constructor(size: number) {
    this.#size = size;
  }

  add(hit: RankedHit): void {
    this.#hits.push(hit);
    if (this.#hits.length < 2 * this.#size) return;
    this.#hits = this.sorted();
    this.lowest = this.#hits.at(-1)!.score;
  }

  sorted(): RankedHit[] {
    return this.#hits.sort(byScore).slice(0, this.#size);
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
