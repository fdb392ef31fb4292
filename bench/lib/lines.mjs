import { closeSync, openSync, readSync } from 'node:fs';

/** What is read at once: a file of a gigabyte is no string. */
const PIECE_BYTES = 4 * 1024 * 1024;
const LINE = 0x0a;

/** Hands over a file's lines, some thousands at once. */
export function eachLines(file, take) {
  const fd = openSync(file, 'r');
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  let kept = 0;
  for (;;) {
    const read = readSync(fd, piece, kept, PIECE_BYTES - kept, null);
    if (read === 0) break;
    const end = piece.lastIndexOf(LINE, kept + read - 1) + 1;
    take(piece.toString('utf8', 0, end).split('\n'));
    piece.copy(piece, 0, end, kept + read);
    kept += read - end;
  }
  closeSync(fd);
}

/** Parses a file of JSON lines with nothing between the bytes and `JSON.parse`; returns how many there were. */
export function parsedLines(file) {
  let seen = 0;
  eachLines(file, (lines) => {
    for (const line of lines) if (line !== '' && JSON.parse(line).seq > 0) seen += 1;
  });
  return seen;
}
