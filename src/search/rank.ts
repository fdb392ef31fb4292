import { isStopTerm } from './analyze.ts';
import type { IndexFile } from './index-read.ts';
import { BLOCK, IMPACTS } from './layout.ts';
import type { Postings } from './postings.ts';
import {
  BASIS_WEIGHT,
  coverageOf,
  HIGHEST_FACTOR,
  K1,
  MOST_TERMS,
  NAMED_TIME,
  POOL,
  recencyOf,
  STOP_WEIGHT,
  SUPPORT,
} from './weights.ts';

export interface RankQuery {
  /** Terms that score. */
  should: readonly string[];
  /** Each list: all terms of a word or phrase that a document must have. They score, too. */
  must: readonly (readonly string[])[];
  /** Documents that have all terms of one of these lists are left out. */
  not: readonly (readonly string[])[];
  /** Only documents up to this seq count, for scores too. */
  upto?: number;
  accepts?(file: IndexFile, row: number): boolean;
  /** Their product may not be above `HIGHEST_FACTOR`. Without it those of `factorsOf`. */
  factorOf?(file: IndexFile, row: number): Factors;
  /** Whether a time is one that the query names. */
  isNamed?: ((at: number) => boolean) | undefined;
  limit: number;
}

export interface Factors {
  recency: number;
  basis: number;
  standing: number;
  branch: number;
}

export interface Parts extends Factors {
  /** BM25's sum. */
  words: number;
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
  score: number;
  parts: Parts;
}

export interface Ranked {
  hits: RankedHit[];
  /** Documents that match. */
  of: number;
  /** Documents that were searched. */
  searched: number;
  /** What BM25 cannot reach: of a document that says only what was asked for, without end. */
  possible: number;
}

/** Recency and basis; nothing is abandoned, and all is of one branch. */
export function factorsOf(
  files: readonly IndexFile[],
  upto = Number.POSITIVE_INFINITY,
): (file: IndexFile, row: number) => Factors {
  const newest = Math.max(0, ...files.map((file) => file.newestOf(file.rowsUpto(upto))));
  return (file, row) => ({
    recency: recencyOf(newest - file.atOf(row)),
    basis: BASIS_WEIGHT[file.basisOf(row)],
    standing: 1,
    branch: 1,
  });
}

/** A term of the query with its postings in each file. */
interface Scored {
  term: string;
  idf: number;
  count: number;
  lists: (Postings | undefined)[];
}

/** The best documents, exactly: the same for the same documents, however they lie in files. */
export function rank(files: readonly IndexFile[], query: RankQuery): Ranked {
  const ends = files.map((file) => file.rowsUpto(query.upto ?? Number.POSITIVE_INFINITY));
  const searched = ends.reduce((sum, rows) => sum + rows, 0);
  const terms = scoredTerms(files, ends, searched, query);
  const factorOf = query.factorOf ?? factorsOf(files, query.upto);
  const best = new Best(Math.max(POOL, query.limit));
  const sums = new Sums(terms, Math.max(0, ...ends));
  const highest = HIGHEST_FACTOR * (query.isNamed === undefined ? 1 : NAMED_TIME);
  let of = 0;
  for (const [number, file] of files.entries()) {
    const end = ends[number]!;
    const passes = filterOf(file, end, query);
    const touched = sums.add(number, end);
    for (let i = 0; i < touched; i += 1) {
      const row = sums.touched[i]!;
      if (passes !== undefined && !passes(row)) continue;
      of += 1;
      const words = sums.scores[row]!;
      // Without the coverage, which takes longer, most are out already.
      if (words * highest < best.lowest) continue;
      const coverage = sums.coverageOf(row);
      if (words * coverage * highest < best.lowest) continue;
      const factors = factorOf(file, row);
      const { recency, basis, standing, branch } = factors;
      const named = query.isNamed?.(file.atOf(row)) ? NAMED_TIME : 1;
      const score = words * coverage * named * recency * basis * standing * branch;
      if (score < best.lowest) continue;
      best.add({
        file,
        row,
        seq: file.seqOf(row),
        session: file.sessionOf(row),
        score,
        parts: { words, coverage, named, ...factors, support: 0 },
      });
    }
    sums.clear(touched);
  }
  const hits = supported(best.sorted()).slice(0, query.limit);
  return { hits, of, searched, possible: sums.all * (K1 + 1) };
}

const rows = new Uint32Array(BLOCK);
const impacts = new Uint8Array(BLOCK);

/** What the terms give the documents of one file after the other. */
class Sums {
  /** Rows with any of the terms. */
  readonly touched: Uint32Array;
  readonly scores: Float32Array;
  readonly #covered: Float32Array;
  readonly #terms: readonly Scored[];
  readonly all: number;

  constructor(terms: readonly Scored[], size: number) {
    this.touched = new Uint32Array(size);
    this.scores = new Float32Array(size);
    this.#covered = new Float32Array(size);
    this.#terms = terms;
    this.all = terms.reduce((sum, { idf }) => sum + idf, 0);
  }

  coverageOf(row: number): number {
    return coverageOf(Math.min(1, this.#covered[row]! / this.all));
  }

  /** @returns how many rows have any */
  add(file: number, end: number): number {
    let found = 0;
    const { touched, scores } = this;
    const covered = this.#covered;
    for (const { idf, lists } of this.#terms) {
      const list = lists[file];
      if (list === undefined) continue;
      const gain = (idf * (K1 + 1)) / IMPACTS;
      for (let block = 0; block < list.blocks && list.firstRowOf(block) < end; block += 1) {
        const count = list.read(block, rows, impacts);
        for (let i = 0; i < count; i += 1) {
          const row = rows[i]!;
          if (row >= end) break;
          const before = covered[row]!;
          if (before === 0) {
            touched[found] = row;
            found += 1;
          }
          covered[row] = before + idf;
          scores[row]! += gain * impacts[i]!;
        }
      }
    }
    return found;
  }

  clear(found: number): void {
    for (let i = 0; i < found; i += 1) {
      this.scores[this.touched[i]!] = 0;
      this.#covered[this.touched[i]!] = 0;
    }
  }
}

function scoredTerms(
  files: readonly IndexFile[],
  ends: readonly number[],
  total: number,
  { should, must }: RankQuery,
): Scored[] {
  const found: Scored[] = [];
  for (const term of new Set([...should, ...must.flat()])) {
    const lists = files.map((file) => file.postings(term));
    const count = lists.reduce((sum, list, i) => sum + (list?.countBelow(ends[i]!) ?? 0), 0);
    if (count === 0) continue;
    const idf = Math.log(1 + (total - count + 0.5) / (count + 0.5));
    const weight = isStopTerm(term) ? STOP_WEIGHT : 1;
    found.push({ term, idf: weight * idf, count, lists });
  }
  found.sort((a, b) => a.count - b.count || (a.term < b.term ? -1 : 1));
  return found.slice(0, MOST_TERMS);
}

/** Whether a document has what it must have and none of what it must not, and is accepted. */
function filterOf(
  file: IndexFile,
  end: number,
  { must, not, accepts }: RankQuery,
): ((row: number) => boolean) | undefined {
  if (must.length === 0 && not.length === 0 && accepts === undefined) return undefined;
  const wanted = must.length === 0 ? undefined : having(file, end, must.flat());
  const unwanted = not.map((terms) => having(file, end, terms));
  return (row) =>
    wanted?.[row] !== 0 &&
    unwanted.every((has) => has[row] === 0) &&
    (accepts?.(file, row) ?? true);
}

/** 1 for each row that has all of these terms. */
function having(file: IndexFile, end: number, terms: readonly string[]): Uint8Array {
  const counts = new Uint16Array(end);
  const different = [...new Set(terms)];
  for (const term of different) {
    const list = file.postings(term);
    for (let block = 0; block < (list?.blocks ?? 0); block += 1) {
      const count = list!.read(block, rows, impacts);
      for (let i = 0; i < count && rows[i]! < end; i += 1) counts[rows[i]!]! += 1;
    }
  }
  return Uint8Array.from(counts, (count) => (count === different.length ? 1 : 0));
}

/** Better first; of equals the newer one. */
const byScore = (a: RankedHit, b: RankedHit): number =>
  b.score - a.score || b.seq - a.seq || b.row - a.row;

/** The best hits so far. */
class Best {
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

/** The best hit of each session carries what its next ones say. */
function supported(hits: RankedHit[]): RankedHit[] {
  const sessions = new Map<string, RankedHit[]>();
  for (const hit of hits) {
    if (hit.session === null) continue;
    const own = sessions.get(hit.session) ?? [];
    sessions.set(hit.session, own);
    own.push(hit);
  }
  for (const [first, ...rest] of sessions.values())
    for (const [i, weight] of SUPPORT.entries())
      first!.parts.support += weight * (rest[i]?.score ?? 0);
  for (const hit of hits) hit.score += hit.parts.support;
  return hits.sort(byScore);
}
