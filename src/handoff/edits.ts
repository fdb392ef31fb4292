import { ERASED } from '../projections/safe-text.ts';
import { HEADING, TAG } from './claims.ts';

export interface Edits {
  /** Of the text as it is now, from 1. */
  lines: number[];
  /** Claims on lines that say something else now. */
  claims: Set<number>;
}

/** Where a document differs from what was written. */
export function editsOf(written: string, now: string): Edits {
  const before = written.split('\n');
  const after = erasedLike(before, now.split('\n'));
  if (before.join('\n') === after.join('\n')) return { lines: [], claims: new Set() };
  const known = new Set(before);
  const left = new Map<string, number>();
  for (const line of before) left.set(line, (left.get(line) ?? 0) + 1);
  const lines: number[] = [];
  const claims = new Set<number>();
  for (const [at, line] of after.entries()) {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    if (count > 0) continue;
    lines.push(at + 1);
    // Another end of a line, as editors and git write it, is an edit; but the claim says the same.
    const words = line.replace(/\r$/, '');
    const n = claimOn(words);
    if (n !== undefined && !known.has(words)) claims.add(n);
  }
  if (lines.length > 0) return { lines, claims };
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
const placeIn = (line: string): string =>
  (TAG.exec(line) ?? ROW.exec(line) ?? /^# /.exec(line))?.[0] ?? line;

const ROW = /^\| C(\d+) \|/;

function claimOn(line: string): number | undefined {
  const n = TAG.exec(line)?.[1] ?? ROW.exec(line)?.[1];
  return n === undefined ? undefined : Number(n);
}
