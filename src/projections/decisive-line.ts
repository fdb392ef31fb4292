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
const PASSED = /\b\d+\s+(?:tests? )?(?:passed|passing)\b|^# pass \d+/i;
const RESULT =
  /\b\d+\s+(?:tests?|passed|passing|failed|failing|errors?|warnings?)\b|^# (?:pass|fail) \d+/i;

/** Where a tool left lines out, rules and brackets, and what an interpreter complains of beside the program's own words. */
const BESIDE =
  /^[^\p{L}\p{N}]*(?:\d+ lines? (?:truncated|omitted|skipped)\b.*)?$|\b\w*Warning: |[([{]$/u;

/**
 * The one line of a command's output that tells most: why it failed, or what the count was.
 * @param head how the output starts
 * @param tail how it ends, when it is longer than its head
 */
export function decisiveLine(head: string, tail: string, failed: boolean): string {
  const lines = [...head.split('\n'), ...tail.split('\n')]
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (failed) {
    const body = lines.filter((line) => !/^(?:Error: )?Exit code \d+$/.test(line));
    const own = body.filter((line) => !FRAME.test(line));
    for (const pattern of TELLING) {
      const line = own.find((one) => pattern.test(one));
      if (line !== undefined) return line;
    }
    return own.at(-1) ?? body.at(-1) ?? '';
  }
  const telling = [PASSED, RESULT].map((pattern) => lines.findLast((line) => pattern.test(line)));
  const said = lines.findLast((line) => !BESIDE.test(line));
  return telling.find((line) => line !== undefined) ?? said ?? lines.at(-1) ?? '';
}
