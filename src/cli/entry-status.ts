// `ben10 status` without the command line, whose loading takes longer than the answer.
import { fstatSync, writeSync } from 'node:fs';
import { errno } from '../platform/errors.ts';
import { xxh64 } from '../platform/xxh64.ts';
import { STATUS } from '../project/features.ts';
import { type ContextStatus, status } from '../status/status.ts';
import { EXIT } from './exit.ts';
import { withJournal } from './open.ts';
import { onOutputError } from './output-error.ts';
import { settingsWarnings, withSettings } from './settings-warnings.ts';
import { toJson } from './ui/json.ts';
import { type StatusColours, statusLines } from './ui/status.ts';
import { setTextWidth } from './ui/wrap.ts';

const PLAIN: StatusColours = { green: String, yellow: String, red: String, bold: String };

/**
 * Prints the status and ends the process.
 * @param done called when it is printed
 * @throws errors for the command line to report; nothing was printed then
 */
export async function runStatus(json: boolean, done: () => void): Promise<void> {
  const stderr = { write: (text: string) => writeSync(2, text) };
  const { env } = process;
  const endBusy = fstatSync(2).isCharacterDevice() ? await busy() : () => undefined;
  const found = await withJournal(
    { cwd: process.cwd(), env, stderr },
    async (project) => withSettings(status(project, STATUS), await settingsWarnings(project, env)),
    xxh64,
  );
  endBusy();
  const isPlain = !fstatSync(1).isCharacterDevice() && env.FORCE_COLOR === undefined;
  const text = json
    ? toJson(found)
    : isPlain
      ? statusLines(found, PLAIN).join('\n')
      : await shown(found);
  const isPrinted = print(`${text}\n`);
  done();
  process.exitCode = found.health === 'error' ? EXIT.notSo : EXIT.ok;
  // Skips the teardown of the process.
  if (isPrinted) process.exit();
}

async function busy(): Promise<() => void> {
  const { showBusy, endBusy } = await import('./ui/busy.ts');
  showBusy('reading the journal');
  return endBusy;
}

/** For a terminal. */
async function shown(found: ContextStatus): Promise<string> {
  const { coloursOf, widthOf } = await import('./ui/terminal.ts');
  const { fitted } = await import('./ui/fit.ts');
  const { stdout, env } = process;
  const width = widthOf(stdout, env);
  setTextWidth(width);
  return fitted(statusLines(found, coloursOf(stdout, env)).join('\n'), width);
}

/**
 * Without `process.stdout`, which takes longer to load than everything here.
 * @returns false if the reader is slow and some output is still pending
 */
function print(text: string): boolean {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if (errno(error) !== 'EAGAIN') onOutputError(error as NodeJS.ErrnoException);
      process.stdout.on('error', onOutputError);
      process.stdout.write(bytes.subarray(at));
      return false;
    }
  }
  return true;
}
