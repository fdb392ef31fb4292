import { distance } from '../platform/config/nearest.ts';
import type { Project } from '../project/open.ts';
import { oneLine } from '../projections/safe-text.ts';
import { wordsOf } from './analyze.ts';
import { documentAt } from './documents.ts';
import type { IndexFile } from './index-read.ts';
import { indexOf } from './keep-up.ts';
import { BLOCK } from './layout.ts';
import type { ParsedQuery } from './query.ts';

/** Misspelt words that are looked for, and words that are offered for each. */
const WORDS_MAX = 5;
const NEAR_MAX = 3;
/** Terms that begin like a misspelt one; of more only these are compared. */
const COMPARED_MAX = 50_000;

/** What else to try when nothing was found: for words that are nowhere some that are like them, the most frequent first. */
export function nearWords(
  project: Project,
  { words }: ParsedQuery,
  upto = Number.POSITIVE_INFINITY,
): string[] {
  const files = indexOf(project).files();
  const countOf = (term: string) =>
    files.reduce(
      (sum, file) => sum + (file.postings(term)?.countBelow(file.rowsUpto(upto)) ?? 0),
      0,
    );
  const unknown = [...words.values()].filter((terms) => terms.every((term) => countOf(term) === 0));
  const found = unknown.slice(0, WORDS_MAX).flatMap(([term = '']) =>
    likeIt(files, term)
      .map((like) => ({ like, changes: distance(term, like), count: countOf(like) }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => a.changes - b.changes || b.count - a.count)
      .slice(0, NEAR_MAX)
      .map(({ like }) => like),
  );
  return [...new Set(found)].flatMap((term) => writtenOut(project, files, term) ?? []);
}

function likeIt(files: readonly IndexFile[], term: string): string[] {
  // Nearly every short word is like another one.
  const most = term.length < 5 ? 0 : Math.floor(term.length / 4);
  const found = new Set<string>();
  let compared = 0;
  for (const file of files) {
    for (const { term: other } of file.termsLike(term.slice(0, 1))) {
      if (compared > COMPARED_MAX) break;
      if (Math.abs(other.length - term.length) > most) continue;
      compared += 1;
      if (distance(term, other) <= most || areSwapped(term, other)) found.add(other);
    }
  }
  return [...found];
}

const areSwapped = (a: string, b: string): boolean =>
  a.length === b.length && [...a].sort().join('') === [...b].sort().join('');

/** The index has only stems: a word as it stands in one of its documents. */
function writtenOut(
  project: Project,
  files: readonly IndexFile[],
  term: string,
): string | undefined {
  for (const file of files) {
    const rows = new Uint32Array(BLOCK);
    const list = file.postings(term);
    if (list === undefined || list.read(0, rows, new Uint8Array(BLOCK)) === 0) continue;
    const found = documentAt(project, file.seqOf(rows[0]!), file.factOf(rows[0]!));
    const texts = Object.values(found?.document.texts ?? {});
    for (const text of texts)
      for (const { start, end, terms } of wordsOf(text))
        if (terms.includes(term)) return oneLine(text.slice(start, end));
  }
  return undefined;
}
