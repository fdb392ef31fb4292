import { joined, type Run, runOf, unwrapped } from './run.ts';
import { type Step, stepsOf } from './shell.ts';

/** What a shell command runs, and what can be told from its exit code and its output. */
export interface Asked {
  /** How many runs it has that pass or fail; the others only look, prepare or print. */
  runs: number;
  /** Exit code 0 says that all of them passed. */
  zeroTells: boolean;
  /** Another exit code says that one of them failed. */
  otherTells: boolean;
  /** What pipes leave of the output. */
  view: 'all' | 'end' | 'start' | 'picked';
  /** What it prints itself; `$?` in it stands for an exit code. */
  prints: Print[];
  /** A warning fails it. */
  isStrict: boolean;
}

export interface Print {
  text: string;
  /** That of the run, where it is printed at all: `run && echo yes || echo no`. */
  code: number | null;
  /** Its `$?` is that of the end of a pipe. */
  isOfPipe?: true;
}

/** Programs that look at something, shape an output or prepare what follows. */
const LOOKS =
  /^(?:ls|ll|cat|bat|head|tail|pwd|cd|pushd|popd|echo|printf|wc|which|whereis|type|tree|find|fd|grep|egrep|fgrep|rg|ag|sed|awk|gawk|cut|tr|sort|uniq|nl|rev|column|paste|tee|less|more|strings|file|stat|du|df|date|whoami|hostname|uname|id|env||printenv|ps|pgrep|top|free|uptime|sleep|wait|mkdir|touch|rm|rmdir|cp|mv|ln|chmod|chown|kill|pkill|killall|true|false|exit|return|set|unset|export|declare|local|read|shift|trap|source|\.|:|alias|test|\[|\[\[|history|clear|lsof|ss|netstat|readlink|realpath|basename|dirname|jq|yq|xxd|od|hexdump|man|for|select|function|in|break|continue|ts|sha256sum|md5sum|nvm|corepack|command)$/;
/** Subcommands that only look. */
const LOOKING_WORDS =
  /^(?:ls|list|ps|images|show|tree|outdated|view|get|describe|logs?|status|info|version|--version|--help|help|diff|blame|branch|remote|tag|ls-files|rev-parse|add|config|fetch|shortlog|reflog|stash|whoami|search|inspect)$/;
const PICKS = /^(?:e|f|r)?grep$|^(?:rg|ag|awk|gawk|cut|wc|jq|yq|uniq|column)$/;
const SHELL = /^(?:ba|z|da|k)?sh$/;
export const CODE_MARK = '$?';
const CODES =
  /\$\?|\$\{?(?:PIPESTATUS|pipestatus)(?:\[\d+\])?\}?|\$\{?(?:rc|ret|code|status|exit_?code|ec)\b\}?/gi;
const CODE = /\$\?|PIPESTATUS|pipestatus|\$\{?(?:rc|ret|code|status|exit_?code|ec)\b/i;

interface Pipeline {
  steps: Step[];
  /** Index of the run in it; -1 for one that only looks. */
  run: number;
  joint: Step['joint'];
}

export const runsIn = (command: string, folder = ''): Run[] => {
  const runs: Run[] = [];
  const folders = [folder];
  for (const { words, depth } of unfolded(command)) {
    while (folders.length > depth + 1) folders.pop();
    while (folders.length < depth + 1) folders.push(folders.at(-1)!);
    const [program, place] = words;
    if (/^(?:cd|pushd)$/.test(program!)) folders[depth] = joined(folders[depth]!, place ?? '~');
    else if (!looks(words)) runs.push(runOf(words, folders[depth]!));
  }
  return runs;
};

/** What `sh -c` runs stands for it. */
export function unfolded(command: string): Step[] {
  return stepsOf(command).flatMap((step) => {
    const at = step.words.findIndex((one) => SHELL.test(one.replace(/^.*\//, '')));
    const option = step.words[at + 1] ?? '';
    const inner = step.words[at + 2];
    if (at === -1 || at > 4 || inner === undefined || !/^-\w*c$/.test(option)) return [step];
    const steps = stepsOf(inner).map((one) => ({ ...one, depth: one.depth + step.depth + 1 }));
    const last = steps.at(-1);
    if (last !== undefined) last.joint = step.joint;
    return steps;
  });
}

function looks(given: readonly string[]): boolean {
  const [program = '', second = '', ...rest] = unwrapped(given);
  if (program === 'find' && rest.some((one) => /^-(?:exec|ok)(?:dir)?$/.test(one))) return false;
  return LOOKS.test(program.replace(/^.*\//, '')) || LOOKING_WORDS.test(second);
}

export const looksAround = (command: string): boolean =>
  !unfolded(command).some(({ words }) => !looks(words));

export function askedOf(command: string): Asked {
  const steps = unfolded(command);
  const all = pipelinesOf(steps);
  const own = all.filter(({ run }) => run !== -1);
  const failsEarly = steps.some(({ words }) => words[0] === 'set' && /^-\w*e/.test(words[1] ?? ''));
  const last = all.at(-1);
  const negates = NEGATES.test(command);
  const exits = last?.steps[0]?.words[0] === 'exit' && CODE.test(last.steps[0].words.join(' '));
  return {
    runs: own.length + own.filter(runsInAll).length,
    zeroTells:
      !negates && (exits || own.every((one) => zeroTells(one, all, failsEarly) && !isScript(one))),
    otherTells: !negates && (exits || (failsEarly && own.length > 0) || otherTells(all)),
    view: viewOf(own),
    prints: printsOf(all, own.length === 1),
    isStrict: own.some(({ steps: of, run }) => STRICT.test(of[run]!.words.join(' '))),
  };
}

/** `! npm test` */
const NEGATES = /(?:^|[;&|(])\s{0,9}!\s/;

const PRINTS_MAX = 6;
const PRINT_CHARS = 80;

const STRICT =
  /--(?:max-warnings|strict|deny|(?:error|fail)-on|warnings-as-errors)\b|-Werror|-D ?warnings|warnaserror/i;

function printsOf(all: readonly Pipeline[], isOne: boolean): Print[] {
  return all
    .flatMap(({ steps }, at) => steps.map(({ words }) => ({ words, at })))
    .flatMap(({ words: [program, ...words], at }) => {
      if (!/^(?:echo|printf)$/.test(program!)) return [];
      const said = words.filter((one, n) => n > 0 || !/^-\w$/.test(one)).join(' ');
      const text = said.replace(CODES, CODE_MARK).replace(/\\n/g, '').trim().slice(0, PRINT_CHARS);
      if (text === '') return [];
      const code = codeSaid(all, at);
      const from = all.slice(0, at).findLast(({ run }) => run !== -1);
      const isOfPipe = !/pipestatus/i.test(said) && from !== undefined && !hasOwnCode(from);
      // Of several runs, that one failed.
      return [{ text, code: isOne || code === 1 ? code : null, ...(isOfPipe && { isOfPipe }) }];
    })
    .slice(0, PRINTS_MAX);
}

/** `&&` goes on after a success, `||` after a failure. */
function codeSaid(all: readonly Pipeline[], at: number): number | null {
  const from = all.slice(0, at).findLastIndex(({ run }) => run !== -1);
  if (from === -1 || !hasOwnCode(all[from]!)) return null;
  const joints = all.slice(from, at).map(({ joint }) => joint);
  if (joints.every((joint) => joint === '&&')) return 0;
  const isElse = joints.at(-1) === '||' && joints.slice(0, -1).every((joint) => joint === '&&');
  return isElse ? 1 : null;
}

/** A shell script ends with the code of its last command, whatever it ran before. */
const isScript = ({ steps, run }: Pipeline): boolean => {
  const [program = '', first = ''] = unwrapped(steps[run]!.words);
  return (
    /\.(?:ba|z|k)?sh$/.test(program) || (SHELL.test(program.replace(/^.*\//, '')) && first !== '')
  );
};

/** Package managers that run a script in several packages. */
const runsInAll = ({ steps, run }: Pipeline): boolean => {
  const [program = '', ...rest] = unwrapped(steps[run]!.words);
  return (
    (/^(?:npm|pnpm|yarn|bun)$/.test(program) &&
      rest.some((one) => /^(?:-ws|--workspaces|-r|--recursive|workspaces)$/.test(one))) ||
    (/^(?:turbo|nx|lerna|rush|moon|wsrun)$/.test(program) && !/^\w+:\w/.test(rest[1] ?? ''))
  );
};

function pipelinesOf(steps: readonly Step[]): Pipeline[] {
  const pipefail = steps.some(({ words }) => words[0] === 'set' && words.includes('pipefail'));
  const all: Pipeline[] = [];
  let open: Step[] = [];
  for (const step of steps) {
    open.push(step);
    if (step.joint === '|') continue;
    const run = open.findLastIndex(({ words }) => !looks(words));
    all.push({
      steps: pipefail ? open.slice(0, run + 1 || undefined) : open,
      run,
      joint: step.joint,
    });
    open = [];
  }
  if (open.length > 0)
    all.push({ steps: open, run: open.findLastIndex(({ words }) => !looks(words)), joint: '' });
  return all;
}

/** The code of a pipeline is its last program's. */
const hasOwnCode = ({ steps, run }: Pipeline): boolean => run === steps.length - 1;

function zeroTells(one: Pipeline, all: readonly Pipeline[], failsEarly: boolean): boolean {
  const at = all.indexOf(one);
  if (!hasOwnCode(one) || all[at - 1]?.joint === '||') return false;
  const isLast = all
    .slice(at, -1)
    .every(({ joint }) => joint === '&&' || (failsEarly && joint === ';'));
  return isLast && all.at(-1)!.joint !== '&';
}

/** Of the last list that `;` does not end. */
function otherTells(all: readonly Pipeline[]): boolean {
  const from = all.slice(0, -1).findLastIndex(({ joint }) => joint === ';' || joint === '&');
  const list = all.slice(from + 1);
  const own = list.filter(({ run }) => run !== -1);
  return own.length > 0 && own.every(hasOwnCode);
}

function viewOf(own: readonly Pipeline[]): Asked['view'] {
  const shapes = own.flatMap(({ steps, run }) => steps.slice(run + 1).map(({ words }) => words));
  const is = (pattern: RegExp) => shapes.some(([program]) => pattern.test(program ?? ''));
  const printsSome = shapes.some(([program, ...rest]) => program === 'sed' && rest.includes('-n'));
  if (is(PICKS) || printsSome) return 'picked';
  if (is(/^head$/)) return 'start';
  return is(/^tail$/) ? 'end' : 'all';
}
