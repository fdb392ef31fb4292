import { type Asked, askedOf, CODE_MARK } from './command.ts';
import { failureIn, measuredIn, resultIn } from './decisive-line.ts';
import { linesOf } from './lines.ts';
import { CLOSED, type Sign, signOf } from './signs.ts';
import { isShortOf } from './tally.ts';

export type Verdict = 'passed' | 'failed' | 'partial' | 'nothing ran' | 'unknown';

export interface Outcome {
  verdict: Verdict;
  /** The line that the verdict rests on; of a plain program its most telling one. */
  line: string;
  /** Of a failure why, else the result. */
  cause: string;
  by: 'output' | 'exit code' | 'neither';
  /** The exit code says otherwise. */
  disagrees: boolean;
  /** Something in it failed, if not all. */
  hasFailed: boolean;
}

export interface Ended {
  /** Null for a tool that runs no shell command. */
  command: string | Asked | null;
  output: string;
  exitCode: number | null;
  /** The client calls it a failure. */
  isError?: boolean;
  /** It was stopped, or goes on in the background. */
  isUnfinished?: boolean;
}

/** Codes of programs that a signal or a time limit ended. */
const STOPPED_CODES: ReadonlySet<number | null> = new Set([124, 130, 137, 143]);
const UNFINISHED =
  /^(?:Error: )?Command timed out\b|^\[Request interrupted|^Command running in background with ID/;
/** Of what runs no shell command. */
const PLAIN = askedOf('');

/** How a shell command ended: what its output says, else what its exit code says of what ran. */
export function judge(ended: Ended): Outcome {
  const { command, output, exitCode } = ended;
  const asked = typeof command === 'string' ? askedOf(command) : (command ?? PLAIN);
  const { lines, printed } = apart(linesOf(output), asked);
  const isStopped =
    ended.isUnfinished === true ||
    STOPPED_CODES.has(exitCode) ||
    lines.some((line) => UNFINISHED.test(line));
  const told = byCode(ended, asked, { lines, printed: printed?.code ?? null, isStopped });
  const said = asked.runs === 0 ? undefined : byOutput(lines, asked, { isStopped, told });
  if (said === undefined || (said.verdict === 'nothing ran' && measuredIn(lines) !== undefined)) {
    const verdict = told ?? 'unknown';
    const line =
      verdict === 'failed'
        ? failureIn(
            lines,
            lines.find((one, at) => signOf(one, at)?.says === 'failed') ?? printed?.line,
          )
        : (printed?.line ?? resultIn(lines));
    const by = told === undefined ? 'neither' : 'exit code';
    return { verdict, line, cause: line, by, disagrees: false, hasFailed: verdict === 'failed' };
  }
  const { verdict, line } = said;
  const isDoubtful = verdict === 'passed' && told === undefined && asked.isStrict;
  if (isDoubtful && lines.some((one) => WARNS.test(one)))
    return {
      verdict: 'unknown',
      line,
      cause: line,
      by: 'neither',
      disagrees: false,
      hasFailed: false,
    };
  // What came behind a run that passed has failed.
  if (verdict === 'passed' && told === 'failed') {
    const cause = failureIn(lines, line);
    const bad = asked.runs > 1 ? 'partial' : 'failed';
    return { verdict: bad, line: cause, cause, by: 'exit code', disagrees: true, hasFailed: true };
  }
  const disagrees = exitCode !== null && (exitCode === 0) !== (verdict === 'passed');
  const cause = isBad(verdict)
    ? failureIn(lines, line)
    : (measuredIn(lines) ?? said.result ?? line);
  const hasFailed = verdict === 'failed' || said.hasFailed === true;
  return { verdict, line, cause, by: 'output', disagrees, hasFailed };
}

const WARNS = /\bwarning\b|\b[1-9]\d* warnings\b/i;

const isBad = (verdict: Verdict): boolean => verdict === 'failed' || verdict === 'partial';

/** Apart from what the program said: what the command printed itself, and the exit code in it. */
function apart(
  all: readonly string[],
  { prints }: Asked,
): { lines: string[]; printed: { line: string; code: number } | undefined } {
  let printed: { line: string; code: number } | undefined;
  const lines = all.filter((line, at) => {
    for (const { text, code: said, isOfPipe } of prints) {
      const [before = '', after] = text.split(CODE_MARK, 2);
      if (after === undefined && line === text) {
        if (said !== null && at === all.length - 1) printed = { line, code: said };
        return false;
      }
      const code = line.slice(before.length, line.length - (after ?? '').length);
      if (after === undefined || !/^\d{1,3}$/.test(code)) continue;
      if (!line.startsWith(before) || !line.endsWith(after)) continue;
      if (isOfPipe !== true) printed = { line, code: Number(code) };
      return false;
    }
    return true;
  });
  return { lines, printed };
}

/** What a program of the shell says of a file, whatever ran behind it. */
const MISSES =
  /^(?:cat|ls|head|tail|sed|awk|grep|cp|mv|rm|cd|\S*sh): .*(?:No such file|Permission denied)|^(?:Cannot|Could not|Failed to) connect\b/;

/** What the exit code says; undefined where it is another program's. */
function byCode(
  { exitCode, isError, isUnfinished }: Ended,
  { runs, zeroTells, otherTells }: Asked,
  {
    lines,
    printed,
    isStopped,
  }: { lines: readonly string[]; printed: number | null; isStopped: boolean },
): 'passed' | 'failed' | undefined {
  if (isStopped && runs > 0) return undefined;
  if (printed !== null && printed !== 0) return 'failed';
  if (exitCode === null)
    return isError === true ? 'failed' : isUnfinished === true || runs > 0 ? undefined : 'passed';
  if (exitCode === 0 && runs === 0 && lines.some((line) => MISSES.test(line))) return 'failed';
  if (exitCode === 0) return zeroTells || printed === 0 ? 'passed' : undefined;
  return otherTells || runs === 0 ? 'failed' : undefined;
}

interface Said {
  verdict: Verdict;
  line: string;
  /** What passed, where the line says that nothing failed. */
  result?: string;
  /** Of a partial one. */
  hasFailed?: boolean;
}

interface Around {
  isStopped: boolean;
  told: 'passed' | 'failed' | undefined;
}

function byOutput(lines: readonly string[], asked: Asked, around: Around): Said | undefined {
  const signs = lines.flatMap((line, at) => signOf(line, at) ?? []);
  const own = signs.filter(({ of }) => of === 'run');
  // A run that was stopped has no verdict but in counts.
  const isVerdict = ({ says, tally }: Sign) =>
    !around.isStopped || tally !== undefined || says === 'failed';
  if (!own.some(isVerdict)) return byParts(signs, lines, asked, around);
  const blocks = blocksOf(own, asked.runs > 1);
  const last = blocks.at(-1)!;
  const forms = new Set(last.map(({ tally }) => tally?.form));
  const isSame = (block: readonly Sign[]) =>
    block.some(({ tally }) => tally !== undefined && forms.has(tally.form));
  const failed = blocks.filter((block) => block.some(isFailure));
  const passed = blocks.filter((block) => !block.some(isFailure) && block.some(isPass));
  const isMixed =
    asked.runs > 1 && signs.some(isFailure) && (passed.length > 0 || own.some(isWhollyPassed));
  const bailed = own.find(({ says, line }) => says === 'nothing' && line.startsWith('Bail out!'));
  if (bailed !== undefined && !own.some(isPass))
    return { verdict: 'nothing ran', line: bailed.line };
  if (isMixed) return { verdict: 'partial', line: failureLine(signs), hasFailed: true };
  if (failed.length > 0) {
    const isOver = passed.includes(last) && !failed.some(isSame) && around.told !== 'failed';
    if (!isOver) return { verdict: 'failed', line: failureLine(signs) };
  }
  const parts = signs.filter(({ of, says }) => of === 'part' && says === 'failed');
  const all = passed.flat().filter(isPass);
  const isClean = own.some(({ says }) => says === 'clean');
  // What failed may have been cut away.
  const isEmpty =
    isClean || (asked.view !== 'picked' && around.told !== 'failed' && !around.isStopped);
  const nothings = own.filter(({ says }) => says === 'nothing' || (isEmpty && says === 'none'));
  const nothing = nothings.find(({ tally }) => tally !== undefined) ?? nothings[0];
  // A word of success is also said of nothing.
  const passes = all.filter(({ tally }) => nothing === undefined || tally !== undefined);
  if (passes.length === 0 && nothing !== undefined)
    return { verdict: 'nothing ran', line: nothing.line };
  if (passes.length === 0) {
    const clean = own.findLast(({ says }) => says === 'clean');
    if (parts.length > 0) return { verdict: 'failed', line: parts.at(-1)!.line };
    return clean === undefined
      ? byParts(signs, lines, asked, around)
      : { verdict: around.isStopped ? 'partial' : 'passed', line: clean.line };
  }
  const pass = passes.findLast(({ tally }) => tally !== undefined) ?? passes.at(-1)!;
  // Its words or its count do not say that nothing failed.
  if (parts.length > 0 && around.told !== 'passed' && pass.tally?.failed !== 0 && !isClean)
    return { verdict: 'failed', line: parts.at(-1)!.line };
  return whole(pass, own, lines, asked, around);
}

const isFailure = ({ says }: Sign): boolean => says === 'failed';
/** Its own words say that none failed. */
const isWhollyPassed = ({ says, tally, line }: Sign): boolean =>
  tally?.failed === 0 && (says === 'passed' || (says === 'clean' && /\b0 .*\b0 /.test(line)));
const isPass = ({ says }: Sign): boolean => says === 'passed';
/** What only passes on that something failed. */
const PASSES_ON =
  /\*\*\*|ELIFECYCLE|\bexit(?:ed)?\b|^npm (?:ERR!|error)|^error Command failed|^\W{3,}\w+\W{3,}$/;

/** The line that tells a failure best: its counts, else the runner's words, else a message. */
function failureLine(signs: readonly Sign[]): string {
  const failed = signs.filter(isFailure);
  const own = failed.filter(({ line }) => !PASSES_ON.test(line));
  const best =
    failed.findLast(({ tally }) => tally !== undefined) ??
    own.find(({ of }) => of === 'run') ??
    own[0] ??
    failed[0];
  return best!.line;
}

/** A count of what passed without one of what failed says nothing where the other may have been cut away. */
function whole(
  pass: Sign,
  own: readonly Sign[],
  lines: readonly string[],
  { view }: Asked,
  { told, isStopped }: Around,
): Said {
  const { line, at, tally } = pass;
  if (isStopped || tally?.isShort === true || isShortOf(lines, at))
    return { verdict: 'partial', line };
  const cleans = own.filter(({ says }) => says === 'clean');
  const clean = cleans.find((one) => one.at > at) ?? cleans[0];
  const isAlone = tally !== undefined && tally.failed === null && tally.total === null;
  if (isAlone && clean !== undefined) return { verdict: 'passed', line: clean.line, result: line };
  if (!isAlone || CLOSED.test(line) || told === 'passed') return { verdict: 'passed', line };
  if (view === 'start' && at === lines.length - 1) return { verdict: 'partial', line };
  const isCut = view === 'picked' || (view === 'end' && at === 0);
  return { verdict: isCut ? 'unknown' : 'passed', line };
}

/** Without a verdict of the runner's. */
function byParts(
  signs: readonly Sign[],
  lines: readonly string[],
  { view }: Asked,
  { told, isStopped }: Around,
): Said | undefined {
  const parts = signs.filter(({ of }) => of === 'part');
  const failed = parts.findLast(isFailure);
  if (failed !== undefined) return { verdict: 'failed', line: failed.line };
  const passed = parts.findLast(isPass);
  const plan = lines.find((line) => /^1\.\.[1-9]\d*$/.test(line));
  if (plan !== undefined && !isStopped && parts.length === Number(plan.slice(3)))
    return { verdict: 'passed', line: passed!.line };
  if (passed !== undefined && (isStopped || view === 'start'))
    return { verdict: 'partial', line: passed.line };
  if (told !== undefined) return undefined;
  return signs.some(isFailure) ? { verdict: 'failed', line: failureIn(lines) } : undefined;
}

/** Lines apart that one summary has at most. */
const APART_MAX = 6;

/** Signs that stand together are one summary; a form that comes again begins the next. */
function blocksOf(signs: readonly Sign[], areMany: boolean): Sign[][] {
  const blocks: Sign[][] = [];
  for (const sign of signs) {
    const before = blocks.at(-1);
    const isNext =
      sign.tally !== undefined && before?.some(({ tally }) => tally?.form === sign.tally!.form);
    const turns = areMany && before !== undefined && isTurn(before, sign);
    if (before !== undefined && !isNext && !turns && sign.at - before.at(-1)!.at <= APART_MAX)
      before.push(sign);
    else blocks.push([sign]);
  }
  return blocks;
}

/** Of several runs: words that say the opposite of what stands before are the next one's. */
function isTurn(before: readonly Sign[], sign: Sign): boolean {
  const isCounted = sign.tally !== undefined && before.some(({ tally }) => tally !== undefined);
  if (isCounted && !isWhollyPassed(sign)) return false;
  const hasFailed = before.some(isFailure);
  return isFailure(sign) ? !hasFailed && before.some(isPass) : isPass(sign) && hasFailed;
}
