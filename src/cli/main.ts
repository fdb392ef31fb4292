import { processContext } from './context.ts';
import { EXIT } from './exit.ts';
import { onOutputError } from './output-error.ts';
import { run } from './run.ts';
import { exitCodeOf, printError } from './ui/errors.ts';

/**
 * What the `ben10` program does with everything that is not a hook.
 * @param done called when the command has answered
 */
export function runCli(done: () => void): void {
  process.stdout.on('error', onOutputError);
  process.stderr.on('error', onOutputError);
  // Until it has ended: what waits for something that never comes ends by itself, and has done nothing.
  process.exitCode = EXIT.notSo;
  void run(process.argv.slice(2), processContext()).then((code) => {
    process.exitCode = code;
    done();
  });
}

/** Says why a command ended that was started without `runCli`. */
export function fail(error: unknown): void {
  process.exitCode = exitCodeOf(error);
  void printError(error, processContext(), false);
}
