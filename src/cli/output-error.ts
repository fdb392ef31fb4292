import { writeSync } from 'node:fs';
import { EXIT } from './exit.ts';

let leave = (): void => process.exit(EXIT.ok);

/** For who has something to end first: nobody reads any more. */
export function whenNobodyReads(end: () => void): void {
  leave = end;
}

/** A closed pipe (`ben10 log | head`) or terminal is no error; a full disk is reported on stderr. */
export function onOutputError(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE' || error.code === 'EIO') {
    leave();
    return;
  }
  const line = `ben10: the output cannot be written: ${error.message} [FS_WRITE_ERROR]\n`;
  try {
    writeSync(2, line);
  } catch {
    // stderr is closed, too.
  }
  process.exit(EXIT.notSo);
}
