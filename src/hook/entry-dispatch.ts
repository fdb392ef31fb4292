// The `ben10` program: hooks go straight to their own small bundle, everything else to the command line, `ben10 hook`
// without an event included: it has the help.
import { type Bundle, loadBundle } from './code-cache.ts';

const [, , command, event] = process.argv;

if (command === 'hook' && event && event[0] !== '-') {
  try {
    hook(event);
  } catch (error) {
    // Half of an installation, as while npm is at work: the agent goes on all the same.
    const why = String((error as Error).message)
      .split('\n')[0]
      ?.slice(0, 300);
    process.stderr.write(`ben10: this event was not recorded: its program is incomplete: ${why}\n`);
  }
} else {
  const { runCli } = require('./cli.cjs') as { runCli(): void };
  runCli();
}

function hook(event: string): void {
  let secrets: Bundle<object> | undefined;
  // What the hook's bundles ask for by its file's name, and is a bundle of the same kind.
  const load = (id: string): unknown => {
    if (id !== './hook-secrets.cjs') return require(id);
    secrets ??= loadBundle('hook-secrets', require);
    return secrets.exports;
  };
  const { exports, keep } = loadBundle<typeof import('./entry-hook.ts')>('hook', load);
  const recorded = () => {
    // The first secret that is met makes V8 compile more of both.
    keep(secrets?.keep());
  };
  exports.runHook(event, recorded, () => loadBundle('hook-slow', load));
}
