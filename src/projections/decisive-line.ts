import {
  FAILURE_SIGNS,
  linesOf,
  ofFailedStep,
  rowsTold,
  SUCCESS_SIGNS,
  told,
} from './output-signs.ts';

/** Lines that say why something failed, in the words of the usual test runners, compilers and shells. */
const TELLING = [
  /^\s*not ok\b/,
  /\b(?:Assertion|Type|Reference|Syntax|Range|Value|Key|Import|ModuleNotFound|Name)Error\b/,
  /^\s*(?:error|fatal|panic)(?:\[\w+\])?:/i,
  /\b(?:error TS\d+|FAILED|FAIL)\b/,
  /\b\w*(?:error|exception)s?\b/i,
  /\bpanic(?:ked)?\b/i,
  /\b(?:failed|cannot|can't|no such file|not found|denied|refused|timed? ?out|unexpected|does not exist|undefined|unable|invalid|missing|exceed\w*|conflict\w*|unknown|unsupported|violat\w*|mismatch\w*|aborted|killed|rejected)\b/i,
];
/** Of a stack, or of a runner that says what it runs. */
const FRAME =
  /^(?:at\s|> |\.\.\.|\^|~|#\d+\s|npm (?:ERR|error) (?:A complete log|path|command|code)\b|File "|\d+ \|)/;
/** How runners and compilers say how it went. */
const PASSED_SOME = /\b[1-9]\d*\s+(?:tests? )?(?:passed|passing)\b|^# pass [1-9]/i;
const PASSED = /\b\d+\s+(?:tests? )?(?:passed|passing)\b|^# pass \d+/i;
const RESULT =
  /\b\d+\s+(?:tests?|passed|passing|failed|failing|errors?|warnings?)\b|^# (?:pass|fail) \d+/i;

/** Where a tool left lines out, rules and brackets, and what an interpreter complains of beside the program's own words. */
const BESIDE =
  /^[^\p{L}\p{N}]*(?:\d+ lines? (?:truncated|omitted|skipped)\b.*)?$|\b\w*Warning: |[([{]$/u;

/** What sums up, where the cause stands elsewhere. */
const SUMS_UP =
  /^error: (?:test failed, to rerun|could not compile|aborting due to|failed to push some refs)|^(?:FAILED|FAIL|BUILD FAILED.*|make(?:\[\d+\])?: \*\*\* .*)$|^ERROR: failed to solve: process/;

/**
 * The one line of a command's output that tells most: why it failed, or what the count was. The usual tools say it in
 * ways of their own (`output-signs.ts`); for all others words decide. Takes time in proportion to the output.
 * @param head how the output starts
 * @param tail how it ends, when it is longer than its head
 */
export function decisiveLine(head: string, tail: string, failed: boolean): string {
  const lines = [...linesOf(head), ...linesOf(tail)];
  return failed ? failureIn(lines) : resultIn(lines);
}

/** The end of a longer output: from the first whole line on, or where there is no other one from a whole word. */
export function wholeFrom(cut: string): string {
  const line = /[\r\n]/.exec(cut) ?? /\s/.exec(cut);
  return line === null ? cut : cut.slice(line.index + 1);
}

function failureIn(lines: readonly string[]): string {
  const body = ofFailedStep(lines.filter((line) => !/^(?:Error: )?Exit code \d+$/.test(line)));
  const cause = told(body, FAILURE_SIGNS);
  if (cause !== undefined) return cause;
  const own = body.filter((line) => !FRAME.test(line));
  const causes = own.filter((line) => !SUMS_UP.test(line));
  for (const pattern of TELLING) {
    const at = causes.findIndex((one) => pattern.test(one));
    if (at !== -1) return withMessage(causes, at);
  }
  return own.at(-1) ?? body.at(-1) ?? '';
}

/** A name of an error by itself has its message below: `NoMethodError:`. */
const withMessage = (lines: readonly string[], at: number): string =>
  lines[at]!.endsWith(':') && lines[at + 1] !== undefined
    ? `${lines[at]} ${lines[at + 1]}`
    : lines[at]!;

function resultIn(lines: readonly string[]): string {
  const found = told(lines, SUCCESS_SIGNS) ?? rowsTold(lines);
  if (found !== undefined) return found;
  // What has no tests of its own, as a package's documentation, is checked last.
  const telling = [PASSED_SOME, PASSED, RESULT].map((pattern) =>
    lines.findLast((line) => pattern.test(line)),
  );
  const said = lines.findLast((line) => !BESIDE.test(line));
  return telling.find((line) => line !== undefined) ?? said ?? lines.at(-1) ?? '';
}
