// The `ben10` program: hooks go straight to their own small bundle, everything else to the command line, `ben10 hook`
// without an event included: it has the help.
import { loadBundle } from './code-cache.ts';

const [, , command, event] = process.argv;

if (command === 'hook' && event && event[0] !== '-') {
  const { exports, keep } = loadBundle<typeof import('./entry-hook.ts')>('hook', require);
  exports.runHook(event, keep, () => loadBundle('hook-slow', require));
} else {
  const { runCli } = require('./cli.cjs') as { runCli(): void };
  runCli();
}
