/** How one tool's output says what matters: a line to find, and those around it without which it says little. */
interface Sign {
  /** The first line like this, with what is asked to be above it. All lines are trimmed, in the words of the tools' own versions of today. */
  line: RegExp;
  /** The nearest one above it, without which it is none: which test, which file. */
  under?: RegExp;
  /** The first ones below it like these, each once and in any order: what was expected, what came, where. */
  behind?: readonly RegExp[];
  /** Without one of those it is not told by this sign. */
  needsBehind?: true;
  /** Of the lines around, that are looked at; 6 by default. */
  within?: number;
  /** Where the next one begins. */
  until?: RegExp;
}

const ANY = /\S/;

/** Why something failed. The first sign that an output has decides: causes stand before what sums them up. */
export const FAILURE_SIGNS: readonly Sign[] = [
  // cargo test: any panic of Rust's
  {
    line: /^thread '.*' (?:\(\d+\) )?panicked at [^']+:\d+:\d+:$/,
    behind: [ANY, /^left: /, /^right: /],
    until: /^(?:----|thread ')/,
  },
  { line: /^error\[E\d+\]: /, behind: [/^--> \S+:\d+/] },
  // go test, with what testify prints in several lines
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
  // gradle: kotlinc and javac before what the build makes of them
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
  // ctest: what a test printed, then which they are
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
  // npm, also in an image's build
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
  // gcc, clang and what prints as they do
  { line: /^\S+:\d+:\d+: (?:fatal )?error: / },
];

/** What something that passed has measured or found, where its last line does not say it. */
export const SUCCESS_SIGNS: readonly Sign[] = [
  { line: /^Execution Time: / },
  // wrk; ab; hyperfine
  { line: /^Requests\/sec:|^Requests per second:|^Time \(mean ± σ\):/ },
  // cargo bench (criterion); go test -bench
  { line: /\btime:\s+\[/ },
  { line: /^Benchmark\S+\s+\d+\s.*\bns\/op\b/ },
];

const AROUND = 6;
/** So that no line takes a pattern long. */
const LINE_CHARS = 400;
const LINES_MAX = 3000;

/** An image's build prints its steps' own output once more between two rules, each line with its time. */
const STEP_RULE = /^-{6,}$/;
/** `│` of a box that is drawn around; `0.512` of a step's clock. */
const BESIDE_LINE = /^[│╷╵]\s*|^\d+\.\d{1,3}\s+(?=\S)/;

/** An output's lines, without blanks and what is drawn beside them. */
export function linesOf(text: string): string[] {
  const lines = text
    .split('\n', LINES_MAX)
    .map((line) => leftOf(line).slice(0, LINE_CHARS).trim().replace(BESIDE_LINE, ''));
  return lines.filter((line) => line !== '');
}

/** What a terminal has of a line in the end: a bar of progress writes over itself. */
function leftOf(line: string): string {
  if (!line.includes('\r')) return line;
  const text = line.trimEnd();
  return text.slice(text.lastIndexOf('\r') + 1);
}

/** The part of an image's build that the failing command printed; all lines where there is none. */
export function ofFailedStep(lines: readonly string[]): readonly string[] {
  const from = lines.findIndex(
    (line, n) => /^> \[.*\] ?/.test(line) && STEP_RULE.test(lines[n - 1] ?? ''),
  );
  if (from === -1) return lines;
  const length = lines.slice(from + 1).findIndex((line) => STEP_RULE.test(line));
  return length < 1 ? lines : lines.slice(from + 1, from + 1 + length);
}

/** What the first sign that the lines have tells, in one line; undefined when they have none. */
export function told(lines: readonly string[], signs: readonly Sign[]): string | undefined {
  for (const { line, under, behind = [], needsBehind, within = AROUND, until } of signs) {
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

/** For each pattern the first line that no other has. */
function firstOf(lines: readonly string[], patterns: readonly RegExp[]): string[] {
  const found = new Set<number>();
  for (const pattern of patterns) {
    const at = lines.findIndex((one, n) => !found.has(n) && pattern.test(one));
    if (at !== -1) found.add(at);
  }
  return [...found].sort((a, b) => a - b).map((n) => lines[n]!);
}

const ROWS = /^\((\d+) rows?\)$/;
const ROWS_TOLD = 3;
const RULE = /^[-+\s]+$/;

/** The rows that a query gave, where they are few, with their columns' names; undefined when they are many, or none. */
export function rowsTold(lines: readonly string[]): string | undefined {
  const end = lines.findLastIndex((line) => ROWS.test(line));
  const rows = Number(ROWS.exec(lines[end] ?? '')?.[1] ?? 0);
  if (rows === 0 || rows > ROWS_TOLD || end < rows) return undefined;
  const head = RULE.test(lines[end - rows - 1] ?? '') ? lines[end - rows - 2] : undefined;
  const found = lines.slice(end - rows, end).join('; ');
  return head === undefined || head === 'QUERY PLAN' ? found : `${head}: ${found}`;
}
