import { ERASED } from '../projections/safe-text.ts';
import { HEADING, TAG } from './claims.ts';

/** Where a document differs from what was written; nowhere, if either is not known. */
export function editsOf(written: string | undefined, now: string | undefined) {
  /** Of the text as it is now, from 1. */
  const lines: number[] = [];
  /** Claims on lines that say something else now. */
  const claims = new Set<number>();
  if (written === undefined || now === undefined) return { lines, claims };
  const before = written.split('\n');
  const after = erasedLike(before, now.split('\n'));
  const left = new Map<string, number>();
  for (const line of before) left.set(line, (left.get(line) ?? 0) + 1);
  for (const [at, line] of after.entries()) {
    const count = left.get(line) ?? 0;
    if (count > 0) left.set(line, count - 1);
    else {
      lines.push(at + 1);
      // Another end of a line, as editors and git write it, is an edit; but the claim says the same.
      const words = line.replace(/\r$/, '');
      const n = markOn(words)?.[1];
      if (n !== undefined && !left.has(words)) claims.add(Number(n));
    }
  }
  if (lines.length > 0 || before.join('\n') === after.join('\n')) return { lines, claims };
  // Lines were taken out, or moved.
  const first = after.findIndex((line, at) => line !== before[at]);
  return { lines: [(first === -1 ? after.length : first) + 1], claims };
}

/** What an erasure cut in the journal's text may still stand in the document: that is no edit. */
function erasedLike(before: readonly string[], after: readonly string[]): string[] {
  const isCut = (line: string) => line.includes(ERASED) || line === HEADING;
  const cut = new Map(before.filter(isCut).map((line) => [placeIn(line), line]));
  return after.map((line) => cut.get(placeIn(line)) ?? line);
}

/** What names a line, whatever its words are. */
const placeIn = (line: string): string => (markOn(line) ?? /^# /.exec(line))?.[0] ?? line;

/** Of a claim, behind its line or before its row. */
const markOn = (line: string) => TAG.exec(line) ?? /^\| C(\d+) \|/.exec(line);
