import { writeSync } from 'node:fs';
import { EXIT } from './command.ts';
import { processContext } from './context.ts';
import { run } from './run.ts';
import { exitCodeOf, printError } from './ui/errors.ts';

/** A reader that has seen enough (`ben10 log | head`) is no failure of ours; a full disk is said where it still can be. */
function onOutputError(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(EXIT.ok);
  const line = `ben10: the output cannot be written: ${error.message} [FS_WRITE_ERROR]\n`;
  try {
    writeSync(process.stderr.fd, line);
  } catch {
    // Nobody can be told.
  }
  process.exit(EXIT.notSo);
}

/**
 * What the `ben10` program does with everything that is not a hook.
 * @param done called when the command has answered
 */
export function runCli(done: () => void): void {
  process.stdout.on('error', onOutputError);
  process.stderr.on('error', onOutputError);
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
