// The `ben10` program: hooks go straight to their own small bundle, the server that a client starts and `ben10 status` to theirs,
// everything else to the command line: `ben10 hook` on a terminal, which has help, and the other two with options.
import { constants, fstatSync } from 'node:fs';
import { type Bundle, loadBundle, loadText, type Require } from './code-cache.ts';
import { READ_ON } from './read-on.ts';
import { WORK } from './work.ts';

/** When the server leaves what V8 has compiled of it, milliseconds after its start. */
const KEEP_AFTER_MS = 2000;

/** How many ways `asked` tells apart. */
const ASKED_MAX = 8;

const [, , command, event, more] = process.argv;

/** Bundles that another one asks for. */
const apart = new Map<string, Bundle<object>>();
/** Texts that one asks for. */
const texts = new Map<string, string>();

if (command === 'hook' && (event ? event[0] !== '-' : !isPerson())) {
  try {
    hook(event);
  } catch (error) {
    // Half of an installation, as while npm is at work: the agent goes on all the same.
    const why = String((error as Error).message)
      .split('\n')[0]
      ?.slice(0, 300);
    process.stderr.write(`ben10: this event was not recorded: its program is incomplete: ${why}\n`);
  }
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

/** By itself: the command line would take longer to load than the server. */
function serve(): void {
  const { exports, keep } = server();
  exports.startServer().then(
    // By then the client has asked what every client asks.
    () => setTimeout(() => keep(), KEEP_AFTER_MS).unref(),
    (error: unknown) => commandLine().exports.fail(error),
  );
}

function server() {
  return loadBundle<typeof import('../mcp/main.ts')>('mcp', require, false);
}

/** What keeps it from an answer the command line comes upon again, and knows how to say. */
function status(json: boolean): void {
  const { exports, keep } = loadBundle<typeof import('../cli/entry-status.ts')>('status', require);
  exports.runStatus(json, () => keep(json ? 0 : 1)).catch(runCli);
}

function runCli(): void {
  const { exports, keep } = commandLine();
  exports.runCli(keep);
}

function commandLine() {
  return loadBundle<typeof import('../cli/main.ts')>('cli', require, false);
}

/** Whether stdin is a terminal: without a word about the event, a client's says it. */
function isPerson(): boolean {
  try {
    return (fstatSync(0).mode & constants.S_IFMT) === constants.S_IFCHR;
  } catch {
    return false; // it is closed
  }
}

function hook(event: string | undefined): void {
  const { exports, keep } = loadBundle<typeof import('./entry-hook.ts')>('hook', asking({}));
  const recorded = (way: number) => {
    for (const bundle of apart.values()) bundle.keep();
    // As does each way that an event can go.
    keep(asked() + way * ASKED_MAX);
  };
  exports.runHook(event, recorded, slow);
}

/** What the hook has asked for beside its bundle: each makes V8 compile more of that. Who asks for the table asks for its tokens. */
function asked(): number {
  const contexts = apart.has('./hook-contexts.cjs');
  if (texts.has('./hook-tokens.txt'))
    return 2 + (texts.has('./hook-labelled.txt') ? 1 : 0) + (contexts ? 2 : 0);
  return contexts ? 6 : texts.has('./hook-programs.txt') ? 1 : 0;
}

function slow() {
  return loadBundle<typeof import('./entry-slow.ts')>('hook-slow', asking({}));
}

/** What a bundle hands something to, asking for it by its file's name, is one of the same kind. */
function asking(known: Record<string, unknown>): Require {
  return (id, shared) => {
    if (id in known) return known[id];
    if (id.endsWith('.txt')) {
      if (!texts.has(id)) texts.set(id, loadText(id));
      return texts.get(id);
    }
    if (shared === undefined) return require(id);
    if (!apart.has(id)) apart.set(id, loadBundle(id.slice(2, -4), asking({ ...known, ...shared })));
    return apart.get(id)!.exports;
  };
}
