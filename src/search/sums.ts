import { isStopTerm } from './analyze.ts';
import type { IndexFile } from './index-read.ts';
import { BLOCK, IMPACTS } from './layout.ts';
import type { Postings } from './postings.ts';
import { K1, MOST_TERMS, STOP_WEIGHT } from './weights.ts';

/** A term of the query with its postings in each file. */
interface Scored {
  term: string;
  idf: number;
  count: number;
  /** A common word beside telling ones finds nothing by itself. */
  isExtra: boolean;
  lists: (Postings | undefined)[];
}

const rows = new Uint32Array(BLOCK);
const impacts = new Uint8Array(BLOCK);

/** What the terms give the documents of one file after the other. */
export class Sums {
  /** Rows with any of the terms. */
  readonly touched: Uint32Array;
  /** Of each row BM25's sum, and the idf of the terms that it has. Whoever reads them sets them back to 0. */
  readonly scores: Float32Array;
  readonly covered: Float32Array;
  readonly #terms: readonly Scored[];
  readonly all: number;

  constructor(terms: readonly Scored[], size: number) {
    this.touched = new Uint32Array(size);
    this.scores = new Float32Array(size);
    this.covered = new Float32Array(size);
    this.#terms = terms;
    this.all = terms.reduce((sum, { idf }) => sum + idf, 0);
  }

  /** @returns how many rows have any */
  add(file: number, end: number): number {
    let found = 0;
    const { touched, scores, covered } = this;
    for (const { idf, lists, isExtra } of this.#terms) {
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
            if (isExtra) continue;
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
}

/** Those that occur before the ends of the files, the rarest first, common words last. */
export function scoredTerms(
  files: readonly IndexFile[],
  ends: readonly number[],
  terms: ReadonlySet<string>,
  shares?: ReadonlyMap<string, number>,
): Scored[] {
  const total = ends.reduce((sum, rows) => sum + rows, 0);
  const isTelling = [...terms].some((term) => !isStopTerm(term));
  const found: Scored[] = [];
  for (const term of terms) {
    const lists = files.map((file) => file.postings(term));
    const count = lists.reduce((sum, list, i) => sum + (list?.countBelow(ends[i]!) ?? 0), 0);
    if (count === 0) continue;
    const idf = Math.log(1 + (total - count + 0.5) / (count + 0.5));
    const isStop = isStopTerm(term);
    const weight = (isStop ? STOP_WEIGHT : 1) * (shares?.get(term) ?? 1);
    found.push({ term, idf: weight * idf, count, isExtra: isStop && isTelling, lists });
  }
  const byCount = (a: Scored, b: Scored) => a.count - b.count || (a.term < b.term ? -1 : 1);
  found.sort((a, b) => Number(a.isExtra) - Number(b.isExtra) || byCount(a, b));
  return found.slice(0, MOST_TERMS);
}

/** 1 for each row that has all of these terms, or at least so many. */
export function having(
  file: IndexFile,
  end: number,
  terms: readonly string[],
  least?: number,
): Uint8Array {
  const counts = new Uint16Array(end);
  const different = [...new Set(terms)];
  for (const term of different) {
    const list = file.postings(term);
    for (let block = 0; block < (list?.blocks ?? 0); block += 1) {
      const count = list!.read(block, rows, impacts);
      for (let i = 0; i < count && rows[i]! < end; i += 1) counts[rows[i]!]! += 1;
    }
  }
  return Uint8Array.from(counts, (count) => (count >= (least ?? different.length) ? 1 : 0));
}
