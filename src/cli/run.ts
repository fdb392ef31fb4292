import { Cli } from 'clipanion';
import { Ben10Error } from '../platform/errors.ts';
import { EXIT } from './command.ts';
import { type Ben10CommandClass, COMMANDS } from './commands.ts';
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
  if (first === 'help' || HELP.has(first)) return help(rest[0], context);
  const [name, ...meant] = (Object.hasOwn(ALIASES, first) ? ALIASES[first] : undefined) ?? [first];
  const commandClass = await loadCommand(name);
  if (asksForHelp(rest)) return help(name, context);
  const command = parse(commandClass, [name, ...meant, ...rest], context);
  if (context.stderr === process.stderr) showBusy(commandClass.busy);
  return (await command.validateAndExecute()) ?? EXIT.ok;
}

/** @throws Ben10Error USAGE */
async function loadCommand(name: string): Promise<Ben10CommandClass> {
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load !== undefined) return load();
  if (name.startsWith('-')) {
    throw new Ben10Error('USAGE', `options come after the command: ben10 COMMAND ${name}`, {
      next: 'All commands: ben10 --help',
    });
  }
  const { nearName } = await import('../platform/config/nearest.ts');
  const near = nearName(name, Object.keys(COMMANDS));
  const hint = near === undefined ? '' : `; did you mean "${near}"?`;
  throw new Ben10Error('USAGE', `there is no command "${name}"${hint}`, {
    next: 'All commands: ben10 --help. To look for words: ben10 search WORDS',
  });
}

/** Arguments after `--` are data. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end === -1 ? args : args.slice(0, end)).some((arg) => HELP.has(arg));
}

async function help(name: string | undefined, context: Ben10Context): Promise<number> {
  const { commandHelp, overview } = await import('./ui/help.ts');
  const text =
    name === undefined || HELP.has(name)
      ? await overview(context)
      : commandHelp(name, await loadCommand(name), context);
  context.stdout.write(fitted(text, widthOf(context.stdout, context.env)));
  return EXIT.ok;
}

/** @throws Ben10Error USAGE */
function parse(commandClass: Ben10CommandClass, argv: string[], context: Ben10Context) {
  const cli = Cli.from<Ben10Context>(commandClass, { binaryName: 'ben10' });
  const options = cli.definitions()[0]?.options ?? [];
  try {
    return cli.process(withValues(argv, options, commandClass.takesText), context);
  } catch (error) {
    const names = options.flatMap(({ definition }) => definition.split(' ')[0]!.split(','));
    throw asUsageError(error, argv, names, commandClass.takesText);
  }
}
