import type { RankedHit } from './hits.ts';
import type { IndexFile } from './index-read.ts';
import { filterOf, type Ranked, type RankQuery, worthIn } from './rank.ts';

/** Where only kinds are asked for: the newest documents, the last one first. */
export function newest(
  files: readonly IndexFile[],
  query: Required<Pick<RankQuery, 'standingOf'>> & RankQuery,
): Ranked {
  const hits: RankedHit[] = [];
  const facts = new Set<number>();
  const worthOf = worthIn(files, query.upto);
  let searched = 0;
  for (const file of files.toReversed()) {
    const end = file.rowsUpto(query.upto ?? Number.POSITIVE_INFINITY);
    const passes = filterOf(file, end, query);
    searched += end;
    for (let row = end - 1; row >= 0; row -= 1) {
      if (passes?.(row) === false) continue;
      const fact = file.factOf(row);
      facts.add(fact);
      if (hits.length >= query.limit) continue;
      const [seq, session] = [file.seqOf(row), file.sessionOf(row)];
      const factors = { ...worthOf(file, row), ...query.standingOf(file, row) };
      const parts = { words: 0, coverage: 0, named: 1, ...factors, support: 0 };
      hits.push({ file, row, seq, session, fact, place: row, score: 0, parts });
    }
  }
  return { hits, of: facts.size, searched, possible: 1 };
}
