import { writeSync } from 'node:fs';
import { EXIT } from './exit.ts';

/** A closed pipe (`ben10 log | head`) is no error; a full disk is reported on stderr. */
export function onOutputError(error: NodeJS.ErrnoException): never {
  if (error.code === 'EPIPE') process.exit(EXIT.ok);
  const line = `ben10: the output cannot be written: ${error.message} [FS_WRITE_ERROR]\n`;
  try {
    writeSync(2, line);
  } catch {
    // stderr is closed, too.
  }
  process.exit(EXIT.notSo);
}
