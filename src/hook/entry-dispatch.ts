// The `ben10` program. Hooks, the server and `ben10 status` load small bundles of their own; everything else loads
// the command line, also `ben10 hook` on a terminal and the other two with options.
import { constants, fstatSync } from 'node:fs';
import { type Bundle, loadBundle } from './code-cache.ts';
import { READ_ON } from './read-on.ts';
import { WORK } from './work.ts';

/** When the server stores its compiled code, milliseconds after its start. */
const KEEP_AFTER_MS = 2000;

const [, , command, event, more] = process.argv;

/** Bundles that hooks load by file name. */
const REDACTION = './redaction.cjs';
const HOOK_SLOW = './hook-slow.cjs';
const APART = [REDACTION, HOOK_SLOW, './hook-handoff.cjs'];
const apart = new Map<string, Bundle<object>>();

if (command === 'hook' && (event ? event[0] !== '-' : !isPerson())) {
  try {
    hook(event);
  } catch (error) {
    // An incomplete installation, as while npm runs: the agent goes on.
    const why = String((error as Error).message)
      .split('\n')[0]
      ?.slice(0, 300);
    process.stderr.write(`ben10: this event was not recorded: its program is incomplete: ${why}\n`);
  }
} else if (command === 'statusline' && !process.argv.includes('--help')) {
  statusLine();
} else if (command === 'serve' && event === undefined) {
  serve();
} else if (command === WORK) {
  const { exports, keep } = server();
  exports.work();
  setTimeout(() => keep(1), KEEP_AFTER_MS).unref();
} else if (command === READ_ON) {
  slow().exports.readOn(process.argv.slice(3));
} else if (command === 'status' && (event ?? '--json') === '--json' && more === undefined) {
  status(event !== undefined);
} else {
  runCli();
}

/** The command line would take longer to load than the server. */
function serve(): void {
  const { exports, keep } = server();
  exports.startServer().then(
    // By then the client has made its usual first requests.
    () => setTimeout(() => keep(), KEEP_AFTER_MS).unref(),
    (error: unknown) => commandLine().exports.fail(error),
  );
}

function server() {
  return loadBundle<typeof import('../mcp/main.ts')>('mcp', require, false);
}

/** If it fails, the command line meets the same error and reports it. */
function status(json: boolean): void {
  const { exports, keep } = loadBundle<typeof import('../cli/entry-status.ts')>('status', ask);
  exports.runStatus(json, () => keep(json ? 0 : 1)).catch(runCli);
}

/** Even an incomplete installation prints a line: the client would blank it. */
function statusLine(): void {
  const failed = () => process.stdout.write('[CTX: --%]\n');
  try {
    const { exports, keep } = loadBundle<typeof import('../statusline/entry.ts')>(
      'statusline',
      ask,
    );
    exports.runStatusLine(process.argv.slice(3), keep).catch(failed);
  } catch {
    failed();
  }
}

function runCli(): void {
  const { exports, keep } = commandLine();
  exports.runCli(keep);
}

function commandLine() {
  return loadBundle<typeof import('../cli/main.ts')>('cli', require, false);
}

/** Whether stdin is a terminal: a client that names no event writes to a pipe. */
function isPerson(): boolean {
  try {
    return (fstatSync(0).mode & constants.S_IFMT) === constants.S_IFCHR;
  } catch {
    return false; // it is closed
  }
}

function hook(event: string | undefined): void {
  const { exports, keep } = loadBundle<typeof import('./entry-hook.ts')>('hook', ask);
  const recorded = (way: number, isSeen: boolean) => {
    for (const bundle of apart.values()) bundle.keep();
    // Each way an event can go compiles other functions, and so do redaction and a look at the transcript.
    keep(4 * way + (apart.has(REDACTION) ? 2 : 0) + (isSeen ? 1 : 0));
  };
  exports.runHook(event, recorded, slow);
}

function slow(): Bundle<typeof import('./entry-slow.ts')> {
  const { exports, keep } = bundleOf(HOOK_SLOW);
  const keepAll = (work?: number) => {
    apart.get(REDACTION)?.keep();
    keep(work);
  };
  return { exports: exports as typeof import('./entry-slow.ts'), keep: keepAll };
}

function ask(id: string): unknown {
  return APART.includes(id) ? bundleOf(id).exports : require(id);
}

function bundleOf(id: string): Bundle<object> {
  if (!apart.has(id)) apart.set(id, loadBundle(id.slice(2, -4), ask));
  return apart.get(id)!;
}
