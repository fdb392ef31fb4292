import {
  FAILURE_PATTERNS,
  firstMatch,
  ofFailedStep,
  queryRows,
  SUCCESS_PATTERNS,
} from './output-patterns.ts';

/** Lines that say why something failed, best pattern first. */
const TELLING = [
  /^\s*not ok\b/,
  // An exception's own line, before the line of source that threw it.
  /^(?:Uncaught )?(?:\w+\.)*\w+(?:Error|Exception)(?: \[\w+\])?: \S/,
  /\b(?:Assertion|Type|Reference|Syntax|Range|Value|Key|Import|ModuleNotFound|Name)Error\b/,
  /^\s*(?:error|fatal|panic)(?:\[\w+\])?:/i,
  /\b(?:error TS\d+|FAILED|FAIL)\b/,
  /\b\w*(?:error|exception)s?\b/i,
  /\bpanic(?:ked)?\b/i,
  /\b(?:failed|cannot|can't|no such file|not found|denied|refused|timed? ?out|unexpected|does not exist|undefined|unable|invalid|missing|exceed\w*|conflict\w*|unknown|unsupported|violat\w*|mismatch\w*|aborted|killed|rejected)\b/i,
];
/** Stack frames, and runners that say what they run. */
const FRAME =
  /^(?:at\s|> |\.\.\.|\^|~|#\d+\s|npm (?:ERR|error) (?:A complete log|path|command|code)\b|File "|\d+ \|)/;
const PASSED_SOME = /\b[1-9]\d*\s+(?:tests? )?(?:passed|passing)\b|^# pass [1-9]/i;
const PASSED = /\b\d+\s+(?:tests? )?(?:passed|passing)\b|^# pass \d+/i;
const RESULT =
  /\b\d+\s+(?:tests?|passed|passing|failed|failing|errors?|warnings?)\b|^# (?:pass|fail) \d+/i;

/** Omission marks, rules, brackets, interpreter warnings. */
const BESIDE =
  /^[^\p{L}\p{N}]*(?:\d+ lines? (?:truncated|omitted|skipped)\b.*)?$|\b\w*Warning: |[([{]$/u;

/** Sums up a failure whose cause stands elsewhere. */
const SUMS_UP =
  /^error: (?:test failed, to rerun|could not compile|aborting due to|failed to push some refs)|^(?:FAILED|FAIL|BUILD FAILED.*|make(?:\[\d+\])?: \*\*\* .*)$|^ERROR: failed to solve: process/;

/** Why it failed, `otherwise` where nothing tells. Known tools have patterns of their own (`output-patterns.ts`). */
export function failureIn(lines: readonly string[], otherwise?: string): string {
  const body = ofFailedStep(lines);
  const cause = firstMatch(body, FAILURE_PATTERNS);
  if (cause !== undefined) return cause;
  const own = body.filter((line) => !FRAME.test(line));
  const causes = own.filter((line) => !SUMS_UP.test(line));
  for (const pattern of TELLING) {
    const at = causes.findIndex((one) => pattern.test(one));
    if (at !== -1) return withMessage(causes, at);
  }
  return otherwise ?? own.at(-1) ?? body.at(-1) ?? '';
}

/** `NoMethodError:` alone has its message on the next line. */
const withMessage = (lines: readonly string[], at: number): string =>
  lines[at]!.endsWith(':') && lines[at + 1] !== undefined
    ? `${lines[at]} ${lines[at + 1]}`
    : lines[at]!;

/** What it measured or found; undefined where it says no such thing. */
export const measuredIn = (lines: readonly string[]): string | undefined =>
  firstMatch(lines, SUCCESS_PATTERNS) ?? queryRows(lines);

/** What came of it. */
export function resultIn(lines: readonly string[]): string {
  const found = measuredIn(lines);
  if (found !== undefined) return found;
  // Parts without tests, such as a package's documentation, are checked last.
  const telling = [PASSED_SOME, PASSED, RESULT].map((pattern) =>
    lines.findLast((line) => pattern.test(line)),
  );
  // What a runner is about to run is no result.
  const own = lines.filter((line) => !line.startsWith('> '));
  const said = own.findLast((line) => !BESIDE.test(line));
  return telling.find((line) => line !== undefined) ?? said ?? own.at(-1) ?? '';
}
