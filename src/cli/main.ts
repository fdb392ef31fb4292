import { processContext } from './context.ts';
import { EXIT } from './exit.ts';
import { onOutputError } from './output-error.ts';
import { run } from './run.ts';
import { exitCodeOf, printError } from './ui/errors.ts';

/** Runs everything but hooks. @param done called when the command has finished */
export function runCli(done: () => void): void {
  process.stdout.on('error', onOutputError);
  process.stderr.on('error', onOutputError);
  // For a command that waits for something that never happens.
  process.exitCode = EXIT.notSo;
  void run(process.argv.slice(2), processContext()).then((code) => {
    process.exitCode = code;
    done();
  });
}

/** Reports an error of a command that was started without `runCli`. */
export function fail(error: unknown): void {
  process.exitCode = exitCodeOf(error);
  void printError(error, processContext(), false);
}
