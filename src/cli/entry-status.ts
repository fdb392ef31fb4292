// `ben10 status` without the command line, whose loading takes longer than the answer.
import { fstatSync, writeSync } from 'node:fs';
import { errno } from '../platform/errors.ts';
import { xxh64 } from '../platform/xxh64.ts';
import { STATUS } from '../project/features.ts';
import { status } from '../status/status.ts';
import { EXIT } from './exit.ts';
import { withJournal } from './open.ts';
import { onOutputError } from './output-error.ts';
import { settingsWarnings, withSettings } from './settings-warnings.ts';
import { toJson } from './ui/json.ts';
import { type StatusColours, statusLines } from './ui/status.ts';

const PLAIN: StatusColours = { green: String, yellow: String, red: String, bold: String };

/**
 * Prints the status and ends the process.
 * @param done called when it is printed
 * @throws errors for the command line to report; nothing was printed then
 */
export async function runStatus(json: boolean, done: () => void): Promise<void> {
  const stderr = { write: (text: string) => writeSync(2, text) };
  const { env } = process;
  const found = await withJournal(
    { cwd: process.cwd(), env, stderr },
    async (project) => withSettings(status(project, STATUS), await settingsWarnings(project, env)),
    xxh64,
  );
  const isTerminal = fstatSync(1).isCharacterDevice();
  const colours = isTerminal && !json ? await coloursHere() : PLAIN;
  const text = json ? toJson(found) : statusLines(found, colours).join('\n');
  const isPrinted = print(`${text}\n`);
  done();
  process.exitCode = found.health === 'error' ? EXIT.notSo : EXIT.ok;
  // Skips the teardown of the process.
  if (isPrinted) process.exit();
}

async function coloursHere(): Promise<StatusColours> {
  const { coloursOf } = await import('./ui/terminal.ts');
  return coloursOf(process.stdout, process.env);
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
