import type { Damage } from '../../src/journal/read/scan.ts';

/** Bytes that could not be read as what they were, and where they stood. */
export interface Piece {
  /** `segment` of the damage, and the offset. */
  where: string;
  bytes: Buffer;
}

/** A shorter part of a piece may stand anywhere by chance. */
const PART_BYTES_MIN = 32;

/**
 * What a repair may take out of its place.
 * @param damage as a verification tells it
 * @param bytesOf a damaged file's, by the name that the damage gives it; undefined where it is not there
 */
export const piecesOf = (
  damage: readonly (Damage & { segment: string })[],
  bytesOf: (segment: string) => Buffer | undefined,
): Piece[] =>
  damage.flatMap(({ segment, offset, bytes }) => {
    const piece = bytesOf(segment)?.subarray(offset, offset + bytes);
    if (piece === undefined || piece.length === 0) return [];
    return [{ where: `${segment} at ${offset}`, bytes: Buffer.from(piece) }];
  });

/**
 * Those of which any byte stands nowhere any more. Of one that turned out to be readable in part, parts may stand in different files.
 * @param files what they may stand in: segments, and what is in quarantine
 */
export const lostPieces = (pieces: readonly Piece[], files: readonly Buffer[]): string[] =>
  pieces.flatMap(({ where, bytes }) => {
    const at = lostAt(bytes, files);
    return at === undefined
      ? []
      : [
          `${where}: of its ${bytes.length} bytes those at ${at} are neither there nor in quarantine`,
        ];
  });

/** A part may also begin so many bytes before the end of the one before it: an event that was mended stands in two files. */
const OVERLAPS = [0, 8, 16, 24, 32];

/** From the first byte on the longest part that stands somewhere, and so on from behind it. */
function lostAt(bytes: Buffer, files: readonly Buffer[]): number | undefined {
  const endOf = (from: number) => {
    const length = longestAt(bytes.subarray(from), files);
    return length < Math.min(PART_BYTES_MIN, bytes.length - from) ? 0 : from + length;
  };
  for (let at = 0; at < bytes.length; ) {
    const end = Math.max(...OVERLAPS.map((overlap) => endOf(Math.max(0, at - overlap))));
    if (end <= at) return at;
    at = end;
  }
  return undefined;
}

/** How much of the beginning stands in one of the files. */
function longestAt(bytes: Buffer, files: readonly Buffer[]): number {
  const isThere = (length: number) => {
    const part = bytes.subarray(0, length);
    return files.some((file) => file.includes(part));
  };
  if (isThere(bytes.length)) return bytes.length;
  let [least, most] = [0, bytes.length];
  while (most - least > 1) {
    const middle = (least + most) >> 1;
    if (isThere(middle)) least = middle;
    else most = middle;
  }
  return least;
}
