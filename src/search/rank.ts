import { Facts } from './facts.ts';
import { Best, type Factors, type RankedHit, supported } from './hits.ts';
import type { IndexFile } from './index-read.ts';
import { having, Sums, scoredTerms } from './sums.ts';
import { BASIS_WEIGHT, HIGHEST_FACTOR, K1, NAMED_TIME, POOL, recencyOf } from './weights.ts';

export interface RankQuery {
  /** Terms that score. */
  should: readonly string[];
  /** What of their weight some of them have. */
  shares?: ReadonlyMap<string, number>;
  /** Each list: all terms of a word or phrase that a document must have. They score, too. */
  must: readonly (readonly string[])[];
  /** A document must have at least one of these, if there are any. */
  some?: readonly string[];
  /** Documents that have all terms of one of these lists are left out. */
  not: readonly (readonly string[])[];
  /** Only documents up to this seq count, for scores too. */
  upto?: number;
  accepts?(file: IndexFile, row: number): boolean;
  /** At most 1 each, as without it: nothing is abandoned, and all is of one branch. */
  standingOf?(file: IndexFile, row: number): Pick<Factors, 'standing' | 'branch'>;
  /** Whether a time is one that the query names. */
  isNamed?: ((at: number) => boolean) | undefined;
  limit: number;
}

export interface Ranked {
  hits: RankedHit[];
  /** Facts that match: a call and its outcome are one. */
  of: number;
  /** Documents that were searched. */
  searched: number;
  /** What BM25 cannot reach: of a document that says only what was asked for, without end. */
  possible: number;
}

/** What a row is worth by itself. */
export function worthIn(
  files: readonly IndexFile[],
  upto = Number.POSITIVE_INFINITY,
): (file: IndexFile, row: number) => Pick<Factors, 'recency' | 'basis'> {
  const newest = Math.max(0, ...files.map((file) => file.newestOf(file.rowsUpto(upto))));
  return (file, row) => ({
    recency: recencyOf(newest - file.atOf(row)),
    basis: BASIS_WEIGHT[file.basisOf(row)],
  });
}

/** The best documents, exactly: the same for the same documents, however they lie in files. */
export function rank(files: readonly IndexFile[], query: RankQuery): Ranked {
  const ends = files.map((file) => file.rowsUpto(query.upto ?? Number.POSITIVE_INFINITY));
  const searched = ends.reduce((sum, rows) => sum + rows, 0);
  const wanted = new Set([...query.should, ...query.must.flat()]);
  const terms = scoredTerms(files, ends, wanted, query.shares);
  const worthOf = worthIn(files, query.upto);
  const best = new Best(Math.max(POOL, query.limit));
  const sums = new Sums(terms, Math.max(0, ...ends));
  const highest = HIGHEST_FACTOR * (query.isNamed === undefined ? 1 : NAMED_TIME);
  const { touched, scores, covered } = sums;
  let lowest = 0;
  const facts = new Facts(files, ends);
  let before = searched;
  // The newest first: of many equals the older ones are soon seen to be too old.
  for (let number = files.length - 1; number >= 0; number -= 1) {
    const file = files[number]!;
    const end = ends[number]!;
    before -= end;
    const passes = filterOf(file, end, query);
    const found = sums.add(number, end);
    for (let i = found - 1; i >= 0; i -= 1) {
      const row = touched[i]!;
      const words = scores[row]!;
      const has = covered[row]!;
      // For the next file, while they are at hand.
      scores[row] = 0;
      covered[row] = 0;
      if (passes !== undefined && !passes(row)) continue;
      if (file.backOf(row) === 0) facts.add(before + row);
      else facts.join(number, row);
      // Most go here: without the coverage, which is at most 1.
      if (words * highest < lowest) continue;
      const coverage = Math.min(1, has / sums.all);
      if (words * coverage * highest < lowest) continue;
      const { recency, basis } = worthOf(file, row);
      const named = query.isNamed?.(file.atOf(row)) ? NAMED_TIME : 1;
      const most = words * coverage * named * recency * basis;
      if (most < lowest) continue;
      const { standing, branch } = query.standingOf?.(file, row) ?? { standing: 1, branch: 1 };
      const score = most * standing * branch;
      if (score < lowest) continue;
      best.add({
        file,
        row,
        seq: file.seqOf(row),
        fact: file.factOf(row),
        session: file.sessionOf(row),
        place: before + row,
        score,
        parts: { words, coverage, named, recency, basis, standing, branch, support: 0 },
      });
      lowest = best.lowest;
    }
  }
  const sorted = best.sorted();
  // However many are asked for, the same ones speak for each other: pages fit together.
  const hits = [...supported(sorted.slice(0, POOL)), ...sorted.slice(POOL)].slice(0, query.limit);
  return { hits, of: facts.of, searched, possible: sums.all * (K1 + 1) };
}

/** Whether a document has what it must have and none of what it must not, and is accepted. */
export function filterOf(
  file: IndexFile,
  end: number,
  { must, some = [], not, accepts }: RankQuery,
): ((row: number) => boolean) | undefined {
  if (must.length + some.length + not.length === 0 && accepts === undefined) return undefined;
  const wanted = must.length === 0 ? undefined : having(file, end, must.flat());
  const asked = some.length === 0 ? undefined : having(file, end, some, 1);
  const unwanted = not.map((terms) => having(file, end, terms));
  return (row) =>
    wanted?.[row] !== 0 &&
    asked?.[row] !== 0 &&
    unwanted.every((has) => has[row] === 0) &&
    (accepts?.(file, row) ?? true);
}
