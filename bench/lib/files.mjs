import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import path from 'node:path';

const PIECE = Buffer.allocUnsafe(4 * 1024 * 1024);

/** All files in a folder, at any depth. */
export const filesIn = (dir) =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .sort();

export const segmentsIn = (dir) =>
  filesIn(path.join(dir, '.ben10', 'journal')).filter((file) => /\.b10z?$/.test(file));

export const bytesIn = (files) => files.reduce((sum, file) => sum + statSync(file).size, 0);

/** Hands a file to `take`, piece by piece: the same memory each time. */
export function eachPiece(file, take) {
  const fd = openSync(file, 'r');
  for (;;) {
    const read = readSync(fd, PIECE, 0, PIECE.length, null);
    if (read === 0) break;
    take(PIECE.subarray(0, read));
  }
  closeSync(fd);
}
