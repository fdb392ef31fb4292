// The `ben10` program: hooks go straight to their own small bundle, everything else to the command line.
import { loadBundle } from './code-cache.ts';

const [, , command, event] = process.argv;

if (command === 'hook') {
  const { exports, keep } = loadBundle<typeof import('./entry-hook.ts')>('hook', require);
  exports.runHook(event, keep, () => loadBundle('hook-slow', require));
} else {
  const { runCli } = require('./cli.cjs') as { runCli(): void };
  runCli();
}
