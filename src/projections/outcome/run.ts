/** What runs, and on what: equal however it is started, told or cut. */
export interface Run {
  /** Relative to where the client is, or absolute; '' is that place itself. */
  folder: string;
  /** The runner, and what it runs. */
  words: string[];
}

const WORDS_MAX = 40;
const WORD_CHARS = 200;

/** Programs that start the one named behind their options. */
const WRAPPER =
  /^(?:env|time|nice|ionice|nohup|sudo|doas|exec|builtin|xvfb-run|stdbuf|timeout|gtimeout|unbuffer|cross-env|dotenv|caffeinate|setsid|npx|bunx|pnpx|uvx|faketime|chronic)$/;
/** Programs of which one subcommand does. */
const STARTER: Readonly<Record<string, RegExp>> = {
  npm: /^(?:exec|x)$/,
  pnpm: /^(?:exec|dlx)$/,
  yarn: /^(?:exec|dlx)$/,
  bun: /^x$/,
  poetry: /^run$/,
  uv: /^run$/,
  pipenv: /^run$/,
  pdm: /^run$/,
  hatch: /^run$/,
  rye: /^run$/,
  bundle: /^exec$/,
  mise: /^exec$/,
};
/** Their scripts are programs of the project: `npm run lint` is `lint`. */
const SCRIPTS = /^(?:npm|pnpm|yarn|bun|deno)$/;
const INTERPRETER = /^(?:node|python\d?(?:\.\d+)?|py|ruby|php|perl)$/;
const PACKAGED = /(?:^|[\\/])(?:node_modules[\\/]\.bin|vendor[\\/]bin|bin|Scripts)[\\/]/;
/** Options of wrappers with a value in the next word. */
const WRAPPER_VALUE = /^-(?:[nkspuo]|-(?:signal|kill-after|package|with))$/;

/** Options that change how it is told, how fast it runs or what else it notes, not what runs. */
const TELLING =
  /^(?:v+|q+|s|x|i|verbose|quiet|silent|no-?(?:colou?rs?|progress|cov(?:erage)?|bail|cache|fail-fast|capture|header|summary|interaction|daemon|watch|audit|fund)|bail|fail-?fast|ci|coverage|watch(?:all)?|run|cache|pretty|progress|stacktrace|info|debug|trace|nocapture|show-output|force-?exit|run-?in-?band|detect-?open-?handles|batch-mode|if-present|color|colou?rs?)$/i;
const TELLING_WITH_VALUE =
  /^(?:(?:test-)?reporters?(?:-options?|-destination)?|format(?:ter)?|tb|(?:max-?)?workers|j|jobs|n(?:um)?-?procs?|(?:test-)?threads|parallel|concurrency|(?:test-?)?timeout|log-?level|verbosity|output(?:-?file)?|durations|retries|console|cov-report|cov)$/i;
/** Options that name the folder. */
const FOLDER = /^(?:C|prefix|cwd|dir|directory)$/;

/** @param folder where it runs */
export function runOf(words: readonly string[], folder: string): Run {
  const [program = '', ...args] = script(unwrapped(words));
  const run: Run = { folder, words: [named(program)] };
  const said = new Set<string>();
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at]!;
    const option = /^--?([\w-]+)(?:=(.*))?$/.exec(arg);
    if (option === null) {
      const target = arg.replace(/^\.\/(?=.)|\/$|\/?\.\.\.$/g, '');
      if (!/^(?:\.|--|run)?$/.test(target)) said.add(target);
      continue;
    }
    const [, name = '', value] = option;
    const next = args[at + 1];
    const hasNext = value === undefined && next !== undefined && !next.startsWith('-');
    if (FOLDER.test(name)) {
      run.folder = joined(folder, value ?? next ?? '');
      at += hasNext ? 1 : 0;
    } else if (TELLING_WITH_VALUE.test(name)) at += hasNext && !/[./\\]/.test(next) ? 1 : 0;
    else if (!TELLING.test(name) && !/^j\d+$/.test(name)) said.add(arg);
  }
  run.words.push(...[...said].map((one) => one.slice(0, WORD_CHARS)).sort());
  return run;
}

const named = (program: string): string =>
  (PACKAGED.test(program) || /^(?:\.[\\/])?[^\\/]+$/.test(program)
    ? program.replace(/^.*[\\/]/, '')
    : program.replace(/^\.[\\/]/, '')
  ).slice(0, WORD_CHARS);

/** Without assignments and wrappers. */
export function unwrapped(given: readonly string[]): readonly string[] {
  let words = given.slice(0, WORDS_MAX);
  for (let n = 0; n < WORDS_MAX; n += 1) {
    const [program = '', second = ''] = words;
    const name = named(program);
    const skipped = skippedOf(name, second, words);
    if (skipped === 0) break;
    words = words.slice(skipped);
  }
  const [program = '', second = ''] = words;
  return INTERPRETER.test(named(program)) && PACKAGED.test(second) ? words.slice(1) : words;
}

/** How many words stand only before what runs. */
function skippedOf(name: string, second: string, words: readonly string[]): number {
  if (/^\w+=/.test(words[0] ?? '')) return 1;
  if (STARTER[name]?.test(second) === true) return behindOptions(words, 2);
  if (WRAPPER.test(name) && words.length > 1) {
    const at = behindOptions(words, 1);
    return /timeout$/.test(name) && /^[\d.]+[smhd]?$/.test(words[at] ?? '') ? at + 1 : at;
  }
  return INTERPRETER.test(name) && second === '-m' ? 2 : 0;
}

function behindOptions(words: readonly string[], from: number): number {
  let at = from;
  while (words[at]?.startsWith('-') === true) at += WRAPPER_VALUE.test(words[at]!) ? 2 : 1;
  return Math.min(at, words.length);
}

/** `npm run test -- a.ts`, `npm t a.ts`, `yarn test a.ts` and `deno task test a.ts` are `test a.ts`. */
function script(words: readonly string[]): string[] {
  const [manager = '', ...rest] = words;
  const program = named(manager);
  if (!SCRIPTS.test(program)) return [...words];
  const at = rest.findIndex((one, n) => !one.startsWith('-') && !isValue(rest[n - 1]));
  if (at === -1) return [...words];
  const options = rest.slice(0, at);
  const [verb = '', ...args] = rest.slice(at);
  const isRun = /^(?:run|run-script|rum|urn|task)$/.test(verb);
  if (isRun && args.length > 0) return [...scriptName(args), ...options];
  if (/^(?:bun|deno)$/.test(program)) return [...words];
  if (/^(?:t|tst)$/.test(verb)) return ['test', ...args, ...options];
  if (program === 'npm' && !/^(?:test|start|stop|restart)$/.test(verb)) return [...words];
  if (verb === 'workspace' && args.length > 1) return [args[1]!, '-w', args[0]!, ...args.slice(2)];
  return MANAGES.test(verb) ? [...words] : [verb, ...args, ...options];
}

const scriptName = (args: readonly string[]): string[] => {
  const at = args.findIndex((one) => !one.startsWith('-'));
  return at === -1 ? [...args] : [args[at]!, ...args.slice(0, at), ...args.slice(at + 1)];
};

/** Options before a script with a value in the next word. */
const isValue = (option: string | undefined): boolean =>
  option !== undefined && /^(?:-[CFw]|--(?:prefix|cwd|dir|filter|workspace))$/.test(option);

const MANAGES =
  /^(?:install|i|ci|add|remove|rm|un|up|update|upgrade|audit|publish|pack|link|init|create|config|outdated|why|view|info|list|ls|dedupe|import|rebuild|store|version|cache)$/;

/** A folder inside another. */
export function joined(folder: string, inner: string): string {
  if (/^(?:[/~]|\w:[\\/])/.test(inner))
    return inner.length > 1 ? inner.replace(/[\\/]$/, '') : inner;
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of inner.split(/[\\/]/)) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..' && parts.at(-1) !== '')
      parts.pop();
    else parts.push(part);
  }
  return parts.join('/');
}

/** Whether a pass of one is a pass of the other: the same, or the same runner on more. */
export function covers(one: Run, other: Run): boolean {
  if (one.folder !== other.folder || one.words[0] !== other.words[0]) return false;
  // A bare `git push` means the current branch: what stands behind it only names that.
  if (other.words.length === 2 && other.words[0] === 'git')
    return one.words.includes(other.words[1]!);
  if (!one.words.every((word) => other.words.includes(word))) return false;
  const more = other.words.filter((word) => !one.words.includes(word));
  // Another file beside those that passed did not run.
  const isFile = (word: string) => /^[^-].*[./\\]/.test(word);
  if (one.words.slice(1).some(isFile) && more.some(isFile)) return false;
  // Of a bare `make` a plain word behind it is another job.
  const isJob = (word: string) => /^[a-z][\w:-]*$/.test(word);
  return one.words.length > 1 || more.some((word) => word.startsWith('-')) || !more.some(isJob);
}
