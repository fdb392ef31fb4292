import { looseSentencesOf } from './clauses.ts';
import type { Noteworthy } from './noteworthy.ts';
import { oneLine } from './safe-text.ts';
import { MEASURE, namesPath } from './sentence-signs.ts';

/** Tools that hand a task to another agent, whose report is their answer. */
export const DELEGATES = /^(?:Task|Agent)$/;
/** `src/uplink.go:140`: where exactly. */
const PLACE = /[\w)\]]\.[A-Za-z][\w+]{0,9}:\d+/;
const REPORTED_MAX = 8;
const LINE_CHARS = 240;

/** What a sub-agent's report says of a place or measures, line by line: what it was sent out for. */
export function reportedIn(report: string): Noteworthy[] {
  const lines = looseSentencesOf(report).map((one) =>
    oneLine(one.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '')),
  );
  const found = lines.flatMap((text): Noteworthy[] => {
    const weight = PLACE.test(text) ? 90 : namesPath(text) ? 70 : MEASURE.test(text) ? 60 : 0;
    return weight === 0 || text.length > LINE_CHARS ? [] : [{ kind: 'reported', text, weight }];
  });
  const best = new Set([...found].sort((a, b) => b.weight - a.weight).slice(0, REPORTED_MAX));
  return found.filter((one) => best.has(one));
}
