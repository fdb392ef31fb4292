import { looseSentencesOf } from './clauses.ts';
import type { Noteworthy } from './noteworthy.ts';
import { oneLine } from './safe-text.ts';

/** Tools that hand a task to a sub-agent and answer with its report. */
export const DELEGATES = /^(?:Task|Agent)$/;
/** `src/uplink.go:140` */
const PLACE = /[\w)\]]\.[A-Za-z][\w+]{0,9}:\d+/;
const REPORTED_MAX = 8;
const LINE_CHARS = 240;

/** The lines of a sub-agent's report that name places. */
export function reportedIn(report: string): Noteworthy[] {
  const lines = looseSentencesOf(report).map((one) =>
    oneLine(one.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '')),
  );
  return lines
    .filter((text) => text.length <= LINE_CHARS && PLACE.test(text))
    .slice(0, REPORTED_MAX)
    .map((text) => ({ kind: 'reported', text, weight: 75 }));
}
