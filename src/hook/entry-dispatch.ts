// The `ben10` program: hooks go straight to their own small bundle, everything else to the command line, `ben10 hook`
// without an event included: it has the help.
import { type Bundle, loadBundle } from './code-cache.ts';

const [, , command, event] = process.argv;

if (command === 'hook' && event && event[0] !== '-') {
  let secrets: Bundle<object> | undefined;
  // What the hook's bundles ask for by its file's name, and is a bundle of the same kind.
  const load = (id: string): unknown => {
    if (id !== './hook-secrets.cjs') return require(id);
    secrets ??= loadBundle('hook-secrets', require);
    return secrets.exports;
  };
  const { exports, keep } = loadBundle<typeof import('./entry-hook.ts')>('hook', load);
  const recorded = () => {
    keep();
    secrets?.keep();
  };
  exports.runHook(event, recorded, () => loadBundle('hook-slow', load));
} else {
  const { runCli } = require('./cli.cjs') as { runCli(): void };
  runCli();
}
