import { looseSentencesOf } from './clauses.ts';
import type { Noteworthy } from './noteworthy.ts';
import { oneLine } from './safe-text.ts';
import { LABELLED, MEASURE, MEASURES } from './sentence-patterns.ts';
import { isStackFrame, withoutFrames } from './stack-frames.ts';

/** Tools that hand a task to a sub-agent and answer with its report. */
export const DELEGATES = /^(?:Task|Agent)$/;
const PLACE = /[\w)\]]\.[A-Za-z][\w+]{0,9}:\d+/;
const REPORTED_MAX = 8;
const LINE_CHARS = 240;

/** The lines of a sub-agent's report that name places. */
export function reportedIn(report: string): Noteworthy[] {
  const lines = looseSentencesOf(withoutFrames(report)).map((one) =>
    oneLine(one.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '')),
  );
  return lines
    .filter((text) => text.length <= LINE_CHARS && PLACE.test(text))
    .slice(0, REPORTED_MAX)
    .map((text) => ({ kind: 'reported', text, weight: 75 }));
}

const LINES_MAX = 400;
const FIGURES_PER_TEXT = 4;
/** `cold start of the api: 12` names what it counts; `max: 12` does not. */
const NAMED =
  /[A-Za-z]{2,}[ _-]+[A-Za-z]{2,}.*\d|\d.*[A-Za-z]{2,}[ _-]+[A-Za-z]{2,}[ _-]+[A-Za-z]{2,}/;

/** A runner's own timings differ each time; before a script npm and others print its name: `> app@1.0.0 test`. */
const RUNNER =
  /^#?\s*duration_ms\b|^> |^(?:build |compilation )?(?:finished|succeeded|successful|built|compiled|compiling|done)\b[^:=]{0,12}\d[^:=]{0,40}$/i;

/** Figures in a command's output: short lines that name what they count. */
export function figuresIn(text: string): Noteworthy[] {
  const lines = text.split('\n', LINES_MAX).map((line) => line.trim());
  const found = lines.filter(
    (line) =>
      line.length >= 6 &&
      line.length <= 160 &&
      /[A-Za-z]{2}/.test(line) &&
      (MEASURE.test(line) || LABELLED.test(line)) &&
      !RUNNER.test(line) &&
      !isStackFrame(line) &&
      !/^[\d\s:,.|│-]+\s|^[-dlrwx]{9,}|[{};]$|^(?:import|const|let|var|def|return|\/\/|#include)\b/.test(
        line,
      ),
  );
  return found.slice(-FIGURES_PER_TEXT).map((line) => ({
    kind: 'figure',
    text: line,
    weight: weightOf(line),
  }));
}

function weightOf(line: string): number {
  const sum =
    12 +
    (LABELLED.test(line) ? 10 : 0) +
    (MEASURE.test(line) ? 8 : 0) +
    (MEASURES.test(line) ? 20 : 0);
  return NAMED.test(line) ? sum : Math.round(sum / 2);
}
