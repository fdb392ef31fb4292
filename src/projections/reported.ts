import { looseSentencesOf } from './clauses.ts';
import type { Noteworthy } from './noteworthy.ts';
import { oneLine } from './safe-text.ts';

/** Tools that hand a task to another agent, whose report is their answer. */
export const DELEGATES = /^(?:Task|Agent)$/;
/** `src/uplink.go:140`: where exactly. */
const PLACE = /[\w)\]]\.[A-Za-z][\w+]{0,9}:\d+/;
const REPORTED_MAX = 8;
const LINE_CHARS = 240;

/** What a sub-agent's report says of places, line by line: what it was sent out for. */
export function reportedIn(report: string): Noteworthy[] {
  const lines = looseSentencesOf(report).map((one) =>
    oneLine(one.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '')),
  );
  return lines
    .filter((text) => text.length <= LINE_CHARS && PLACE.test(text))
    .slice(0, REPORTED_MAX)
    .map((text) => ({ kind: 'reported', text, weight: 75 }));
}
