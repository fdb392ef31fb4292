// The `ben10` program: hooks go straight to their own small bundle, everything else to the command line.
const [, , command, event] = process.argv;

if (command === 'hook') {
  const { runHook } = require('./hook.cjs') as typeof import('./entry-hook.ts');
  runHook(event);
} else {
  const { runCli } = require('./cli.cjs') as { runCli(): void };
  runCli();
}
