/** How one tool prints what matters. Lines are trimmed; patterns are of the tools' current versions. */
interface OutputPattern {
  line: RegExp;
  /** Required above it, the nearest: which test, which file. */
  under?: RegExp;
  /** Wanted below it, each once, in any order: expected, actual, place. */
  behind?: readonly RegExp[];
  /** At least one of those is required. */
  needsBehind?: true;
  /** Lines searched around it; 6 by default. */
  within?: number;
  /** Start of the next message. */
  until?: RegExp;
}
const ANY = /\S/;

/** Why something failed. The first pattern found wins: causes stand before summaries. */
export const FAILURE_PATTERNS: readonly OutputPattern[] = [
  // cargo test: any Rust panic
  {
    line: /^thread '.*' (?:\(\d+\) )?panicked at [^']+:\d+:\d+:$/,
    behind: [ANY, /^left: /, /^right: /],
    until: /^(?:----|thread ')/,
  },
  { line: /^error\[E\d+\]: /, behind: [/^--> \S+:\d+/] },
  // go test, and testify's several lines
  {
    line: /^\S+\.go:\d+: *$/,
    under: /^--- FAIL: /,
    behind: [/^Error:\s/, /^expected\s*:/, /^actual\s*:/],
    within: 14,
    until: /^--- /,
  },
  { line: /^\S+\.go:\d+: \S/, under: /^--- FAIL: /, within: 14 },
  { line: /^panic: /, behind: [/^(?!\/usr\/|.*\/src\/runtime\/)\S+\.go:\d+/], within: 14 },
  // jest; vitest
  {
    line: /^● (?!Console\b)\S.*/,
    behind: [
      /^\w*Error: |^expect\(/,
      /^Expected\b.*: /,
      /^Received\b.*: /,
      /^at .*\.[cm]?[jt]sx?:\d+:\d+\)?$/,
    ],
    needsBehind: true,
    within: 40,
    until: /^● /,
  },
  {
    line: /^(?:\w*Error|Error): /,
    under: /^FAIL\s+\S+\.[cm]?[jt]sx?(?:\s|$)/,
    behind: [/^❯ \S+:\d+:\d+$/],
    within: 14,
  },
  // playwright
  {
    line: /^\w*Error: /,
    under: /^\d+\) .*\.[cm]?[jt]sx?:\d+:\d+ › /,
    behind: [/^Expected\b.*: /, /^Received\b.*: /],
    until: /^\d+\) /,
  },
  // pytest: the assertion and its place, else its short summary
  { line: /^E {3,}\S/, behind: [/^\S+\.py:\d+: \w/], within: 14, until: /^_{3,} / },
  { line: /^(?:FAILED|ERROR) \S+\.py\S* - \S/ },
  // gradle: kotlinc and javac before the build's summary
  { line: /^e: (?:file:\/\/)?\S+:\d+:\d+:? / },
  { line: /^(?:\[ERROR\] )?\S+\.java:(?:\d+: error: |\[\d+,\d+\] )/, behind: [/^symbol:/] },
  {
    line: /^\S+ > .+ FAILED$/,
    behind: [/^[\w.$]+(?:Error|Exception)\b/],
    needsBehind: true,
    within: 2,
  },
  { line: /^\* What went wrong:$/, behind: [ANY, /^> /], needsBehind: true },
  // mvn, surefire
  { line: /^\[ERROR\]\s+[\w$.]+(?:\.\w+|->[\w$.]+)?:\d+(?:->\S+)* \S/ },
  { line: /^\[ERROR\] Failures:$/, behind: [ANY], needsBehind: true },
  // dotnet
  {
    line: /^Error Message:$/,
    under: /^(?:X |Failed )\S/,
    behind: [ANY, /^Expected:/, /^Actual:/],
    needsBehind: true,
    until: /^Stack Trace:/,
  },
  { line: /^\S+\.\w+\(\d+,\d+\): error \w+: / },
  // ctest: a test's own output, then the list
  {
    line: /^\d+\/\d+ Test +#\d+: .*\*\*\*/,
    behind: [/^(?!\d+\/\d+ Test|Start +\d+:|\d+% tests|The following)\S/],
    needsBehind: true,
    within: 1,
  },
  {
    line: /^The following tests FAILED:$/,
    behind: [/^\d+ - /, /^\d+ - .*/, /^\d+ - .*/],
    needsBehind: true,
  },
  // rspec, phpunit, mix
  {
    line: /^Failure\/Error: /,
    under: /^\d+\) /,
    behind: [/^\w*Error:?$/, /^expected\b/, /^got\b/, /^# \.\/\S+:\d+/],
    within: 12,
    until: /^\d+\) /,
  },
  { line: /^Failed asserting that /, under: /^\d+\) /, behind: [/^\/?\S+\.php:\d+$/] },
  {
    line: /^(?:Assertion with \S+ failed|\*\* \(\w)/,
    under: /^\d+\) test /,
    behind: [/^code: /, /^left: /, /^right: /],
  },
  // npm, also in an image build
  {
    line: /^npm (?:ERR!|error) code (?!ELIFECYCLE)[A-Z]/,
    behind: [/^npm (?:ERR!|error) (?!code|errno|syscall|path|A complete log)\S/],
  },
  // terraform
  {
    line: /^Error: /,
    behind: [/^on \S+ line \d+/, /^\d+: /, /^[A-Z][^:]+[.?]$/],
    needsBehind: true,
    within: 12,
    until: /^Error: /,
  },
  // git push
  { line: /^remote: (?:error|fatal): /i, behind: [/^remote: (?:error|fatal): /i] },
  { line: /^! \[(?:remote )?rejected\]/ },
  // eslint: the file stands above
  {
    line: /^\d+:\d+\s+error\s/,
    under: /^(?:\/|\w:\\|\.{1,2}\/)\S|^\S+\.[cm]?[jt]sx?$/,
    within: 40,
  },
  // ruff, flake8
  { line: /^\S+\.\w+:\d+:\d+: [A-Z]+\d+ / },
  { line: /^[A-Z]+\d+ \S/, behind: [/^--> \S+:\d+:\d+/], needsBehind: true, within: 1 },
  // gcc, clang and similar
  { line: /^\S+:\d+:\d+: (?:fatal )?error: / },
];

/** Results of successful runs that do not stand in the last line. */
export const SUCCESS_PATTERNS: readonly OutputPattern[] = [
  { line: /^Execution Time: / },
  // wrk; ab; hyperfine
  { line: /^Requests\/sec:|^Requests per second:|^Time \(mean ± σ\):/ },
  // cargo bench (criterion); go test -bench
  { line: /\btime:\s+\[/ },
  { line: /^Benchmark\S+\s+\d+\s.*\bns\/op\b/ },
];

const AROUND = 6;
/** An image build repeats a step's output between two rules, each line with its time. */
const STEP_RULE = /^-{6,}$/;
/** The failing step's output in an image build; else all lines. */
export function ofFailedStep(lines: readonly string[]): readonly string[] {
  const from = lines.findIndex(
    (line, n) => /^> \[.*\] ?/.test(line) && STEP_RULE.test(lines[n - 1] ?? ''),
  );
  if (from === -1) return lines;
  const length = lines.slice(from + 1).findIndex((line) => STEP_RULE.test(line));
  return length < 1 ? lines : lines.slice(from + 1, from + 1 + length);
}

/** The first pattern's match with the lines that belong to it, in one line. */
export function firstMatch(
  lines: readonly string[],
  patterns: readonly OutputPattern[],
): string | undefined {
  for (const { line, under, behind = [], needsBehind, within = AROUND, until } of patterns) {
    const above = (at: number) =>
      under && lines.slice(Math.max(0, at - within), at).findLast((one) => under.test(one));
    const at = lines.findIndex(
      (one, n) => line.test(one) && (under === undefined || above(n) !== undefined),
    );
    if (at === -1) continue;
    const after = lines.slice(at + 1, at + 1 + within);
    const end = until === undefined ? -1 : after.findIndex((one) => until.test(one));
    const parts = firstOf(end === -1 ? after : after.slice(0, end), behind);
    if (needsBehind && parts.length === 0) continue;
    return [above(at), lines[at]!, ...parts]
      .filter((one) => one !== undefined)
      .join(' ')
      .replace(/(?:\s|─{3,})+/g, ' ');
  }
  return undefined;
}

/** Each pattern's first line, no line twice; in order. */
function firstOf(lines: readonly string[], patterns: readonly RegExp[]): string[] {
  const found = new Set<number>();
  for (const pattern of patterns) {
    const at = lines.findIndex((one, n) => !found.has(n) && pattern.test(one));
    if (at !== -1) found.add(at);
  }
  return [...found].sort((a, b) => a - b).map((n) => lines[n]!);
}

const ROWS = /^\((\d+) rows?\)$/;
const ROWS_MAX = 3;
const RULE = /^[-+\s]+$/;

/** The rows of a small query result, with their column names. */
export function queryRows(lines: readonly string[]): string | undefined {
  const end = lines.findLastIndex((line) => ROWS.test(line));
  const rows = Number(ROWS.exec(lines[end] ?? '')?.[1] ?? 0);
  if (rows === 0 || rows > ROWS_MAX || end < rows) return undefined;
  const head = RULE.test(lines[end - rows - 1] ?? '') ? lines[end - rows - 2] : undefined;
  const found = lines.slice(end - rows, end).join('; ');
  return head === undefined || head === 'QUERY PLAN' ? found : `${head}: ${found}`;
}
