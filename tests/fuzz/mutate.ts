import {
  CHUNK,
  CHUNK_HEADER_BYTES,
  FOOTER,
  FOOTER_BYTES,
  FRAME,
  FRAME_HEADER_BYTES,
  FRAME_MAGIC,
  FRAME_TRAILER_BYTES,
  SEGMENT,
  SEGMENT_HEADER_BYTES,
} from '../../src/journal/format/format.ts';
import { frameBytes } from '../../src/journal/format/frame.ts';
import type { Hash64 } from '../../src/platform/xxh64.ts';
import type { Chance } from '../damage/chance.ts';

/** Numbers at which code likes to be wrong. */
const EDGES = [0, 1, 7, 8, 127, 128, 255, 256, 65_535, 0x7fff_ffff, 0xffff_ffff, 1_048_576];

/** One change: a bit, a byte, a number, a range. */
function change(bytes: Buffer, chance: Chance): Buffer {
  if (bytes.length === 0) return chance.bytes(chance.between(1, 40));
  const copy = Buffer.from(bytes);
  const at = chance.below(copy.length);
  const room = copy.length - at;
  switch (chance.below(9)) {
    case 0:
      copy[at] = copy[at]! ^ (1 << chance.below(8));
      return copy;
    case 1:
      copy[at] = chance.below(256);
      return copy;
    case 2:
      if (room >= 4) copy.writeUInt32LE(chance.pick(EDGES), at);
      return copy;
    case 3:
      if (room >= 8)
        copy.writeBigUInt64LE(BigInt(chance.pick(EDGES)) << BigInt(chance.below(32)), at);
      return copy;
    case 4:
      return copy.subarray(0, at);
    case 5:
      return Buffer.concat([
        copy.subarray(0, at),
        chance.bytes(chance.between(1, 64)),
        copy.subarray(at),
      ]);
    case 6:
      return Buffer.concat([copy.subarray(0, at), copy.subarray(at + chance.between(1, 64))]);
    case 7:
      return Buffer.concat([copy, copy.subarray(at)]);
    default:
      copy.copy(copy, chance.below(copy.length), at, at + chance.between(1, 256));
      return copy;
  }
}

/** One to six changes; half of the time fields near the front or the end, where structures say what they are. */
export function mutated(bytes: Buffer, chance: Chance): Buffer {
  let now = bytes;
  for (let n = chance.between(1, 6); n > 0; n -= 1)
    now = chance.coin() ? change(now, chance) : field(now, chance);
  return now;
}

/** Sets an aligned field of a structure's width. */
function field(bytes: Buffer, chance: Chance): Buffer {
  const copy = Buffer.from(bytes);
  const near = Math.min(copy.length, 512);
  const slots = Math.floor(near / 4);
  if (slots === 0) return copy;
  const slot = chance.below(slots) * 4;
  const at = chance.coin() ? slot : copy.length - near + slot;
  if (at + 4 <= copy.length)
    copy.writeUInt32LE(chance.coin() ? chance.pick(EDGES) : chance.below(2 ** 32), at);
  return copy;
}

type Mend = (bytes: Buffer, xxh64: Hash64) => Buffer;

/** The header's sum, and every frame's that has its magic where a frame may start. */
export const mendRaw: Mend = (bytes, xxh64) => {
  const copy = mendHeader(bytes, xxh64);
  if (copy.length < SEGMENT_HEADER_BYTES) return copy;
  const salt = copy.readBigUInt64LE(SEGMENT.salt);
  for (let at = SEGMENT_HEADER_BYTES; at + FRAME_HEADER_BYTES <= copy.length; at += 8) {
    if (copy.readUInt32LE(at) !== FRAME_MAGIC) continue;
    const header = copy.subarray(at, at + FRAME_HEADER_BYTES);
    header.writeBigUInt64LE(
      xxh64(header.subarray(0, FRAME.checksum), salt ^ BigInt(at)),
      FRAME.checksum,
    );
    const bodyBytes = header.readUInt32LE(FRAME.bodyBytes);
    const end = at + frameBytes(bodyBytes);
    if (end > copy.length) continue;
    const body = copy.subarray(at + FRAME_HEADER_BYTES, at + FRAME_HEADER_BYTES + bodyBytes);
    const seed = salt ^ header.readBigUInt64LE(FRAME.seq);
    copy.writeBigUInt64LE(xxh64(body, seed), end - FRAME_TRAILER_BYTES);
  }
  return copy;
};

const mendHeader: Mend = (bytes, xxh64) => {
  const copy = Buffer.from(bytes);
  if (copy.length < SEGMENT_HEADER_BYTES) return copy;
  copy.writeBigUInt64LE(xxh64(copy.subarray(0, SEGMENT.checksum), 0n), SEGMENT.checksum);
  return copy;
};

/** Header, footer, index, id table, and every chunk header that says where it stands. */
export const mendSealed: Mend = (bytes, xxh64) => {
  const copy = mendHeader(bytes, xxh64);
  if (copy.length < SEGMENT_HEADER_BYTES + FOOTER_BYTES) return copy;
  const salt = copy.readBigUInt64LE(SEGMENT.salt);
  for (let at = SEGMENT_HEADER_BYTES; at + CHUNK_HEADER_BYTES <= copy.length; at += 1) {
    if (copy.readBigUInt64LE(at + CHUNK.offset) !== BigInt(at)) continue;
    const chunk = copy.subarray(at, at + CHUNK_HEADER_BYTES);
    chunk.writeBigUInt64LE(xxh64(chunk.subarray(0, CHUNK.checksum), salt), CHUNK.checksum);
  }
  const footer = copy.subarray(copy.length - FOOTER_BYTES);
  const index = Number(footer.readBigUInt64LE(FOOTER.indexOffset));
  const ids = Number(footer.readBigUInt64LE(FOOTER.idsOffset));
  const indexBytes = footer.readUInt32LE(FOOTER.chunks) * CHUNK_HEADER_BYTES;
  for (
    let at = index;
    at < index + indexBytes && at + CHUNK_HEADER_BYTES <= copy.length;
    at += CHUNK_HEADER_BYTES
  ) {
    const chunk = copy.subarray(at, at + CHUNK_HEADER_BYTES);
    chunk.writeBigUInt64LE(xxh64(chunk.subarray(0, CHUNK.checksum), salt), CHUNK.checksum);
  }
  for (const [start, length] of [
    [index, indexBytes],
    [ids, footer.readUInt32LE(FOOTER.count) * 8],
  ] as const) {
    if (start + length + 8 > copy.length) continue;
    copy.writeBigUInt64LE(xxh64(copy.subarray(start, start + length), salt), start + length);
  }
  footer.writeBigUInt64LE(xxh64(footer.subarray(0, FOOTER.checksum), 0n), FOOTER.checksum);
  return copy;
};

/** A sum over everything before it, at a place of its own: containers and hints. */
export const mendSumAt =
  (at: number): Mend =>
  (bytes, xxh64) => {
    const copy = Buffer.from(bytes);
    if (copy.length >= at + 8) copy.writeBigUInt64LE(xxh64(copy.subarray(0, at), 0n), at);
    return copy;
  };

export const mendSpool: Mend = (bytes, xxh64) => {
  const copy = Buffer.from(bytes);
  if (copy.length < 32) return copy;
  copy.writeUInt32LE(copy.length - 32, 12);
  copy.writeBigUInt64LE(xxh64(copy.subarray(32), xxh64(copy.subarray(0, 16), 0n)), 16);
  return copy;
};

export const mendManifest: Mend = (bytes, xxh64) => {
  const end = bytes.indexOf(0x0a);
  const line = end === -1 ? bytes : bytes.subarray(0, end);
  const sum = xxh64(line, 0n).toString(16).padStart(16, '0');
  return Buffer.concat([line, Buffer.from(`\n${sum}\n`)]);
};

/** A value of JSON with one thing in it replaced by something that nobody expects there. */
export function mutatedJson(value: unknown, chance: Chance, depth = 0): unknown {
  if (depth > 6 || chance.below(4) === 0) return oddValue(chance);
  if (Array.isArray(value)) {
    if (value.length === 0) return [oddValue(chance)];
    const copy = [...value];
    const at = chance.below(copy.length);
    if (chance.below(6) === 0) copy.splice(at, 1);
    else copy[at] = mutatedJson(copy[at], chance, depth + 1);
    return copy;
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    if (entries.length === 0) return { [oddKey(chance)]: oddValue(chance) };
    const at = chance.below(entries.length);
    const [key, one] = entries[at]!;
    if (chance.below(6) === 0) entries.splice(at, 1);
    else
      entries[at] = [
        chance.below(8) === 0 ? oddKey(chance) : key,
        mutatedJson(one, chance, depth + 1),
      ];
    return Object.fromEntries(entries);
  }
  return oddValue(chance);
}

const oddKey = (chance: Chance): string =>
  chance.pick(['__proto__', 'constructor', 'toString', '', 'type', '\u0000', 'x'.repeat(300)]);

function oddValue(chance: Chance): unknown {
  return chance.pick<() => unknown>([
    () => null,
    () => true,
    () => -1,
    () => 1e308,
    () => 2 ** 53,
    () => Number.NaN,
    () => '',
    () => '\u0000\u001b[31m\u202e\ud800',
    () => 'y'.repeat(chance.below(3000)),
    () => [],
    () => ({}),
    () => [[[[[[null]]]]]],
    () => ({
      type: chance.pick(['user', 'assistant', 'system', 'attachment', 'tool_use', 'text']),
    }),
    () => ({ message: { content: [{ type: 'tool_result', content: [null] }] } }),
    () => '2026-13-45T99:99:99Z',
    () => ({ $blob: '../../etc/passwd', bytes: -1, head: 3 }),
  ])();
}
