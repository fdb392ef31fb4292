import { closeSync, existsSync, openSync, readSync, renameSync, writeSync } from 'node:fs';
import { eachLines } from './lines.mjs';
import { peer } from './peers.mjs';

/** What is read at once. */
const PIECE_BYTES = 4 * 1024 * 1024;
/** In front of each event: its length, as four bytes. */
const LENGTH_BYTES = 4;

/**
 * The events of a file of JSON lines as msgpackr packs them, each behind its length, in a file beside it; made once.
 * @returns what unpacks all of them and returns how many there were; undefined where msgpackr cannot be loaded
 */
export async function packedEvents(lines) {
  const msgpackr = await peer('msgpackr');
  if (msgpackr === undefined) return undefined;
  // Plain maps, as any reader of MessagePack takes them; its records are a form of its own.
  const packr = new msgpackr.Packr({ useRecords: false });
  const file = `${lines}.msgpack`;
  if (!existsSync(file)) packLines(lines, file, packr);
  return () => unpacked(file, packr);
}

function packLines(lines, file, packr) {
  const fd = openSync(`${file}.tmp`, 'w');
  eachLines(lines, (some) => {
    const packed = some.filter((line) => line !== '').map((line) => packr.pack(JSON.parse(line)));
    const length = ({ length }) => Buffer.from(Uint32Array.of(length).buffer);
    writeSync(fd, Buffer.concat(packed.flatMap((one) => [length(one), one])));
  });
  closeSync(fd);
  renameSync(`${file}.tmp`, file);
}

/** Nothing stands between the bytes and `unpack`. */
function unpacked(file, packr) {
  const fd = openSync(file, 'r');
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  let [kept, seen] = [0, 0];
  for (;;) {
    const read = readSync(fd, piece, kept, PIECE_BYTES - kept, null);
    if (read === 0) break;
    const end = kept + read;
    let at = 0;
    for (; at + LENGTH_BYTES <= end; seen += 1) {
      const next = at + LENGTH_BYTES + piece.readUInt32LE(at);
      if (next > end) break;
      if (!(packr.unpack(piece.subarray(at + LENGTH_BYTES, next)).seq > 0)) break;
      at = next;
    }
    piece.copy(piece, 0, at, end);
    kept = end - at;
  }
  closeSync(fd);
  return seen;
}
