import { type Tally, tallyOf } from './tally.ts';

/** What one line of an output says of the run. */
export interface Sign {
  line: string;
  at: number;
  /** `clean`: nothing failed; `none`: nothing passed. Both together are said of an empty run. */
  says: 'passed' | 'failed' | 'nothing' | 'clean' | 'none';
  /** The runner's own verdict; one test, file or package of it; a message that may be of anything. */
  of: 'run' | 'part' | 'message';
  tally?: Tally;
}

const SUBJECT =
  '(?:builds?|tests?|testing|compil(?:e|ed|ation|ing)|checks?|suites?|specs?|sessions?|lint\\w*|type-?check\\w*|tasks?|commands?|scripts?|lifecycle|process|validation|evaluation|assembl\\w+|analysis|bundl\\w+|bundle|targets?|hooks?|jobs?|executions?|verification|scenarios?|examples?)';
const VERB_FAILED = '(?:fail(?:ed|ure|ures|s)?|errored|unsuccessful\\w*|aborted|broken?)';
const VERB_PASSED = '(?:pass(?:ed|es)?|success\\w*|succe(?:ed|eds|eded)|complete[d!.]?|clean|ok)';
const one = (...sources: string[]): RegExp => new RegExp(sources.join('|'), 'i');

/** The runner says that it found nothing to run. */
const NOTHING = one(
  '\\bno (?:[\\w-]+ ){0,2}(?:tests?|specs?|examples?|scenarios?|features?|suites?|targets?|test files?|test modules?|source files?|files|benchmarks?)\\b(?:[\\w\\s-]{0,40}\\b(?:found|ran|run|executed|collected|defined|available|match\\w*|exist\\w*|discovered|specified|selected|given|to (?:run|check|test|lint|process))\\b|[!.]*$)',
  '\\bno tests?\\b.{0,40}\\b(?:match\\w*|found|available)',
  '\\[no (?:test files|tests to run)\\]',
  '\\bnothing to (?:do|run|test|check|lint|be done)\\b',
  '\\bNOTESTS\\b|^1\\.\\.0\\b',
  '\\ball (?:files|matched files|tests?) .{0,60}\\b(?:ignored|excluded|filtered out)\\b',
);

/** Words before the runner's own; bounded, because they may repeat. */
const BEFORE =
  '^[^a-z]{0,20}(?:(?:error|failure|warning|npm (?:err!|error)|\\w{1,20} err!|some|one or more|at least one)[\\]:]{0,2}\\s[^a-z]{0,8}){0,2}';

const RUN_FAILED = one(
  `${BEFORE}${SUBJECT}\\b[^.!?]{0,60}?\\b${VERB_FAILED}\\b`,
  `${BEFORE}(?:failed to (?:compile|build|run|load|start)|could not compile|compilation (?:error|failed))`,
  '\\b(?:result|status|conclusion)\\s*[:=]\\s*fail',
  '\\brequired\\b.{0,60}\\bnot (?:reached|met)\\b',
  '\\bsome tests failed\\b|\\bnot remade because of errors\\b|\\bhad compilation errors\\b',
  '^\\S+: FAIL(?:ED)? code \\d',
  '^(?:[\\w-]+\\[?\\d*\\]?: )?\\*\\*\\* .*(?:Error \\d|Stop|failed)',
  '^ninja: build stopped',
  '\\bELIFECYCLE\\b|^npm (?:ERR!|error) (?!code E(?:USAGE|RESOLVE)|A complete log)',
  '^(?:oh no!|rake aborted!)|configuring incomplete, errors occurred',
  '\\b(?:does|do|did) not meet\\b.*\\b(?:threshold|minimum|limit)|\\bthresholds? .{0,60}\\b(?:not met|failed)',
  `${BEFORE}(?:auto\\w* )?(?:merge|rebase|push|pull|install\\w*|deploy\\w*|migrations?) failed\\b`,
  '\\btoo many (?:warnings|errors|problems)\\b|^\\W*errors? (?:parsing|occurred|while)\\b',
  '\\bwould be reformatted\\b|\\bcode style issues? found\\b',
);
const SHOUTS_FAILED =
  /^\W*(?:FAIL(?:ED|URES?)?|ERRORS?|NOT OK)!*\W*$|^FAILED \(|^(?:FAILURES|ERRORS)!$/;

const RUN_PASSED = one(
  `^(?:\\W|\\[?\\w+\\]?:?\\s){0,4}${SUBJECT}\\b(?![^.!?]{0,60}\\b(?:not|un\\w+|no|fail\\w*|errors?|warnings? and)\\b)[^.!?:]{0,60}?\\b${VERB_PASSED}(?:\\W|$)`,
  '\\b(?:result|status|conclusion)\\s*[:=]\\s*(?:pass|success|ok)',
  '^\\W*(?:compiled|built|linted|checked|bundled|finished) successfully\\b',
  '\\bcompiled (?:successfully|with \\d+ warnings?)\\b',
  '^\\W*(?:\\w+ )?built in [\\d.]',
  '^finished (?!`test`).*\\b(?:target|profile)\\b',
  '^\\W*success(?:[:!.]|fully\\b|$)|\\s{2}successfully\\b',
  '^\\W*congratulations\\b|^all done!|\\bcode style!$',
  '^\\W*done(?: [1-9]\\d* \\w+)? in [\\d.]+\\s?m?s',
);
const SHOUTS_PASSED = /^\W*(?:PASS(?:ED)?|OK|SUCCESS)!*\W*$|^OK(?:,| \()/;
/** Of Go: one of several packages, and all of one. */
const PACKAGE_PASSED = /^ok\s+\S+\s+(?:[\d.]+s|\(cached\))/;
const ONE_PASSED: Tally = { passed: 1, failed: 0, total: null, skipped: null, form: 'ok' };

const PART_PASSED =
  /^(?:[✓✔√✅☑]|\(pass\)|ok \d|PASS(?:ED)?[\s:]|--- PASS|\[ *OK *\])|\.{2,}\s*(?:ok|passed|PASS(?:ED)?|OK)\b|(?<=\s)(?:PASSED|PASS|OK)(?: in [\d.]+m?s| {1,80}\[.*\]|\s*\([^)]*\))?$/;
const PART_FAILED =
  /^(?:[✕✖✗✘×❌]|\(fail\)|not ok\b(?!.*#\s*(?:todo|skip))|FAIL(?:ED|URE)?[\s:]|ERROR[:\s]\s*\S+(?:::|\.\w+)|--- FAIL|\[ *FAILED *\])|\.{2,}\s*\*{0,3}(?:FAILED|FAIL|ERROR|Failed)\b|(?<=[\s/])(?:FAILED|FAIL)(?: in [\d.]+m?s| {1,80}\[.*\]|\s*\([^)]*\))?$|\*\*\*Failed\b|<<< (?:FAILURE|ERROR)!/i;
const PART_FAILED_EXACT = /\(fail\)|FAIL|ERROR|not ok|\*\*\*Failed|[✕✖✗✘×❌]/;

/** Messages of compilers, linters, interpreters and shells. */
const MESSAGE = new RegExp(
  [
    '\\berror (?:TS|CS|FS|BC|MSB|NU|NETSDK|E|C|LNK)\\d+',
    '^(?:\\w+ )?[Ee]rror(?:\\[\\w+\\])?:|^error .* (?:not found|failed)\\W*$',
    "^\\W*(?:[Cc]annot|[Cc]an't|[Cc]ould not|[Cc]ouldn't|[Uu]nable to|[Ff]ailed to) \\w",
    "\\b(?:does not (?:contain|exist)(?!, skip)|(?:could not|couldn't) (?:find|be found))\\b|^CONFLICT\\b",
    '^\\w[\\w.-]*: (?:\\(\\d+\\) )?.*(?:No such file|[Cc]ould not|[Cc]annot|[Ff]ailed to|not found|denied|refused)',
    '^\\S+?[:(]\\d+(?:[:,]\\d+\\)?)?:? (?:fatal )?error\\b',
    '^\\d+:\\d+\\s+error\\s',
    '^(?:e: |E {3,}\\S|\\[error\\]|\\[ERROR\\]|ERROR\\b)',
    '^\\S+:\\d+:\\d+: [A-Z]+\\d+ |\\bpanicked at\\b|^Exception\\b|^\\S+\\.\\w+:\\d+:(?:\\d+: (?!warning|note|info|hint)| (?:syntax|parse) error)',
    '^Traceback \\(most recent call last\\)',
    '^(?:\\w+\\.)*[A-Z]\\w*(?:Error|Exception)\\b(?: \\[\\w+\\])?(?::|$)',
    '^(?:panic|fatal|PANIC|FATAL)\\b:?',
    '\\bSegmentation fault\\b|\\bcore dumped\\b|\\bcommand not found$|: not found$|^(?:Killed|Aborted|Terminated)\\b',
    '^(?:sh|bash|zsh|/bin/\\w+): .*(?:No such file|not found|Permission denied|cannot)',
    '\\bCannot find module\\b|\\bNo module named\\b|\\bNo rule to make target\\b|[Mm]issing script\\b',
    '^\\*\\* \\(\\w+(?:Error)?\\)',
  ].join('|'),
);

const CODE_SAID =
  /\b(?:exit(?:ed|s|ing)?(?: with)?(?: (?:code|status|value))?|(?:exit|return|status)[ _-](?:code|status)|rc|code)\b[\s:=("'`]*(\d{1,3})\b|\bexited (\d{1,3})\b/i;

/** What this line says; undefined where it says nothing. */
export function signOf(line: string, at: number): Sign | undefined {
  const speaker = SPEAKER.exec(line);
  const said =
    saidBy(line) ?? (speaker === null ? undefined : saidBy(line.slice(speaker[0].length)));
  return said && { line, at, ...said };
}

type Said = Omit<Sign, 'line' | 'at'>;

/** `not all tests passed`: it is no pass, and a count in it would be one. */
const DENIES = /\bnot (?:\w{1,20} ){0,2}pass(?:ed)?\b(?! with)/i;
/** A line of source that a compiler shows. */
const SOURCE = /^(?:> )?\d+ \| /;

function saidBy(line: string): Said | undefined {
  if (SOURCE.test(line)) return undefined;
  const isPart = PART_PASSED.test(line);
  if (!isPart && DENIES.test(line)) return undefined;
  const tally =
    /^[✓✔√✅☑]|^(?:not )?ok \d/.test(line) && !/^\W*test run\b/i.test(line)
      ? undefined
      : tallyOf(line);
  const counted = tally === undefined ? undefined : bySum(tally);
  if (counted !== undefined) return { says: counted, of: 'run', tally: tally! };
  if (tally !== undefined && isSkipped(tally, line)) return { says: 'nothing', of: 'run', tally };
  if (NOTHING.test(line) && !GIVES_UP.test(line) && (!isPart || /\[no /.test(line)))
    return { says: 'nothing', of: 'run' };
  if (tally?.passed === 0) return { says: 'none', of: 'run', tally };
  if (LOOKED_AT.test(line)) return { says: 'clean', of: 'run' };
  if (PACKAGE_PASSED.test(line)) return { says: 'passed', of: 'run', tally: ONE_PASSED };
  if (SHOUTS_PASSED.test(line)) return { says: 'passed', of: 'run' };
  if (SHOUTS_FAILED.test(line)) return { says: 'failed', of: 'run' };
  if (isPart && !RUN_PASSED.test(line)) return { says: 'passed', of: 'part' };
  if (RUN_FAILED.test(line)) return { says: 'failed', of: 'run' };
  const code = CODE_SAID.exec(line);
  if (code !== null && Number(code[1] ?? code[2]) !== 0) return { says: 'failed', of: 'run' };
  if (PART_FAILED.test(line) && PART_FAILED_EXACT.test(line)) return { says: 'failed', of: 'part' };
  if (RUN_PASSED.test(line)) return { says: 'passed', of: 'run' };
  if (NO_ERRORS.test(line)) return { says: 'clean', of: 'run' };
  return MESSAGE.test(line) ? { says: 'failed', of: 'message' } : undefined;
}

/** All that it counts was left out. */
const isSkipped = ({ passed, failed, total, skipped }: Tally, line: string): boolean =>
  (passed ?? 0) + (failed ?? 0) === 0 &&
  (skipped ?? 0) > 0 &&
  (total === null ? CLOSED.test(line) : skipped! >= total);
/** `3 passed (3)`, `3 passed in 0.1s`: no other count comes before or behind it. */
export const CLOSED = /\(\d+\)|\bin [\d.]+ ?m?s\b/;
/** It had no job at all, not an empty one. */
const GIVES_UP = /\*\*\* /;

function bySum({ passed, failed, total }: Tally): Sign['says'] | undefined {
  if ((failed ?? 0) > 0) return 'failed';
  if ((passed ?? 0) > 0) return 'passed';
  if (total === 0 || (passed === 0 && failed === 0)) return 'nothing';
  if (failed === 0) return (total ?? 0) > 0 ? 'passed' : 'clean';
  return undefined;
}

/** `packages/core test: `, `web-1  | `, `[INFO] `: who says it. */
const SPEAKER =
  /^(?:[\w@./#-]{1,60}(?: [\w:.-]{1,40})?: |\[[\w-]{1,40}\] |[\w.-]{1,40} {1,20}\| )(?=\S)/;
/** A count of what was looked at, without one of what was found. */
const LOOKED_AT = /^\W*(?:checked|linted|analy[sz]ed|inspected) [1-9]\d* files?\b/i;
const NO_ERRORS =
  /^\W*(?:\[?OK\]?\W+)?no (?:[\w-]+ ){0,2}(?:errors?|issues?|problems?|violations?|offen[cs]es?|failures?|warnings?)\b/i;
