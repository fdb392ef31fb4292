import { writeSync } from 'node:fs';
import { EXIT } from './exit.ts';

/** A reader that has seen enough (`ben10 log | head`) is no failure of ours; a full disk is said where it still can be. */
export function onOutputError(error: NodeJS.ErrnoException): never {
  if (error.code === 'EPIPE') process.exit(EXIT.ok);
  const line = `ben10: the output cannot be written: ${error.message} [FS_WRITE_ERROR]\n`;
  try {
    writeSync(2, line);
  } catch {
    // Nobody can be told.
  }
  process.exit(EXIT.notSo);
}
