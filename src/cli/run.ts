import { Cli } from 'clipanion';
import { Ben10Error } from '../platform/errors.ts';
import { EXIT } from './command.ts';
import { type Ben10CommandClass, COMMANDS, VERBS } from './commands.ts';
import type { Ben10Context } from './context.ts';
import { endBusy, showBusy } from './ui/busy.ts';
import { asUsageError, exitCodeOf, printError } from './ui/errors.ts';
import { fitted } from './ui/fit.ts';
import { withValues } from './ui/option-values.ts';
import { widthOf } from './ui/terminal.ts';
import { setTextWidth } from './ui/wrap.ts';

const ALIASES: Readonly<Record<string, readonly [command: string, ...args: string[]]>> = {
  '--version': ['version'],
  '-v': ['version'],
  '-V': ['version'],
  // ContextKeeper's options, for hooks and scripts written for it.
  '--context': ['context'],
  '--save-state': ['work', 'save'],
};
const HELP = new Set(['--help', '-h']);

/**
 * @param argv without the name of the program
 * @returns the exit code: 0 done, 1 failed or "no", 2 wrong usage
 */
export async function run(argv: readonly string[], context: Ben10Context): Promise<number> {
  setTextWidth(widthOf(context.stdout, context.env));
  try {
    return await dispatch(argv, context);
  } catch (error) {
    await printError(error, context, argv.includes('--json'));
    // An exit code of 2 from a hook would stop the agent.
    return argv[0] === 'hook' ? EXIT.notSo : exitCodeOf(error);
  } finally {
    endBusy();
  }
}

async function dispatch(argv: readonly string[], context: Ben10Context): Promise<number> {
  const [first = '--help', ...rest] = argv;
  if (first === 'help' || HELP.has(first)) return help(rest, context);
  const meant = (Object.hasOwn(ALIASES, first) ? ALIASES[first] : undefined) ?? [first];
  if (asksForHelp(rest)) return help([...meant, ...rest], context);
  const asked = await loadCommand([...meant, ...rest]);
  const command = parse(asked, context);
  if (context.stderr === process.stderr) showBusy(asked.commandClass.busy);
  return (await command.validateAndExecute()) ?? EXIT.ok;
}

interface Asked {
  /** `log`, `pack add`. */
  name: string;
  commandClass: Ben10CommandClass;
  args: readonly string[];
}

/** @throws Ben10Error USAGE */
async function loadCommand([name = '', ...args]: readonly string[]): Promise<Asked> {
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load === undefined) throw await noSuchCommand(name);
  const verbs = Object.hasOwn(VERBS, name) ? VERBS[name]! : {};
  const [verb = '-', ...others] = args;
  if (verb.startsWith('-') || Object.keys(verbs).length === 0)
    return { name, commandClass: await load(), args };
  const loadVerb = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (loadVerb === undefined) throw await noSuch(`ben10 ${name} has no`, verb, verbs, name);
  return { name: `${name} ${verb}`, commandClass: await loadVerb(), args: others };
}

async function noSuchCommand(name: string): Promise<Ben10Error> {
  if (!name.startsWith('-')) return noSuch('there is no command', name, COMMANDS);
  return new Ben10Error('USAGE', `options come after the command: ben10 COMMAND ${name}`, {
    next: 'All commands: ben10 --help',
  });
}

async function noSuch(
  what: string,
  name: string,
  all: Readonly<Record<string, unknown>>,
  command?: string,
): Promise<Ben10Error> {
  const { nearName } = await import('../platform/config/nearest.ts');
  const near = nearName(name, Object.keys(all));
  const hint = near === undefined ? '' : `; did you mean "${near}"?`;
  return new Ben10Error('USAGE', `${what} "${name}"${hint}`, {
    next:
      command === undefined
        ? 'All commands: ben10 --help. To look for words: ben10 search WORDS'
        : `All that it has: ben10 ${command} --help`,
  });
}

/** Arguments after `--` are data. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end === -1 ? args : args.slice(0, end)).some((arg) => HELP.has(arg));
}

/** @param words what help is asked for; empty for all commands */
async function help(words: readonly string[], context: Ben10Context): Promise<number> {
  const { commandHelp, overview } = await import('./ui/help.ts');
  const [name = '--help', verb = ''] = words.filter((word) => !HELP.has(word));
  const isVerb = Object.hasOwn(VERBS[name] ?? {}, verb);
  const text = HELP.has(name)
    ? await overview(context)
    : await commandHelp(await loadCommand(isVerb ? [name, verb] : [name]), context);
  context.stdout.write(fitted(text, widthOf(context.stdout, context.env)));
  return EXIT.ok;
}

/** @throws Ben10Error USAGE */
function parse({ name, commandClass, args }: Asked, context: Ben10Context) {
  const cli = Cli.from<Ben10Context>(commandClass, { binaryName: 'ben10' });
  const options = cli.definitions()[0]?.options ?? [];
  try {
    const [, ...words] = withValues([name, ...args], options, commandClass.takesText);
    return cli.process([...name.split(' '), ...words], context);
  } catch (error) {
    const names = options.flatMap(({ definition }) => definition.split(' ')[0]!.split(','));
    throw asUsageError(error, [name, ...args], names, commandClass.takesText);
  }
}
