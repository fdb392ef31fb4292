import { processContext } from './context.ts';
import { run } from './run.ts';

/** A reader that has seen enough (`ben10 log | head`) is no failure of ours. */
function onBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
}

/** What the `ben10` program does with everything that is not a hook. */
export function runCli(): void {
  process.stdout.on('error', onBrokenPipe);
  process.stderr.on('error', onBrokenPipe);
  void run(process.argv.slice(2), processContext()).then((code) => {
    process.exitCode = code;
  });
}
