// A small reader of its own for the ben10 journal, format 1, written from SPEC.md alone. It shares
// no code with the program, so that two readings of the same page can be compared. Simple rather
// than fast; it never writes.
//
//   node reader.mjs .ben10/journal            one JSON line an event; damage: JSON lines on stderr
//   node reader.mjs --verify .ben10/journal   also checks commitments, chains, blobs, other origins
//
// An erased event has type null. Events that still wait in the inbox come last, with seq null. Exit
// code: 0 sound, 1 damage, 2 not read, 3 written by a later version. Where Node has no Zstandard
// (before 22.15), sealed segments need the npm package fzstd, and a block that it does not unpack in
// a second is damage; a second one ends the reading.

import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import * as zlib from 'node:zlib';

const [AFTER_DAMAGE, SEALED, SKIP] = [1, 2, 8]; // a segment's flags
const PAYLOAD_MAX = 1_048_576 - 16; // the limits are SPEC.md's, in bytes
const CHUNK_MAX = 1_310_848;
const BLOCK_MAX = 1_048_576;
const CONTAINER_MAX = 268_435_456;
const CONTAINER_FILE_MAX = 32 + CONTAINER_MAX + (CONTAINER_MAX / BLOCK_MAX) * 24;
const SEGMENT_MAX = 67_108_864;
const INBOX_FILE_MAX = 33_554_432;
const INBOX_FILES_MAX = 100_000;
const MANIFEST_MAX = 65_536;
const WINDOW_MAX = 8_388_608; // of a Zstd frame; RFC 8878 asks every decoder for as much
const [ZSTD_BLOCKS_MAX, ZSTD_BLOCK_MIN] = [16, 256]; // each block may bring tables, which take time
const DEPTH_MAX = 64;
const [UNPACK_MS_MAX, THREAD_MS_MAX] = [1000, 30_000]; // the largest block takes some 50 ms
const UNENDING_MAX = 2;

/** The journal was written by a later version: not damage, but nothing to read here. */
class Later extends Error {}
/** Nothing can be said of the journal. */
class GivenUp extends Error {}

// ---- sums and structures ------------------------------------------------------------------------

const P1 = 0x9e3779b185ebca87n;
const P2 = 0xc2b2ae3d27d4eb4fn;
const P3 = 0x165667b19e3779f9n;
const P4 = 0x85ebca77c2b2ae63n;
const P5 = 0x27d4eb2f165667c5n;
const u64 = (x) => BigInt.asUintN(64, x);
const rol = (x, bits) => u64((x << bits) | (x >> (64n - bits)));
const round = (acc, input) => u64(rol(u64(acc + input * P2), 31n) * P1);

export function xxh64(bytes, seed = 0n) {
  let at = 0;
  let h = seed + P5;
  if (bytes.length >= 32) {
    const lanes = [u64(seed + P1 + P2), u64(seed + P2), seed, u64(seed - P1)];
    for (; at + 32 <= bytes.length; at += 32) {
      for (let i = 0; i < 4; i++) lanes[i] = round(lanes[i], bytes.readBigUInt64LE(at + 8 * i));
    }
    h = rol(lanes[0], 1n) + rol(lanes[1], 7n) + rol(lanes[2], 12n) + rol(lanes[3], 18n);
    for (const lane of lanes) h = u64((h ^ round(0n, lane)) * P1 + P4);
  }
  h = u64(h + BigInt(bytes.length));
  for (; at + 8 <= bytes.length; at += 8) {
    h = u64(rol(h ^ round(0n, bytes.readBigUInt64LE(at)), 27n) * P1 + P4);
  }
  if (at + 4 <= bytes.length) {
    h = u64(rol(h ^ u64(BigInt(bytes.readUInt32LE(at)) * P1), 23n) * P2 + P3);
    at += 4;
  }
  for (; at < bytes.length; at++) h = u64(rol(h ^ u64(BigInt(bytes[at]) * P5), 11n) * P1);
  h = u64((h ^ (h >> 33n)) * P2);
  h = u64((h ^ (h >> 29n)) * P3);
  return h ^ (h >> 32n);
}

function sha256(...parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
const commitment = (salt, payload) => sha256('ben10/body/1', salt, payload);
/** A kind that readers skip is under the chain; an event's is not, since it may become a tombstone. */
const linkOf = (before, { kind, covered }) =>
  sha256('ben10/chain/1', before, covered, Buffer.from(kind < 128 ? [] : [kind]));
const isZero = (bytes) => bytes.every((byte) => byte === 0);
const isSeq = (seq) => seq >= 1 && seq <= Number.MAX_SAFE_INTEGER;
const SEGMENT_NAME = /^\d{16}\.b10z?$/;
const SPOOL_NAME = /^[0-9a-f]{16}-[0-9a-f]{12}\.evt$/;
const HEX_ID = /^[0-9a-f]{32}$/;

/** All bytes as a number; infinite above 2^53 - 1, so that it passes no limit. */
function number(bytes) {
  if (bytes.length < 8) return bytes.length > 0 ? bytes.readUIntLE(0, bytes.length) : 0;
  const value = bytes.readBigUInt64LE();
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.POSITIVE_INFINITY : Number(value);
}

/**
 * A reader of one of SPEC.md's tables: a function of bytes, offset and seed to an object, or to
 * null where it does not fit in or a check fails. In `layout`, n is a number, u a u64, b bytes, z
 * reserved zeros, each of so many bytes; s is the sum of all before it; the rest is magic, in hex.
 */
function table(layout) {
  let size = 0;
  const fields = layout.split(/\s+/).map((field) => {
    const [name, kind = `m${field.length / 2}`] = field.split(':');
    const at = size;
    size += Number(kind.slice(1));
    return { name, type: kind[0], at, end: size };
  });
  return (file, offset = 0, seed = 0n) => {
    if (offset + size > file.length) return null;
    const all = file.subarray(offset, offset + size);
    const found = { all };
    for (const { name, type, at, end } of fields) {
      const bytes = all.subarray(at, end);
      if (type === 'm' && bytes.toString('hex') !== name) return null;
      if (type === 'z' && !isZero(bytes)) return null;
      if (type === 's' && xxh64(all.subarray(0, at), seed) !== bytes.readBigUInt64LE()) return null;
      if (type === 'n') found[name] = number(bytes);
      if (type === 'u') found[name] = bytes.readBigUInt64LE();
      if (type === 'b') found[name] = bytes;
    }
    return found;
  };
}

const segmentHeader = table(
  `42454e31304a0001 headerBytes:n2 minor:n2 flags:n4 journalId:b16 originId:b16 firstSeq:n8
   baseHlc:b8 prevChain:b32 salt:u8 reserved:z16 sum:s8`,
);
/** The same, of which a later version may have used the reserved bytes. */
const skippedHeader = table(
  `magic:b8 headerBytes:n2 minor:n2 flags:n4 journalId:b16 originId:b16 firstSeq:n8
   baseHlc:b8 prevChain:b32 salt:u8 reserved:b16 sum:b8`,
);
const frameHeader = table(
  `42313046 kind:n1 flags:n1 headerBytes:n2 bodyBytes:n4 typeTag:b4 seq:n8 hlc:b8 id:b16
   syncedUpto:b8 commit:b32 chain:b32 sum:s8`,
);
const frameTrailer = table('sum:u8 frameBytes:n4 46303142');
const chunkHeader = table(
  `firstSeq:n8 firstHlc:b8 minAt:b8 maxAt:b8 offset:n8 storedBytes:n4 plainBytes:n4 count:n4
   method:n1 reserved:z3 plainSum:u8 endChain:b32 sum:s8`,
);
const recordHead = table(
  `kind:n1 flags:n1 reserved:z2 payloadBytes:n4 typeTag:b4 reserved2:z4 seq:n8 hlc:b8
   syncedUpto:b8`,
);
/** Bytes 0..119 of a footer, whatever its magic; a later version seeds the sum with its number. */
const footerFields = table('fields:b112 sum:s8 magic:b8');
const footerTable = table(
  `lastSeq:n8 lastHlc:b8 count:n4 chunks:n4 indexOffset:n8 idsOffset:n8 level:n1 reserved:z7
   endChain:b32 digest:b32 sum:s8 42454e31305a0001`,
);
const containerHeader = table('42454e3130430001 plainBytes:n8 blocks:n4 reserved:z4 sum:s8');
const blockHead = table(
  `method:n1 reserved:z3 plainBytes:n4 storedBytes:n4 reserved2:z4 plainSum:u8`,
);
const spoolHeader = table('42454e3130530001 count:n4 bodyBytes:n4 sum:u8 reserved:z8');
const spoolRecord = table('id:b16 payloadBytes:n4 typeTag:b4');
const hintTable = table('42454e3130480001 syncedUpto:n8 syncedAt:n8 sum:s8');

// ---- payloads: MessagePack ----------------------------------------------------------------------

/** One value after the other; `depth` is how many non-empty containers stand around it. */
function unpacker(bytes, start) {
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
  let at = start;
  const take = (size) => {
    if (size > bytes.length - at) throw new Error('cut');
    at += size;
    return at - size;
  };
  const uint = (size) =>
    size === 8 ? Number(bytes.readBigUInt64BE(take(8))) : bytes.readUIntBE(take(size), size);
  const int = (size) =>
    size === 8 ? Number(bytes.readBigInt64BE(take(8))) : bytes.readIntBE(take(size), size);
  const text = (size) => utf8.decode(bytes.subarray(take(size), at));
  const inside = (count, least, depth) => {
    if (count * least > bytes.length - at) throw new Error('a count that cannot be');
    if (count > 0 && depth >= DEPTH_MAX) throw new Error('nested too deep');
  };
  const array = (count, depth) => {
    inside(count, 1, depth);
    const list = [];
    for (let i = 0; i < count; i++) list.push(value(depth + 1));
    return list;
  };
  const map = (count, depth) => {
    inside(count, 2, depth);
    const object = {};
    for (let i = 0; i < count; i++) {
      const key = value(DEPTH_MAX);
      if (typeof key !== 'string' || key === '__proto__') throw new Error('a forbidden key');
      object[key] = value(depth + 1);
    }
    return object;
  };
  const value = (depth) => {
    const head = uint(1);
    if (head <= 0x7f) return head;
    if (head <= 0x8f) return map(head & 15, depth);
    if (head <= 0x9f) return array(head & 15, depth);
    if (head <= 0xbf) return text(head & 31);
    if (head >= 0xe0) return head - 256;
    if (head === 0xc0) return null;
    if (head === 0xc2 || head === 0xc3) return head === 0xc3;
    if (head >= 0xc4 && head <= 0xc6) {
      const size = uint(1 << (head - 0xc4));
      return new Uint8Array(bytes.subarray(take(size), at));
    }
    if (head === 0xca) return bytes.readFloatBE(take(4));
    if (head === 0xcb) return bytes.readDoubleBE(take(8));
    if (head >= 0xcc && head <= 0xcf) return uint(1 << (head - 0xcc));
    if (head >= 0xd0 && head <= 0xd3) return int(1 << (head - 0xd0));
    if (head >= 0xd9 && head <= 0xdb) return text(uint(1 << (head - 0xd9)));
    if (head === 0xdc || head === 0xdd) return array(uint(head === 0xdc ? 2 : 4), depth);
    if (head === 0xde || head === 0xdf) return map(uint(head === 0xde ? 2 : 4), depth);
    throw new Error('c1 or an extension');
  };
  return { value, left: () => bytes.length - at };
}

/** An event of a payload, or of a tombstone's null. What cannot be read stays null: see `refused`. */
function eventOf(seq, id, payload) {
  const event = { seq, id: id.toString('hex'), at: null, type: null, version: null, session: null };
  Object.assign(event, { agent: null, client: null, source: null, data: null });
  Object.defineProperty(event, 'payload', { value: payload }); // raw; not printed
  if (payload === null) return event;
  try {
    if (payload[0] !== 0x98) throw new Error('not an envelope');
    const items = unpacker(payload, 1);
    const list = Array.from({ length: 7 }, () => items.value(DEPTH_MAX)); // no container fits in
    const [type, version, session, agent, client, source, at] = list;
    const texts = [type, source, session ?? '', agent ?? '', client ?? ''];
    const isText = texts.every((text) => typeof text === 'string');
    const isNumber = typeof version === 'number' && typeof (at ?? 0) === 'number';
    if (!isText || !isNumber) throw new Error('not an envelope');
    Object.assign(event, { at, type, version, session, agent, client, source });
    const data = items.value(0);
    if (items.left() > 0) throw new Error('bytes behind the data');
    event.data = data;
  } catch (error) {
    event.refused = error.message;
  }
  return event;
}

// ---- unpacking: Zstandard, LZ4, containers ------------------------------------------------------

const require = createRequire(import.meta.url);

/** Throws unless this is one Zstd frame without dictionary or sum, of that size, of a modest window. */
function checkZstdFrame(bytes, plainBytes) {
  const flags = bytes[4];
  const isSingle = (flags >> 5) & 1;
  const sizeBytes = [isSingle, 2, 4, 8][flags >> 6];
  const window = isSingle ? 0 : 2 ** (10 + (bytes[5] >> 3)) * (1 + (bytes[5] & 7) / 8);
  let at = 6 - isSingle;
  const size = number(bytes.subarray(at, at + sizeBytes)) + (sizeBytes === 2 ? 256 : 0);
  const isOther = bytes.readUInt32BE(0) !== 0x28b52ffd || (flags & 15) !== 0;
  if (isOther || window > WINDOW_MAX || (sizeBytes > 0 && size !== plainBytes)) throw new Error();
  at += sizeBytes;
  for (let last = 0, blocks = 1; !last; blocks += 1) {
    if (blocks > ZSTD_BLOCKS_MAX + plainBytes / ZSTD_BLOCK_MIN) throw new Error('too many blocks');
    const head = bytes.readUIntLE(at, 3);
    last = head & 1;
    at += 3 + (((head >> 1) & 3) === 1 ? 1 : head >> 3);
  }
  if (at !== bytes.length) throw new Error('not one frame');
}

function unzstd(bytes, plainBytes) {
  checkZstdFrame(bytes, plainBytes);
  const maxOutputLength = Math.max(plainBytes, 1);
  if (zlib.zstdDecompressSync) return zlib.zstdDecompressSync(bytes, { maxOutputLength });
  return unzstdAside(bytes, plainBytes);
}

/** What runs fzstd: `done` is 1 when it is ready, then of each block its size and 2, or -1. */
const THREAD = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { Decompress } = require(workerData.fzstd);
  const say = (done, value) => { Atomics.store(done, 0, value); Atomics.notify(done, 0); };
  parentPort.on('message', ({ bytes, plain, done }) => {
    let size = 0;
    const stream = new Decompress((part) => {
      plain.set(part, size); // throws where it does not fit in
      size += part.length;
    });
    try {
      stream.push(bytes, true);
      say(done, size + 2);
    } catch {
      say(done, -1);
    }
  });
  say(workerData.done, 1);
`;
let thread;
let unending = 0;

/**
 * fzstd believes the tables and lengths of a block, and of crafted ones it makes work without end:
 * so it has a thread of its own, which is stopped. One such block is damage like any other; of a
 * journal of many nobody could wait for the end.
 */
function unzstdAside(bytes, plainBytes) {
  const shared = (size) => new Uint8Array(new SharedArrayBuffer(size));
  const isHeard = (done, ms) => Atomics.wait(done, 0, 0, ms) !== 'timed-out';
  const done = new Int32Array(shared(4).buffer);
  if (thread === undefined) {
    const workerData = { fzstd: require.resolve('fzstd'), done };
    thread = new Worker(THREAD, { eval: true, workerData });
    thread.unref();
    thread.on('error', () => {}); // out of memory: then it does not answer either
    if (!isHeard(done, THREAD_MS_MAX)) throw new GivenUp('no thread for fzstd can be had');
    done[0] = 0;
  }
  const plain = shared(plainBytes);
  thread.postMessage({ bytes: Uint8Array.from(bytes), plain, done });
  if (!isHeard(done, UNPACK_MS_MAX)) {
    thread.terminate();
    thread = undefined;
    unending += 1;
    if (unending < UNENDING_MAX) throw new Error('no end in sight');
    throw new GivenUp(
      `${unending} Zstd blocks that fzstd does not come to the end of; use Node 22.15`,
    );
  }
  if (done[0] < 2) throw new Error('not a Zstd frame');
  return Buffer.from(plain.subarray(0, done[0] - 2));
}

/** One LZ4 frame, of the only head that there is. */
function unlz4(bytes, plainBytes) {
  if (bytes.toString('hex', 0, 7) !== '04224d184070df') throw new Error('not a frame');
  const out = Buffer.alloc(plainBytes);
  let end = 0;
  let at = 7;
  const copy = (source, from, size) => {
    const isOutside = from < 0 || from + size > source.length || size > plainBytes - end;
    if (isOutside) throw new Error('out of bounds');
    for (let i = from; i < from + size; i++) out[end++] = source[i]; // a match may meet itself
  };
  const length = (nibble) => {
    let sum = nibble;
    for (let more = nibble === 15; more; more = bytes[at++] === 255) sum += bytes.readUInt8(at);
    return sum;
  };
  for (let head = bytes.readUInt32LE(at); head !== 0; head = bytes.readUInt32LE(at)) {
    at += 4;
    const stop = at + (head & 0x7fffffff);
    const isStored = head >>> 31 === 1;
    if (isStored) copy(bytes, at, stop - at);
    while (!isStored && at < stop) {
      const token = bytes[at++];
      const literals = length(token >> 4);
      copy(bytes, at, literals);
      at += literals;
      if (at >= stop) break; // the last sequence has no match
      const distance = bytes.readUInt16LE(at);
      at += 2;
      copy(out, distance > 0 && distance <= end ? end - distance : -1, length(token & 15) + 4);
    }
    if (!isStored && at !== stop) throw new Error('a block that ends elsewhere');
    at = stop;
  }
  if (at + 4 !== bytes.length) throw new Error('not one frame');
  return out.subarray(0, end);
}

const asStored = (bytes) => bytes;
const CHUNK_METHODS = [asStored, undefined, unzstd];
const BLOCK_METHODS = [asStored, unlz4, unzstd];

/** The plain bytes of a chunk or block, or null: unknown method, another size, another sum. */
function unpack({ plainBytes, plainSum }, decode, stored, seed) {
  try {
    const plain = decode(stored, plainBytes);
    return plain.length === plainBytes && xxh64(plain, seed) === plainSum ? plain : null;
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND' || error instanceof GivenUp) throw error;
    return null;
  }
}

/** Whether a magic is that of a later version. */
const isLater = (bytes, letter) =>
  bytes.toString('latin1', 0, 7) === `BEN10${letter}\0` && bytes[7] > 1;

/**
 * A block container's plain bytes, or null when anything in it is not as it must be.
 * @throws Later
 */
export function readContainer(bytes) {
  const header = containerHeader(bytes);
  if (bytes.length >= 32 && isLater(bytes, 'C'))
    if (xxh64(bytes.subarray(0, 24)) === bytes.readBigUInt64LE(24)) throw new Later('container');
  if (header === null || header.plainBytes > CONTAINER_MAX) return null;
  const blocks = [];
  let at = 32;
  for (let [i, left] = [0, header.plainBytes]; i < header.blocks; i++) {
    const head = blockHead(bytes, at);
    if (head === null || head.plainBytes > Math.min(BLOCK_MAX, left)) return null;
    const stored = bytes.subarray(at + 24, at + 24 + head.storedBytes);
    const plain = unpack(head, BLOCK_METHODS[head.method], stored, BigInt(at));
    if (plain === null) return null;
    blocks.push(plain);
    at += 24 + head.storedBytes;
    left -= plain.length;
  }
  const plain = Buffer.concat(blocks);
  return at === bytes.length && plain.length === header.plainBytes ? plain : null;
}

// ---- frames -------------------------------------------------------------------------------------

/** Kind and flags can be believed, and a payload of so many bytes fits them. */
function isRecord(kind, flags, payloadBytes) {
  if (kind === 2) return flags <= 1 && payloadBytes === 0;
  if (kind !== 1 && kind < 128) return false;
  return (flags <= 1 || kind >= 128) && payloadBytes >= 1 && payloadBytes <= PAYLOAD_MAX;
}

/** The frame at an offset, if its header is sound, its seq not too low and all of it there; else null. */
function frameAt(file, offset, salt, expected) {
  const header = frameHeader(file, offset, salt ^ BigInt(offset));
  if (header === null || header.headerBytes !== 128) return null;
  const { kind, flags, bodyBytes, seq } = header;
  const size = 128 + Math.ceil(bodyBytes / 8) * 8 + 16;
  if (!Number.isFinite(seq) || seq < expected || offset + size > file.length) return null;
  if (!isRecord(kind, flags, kind === 2 ? bodyBytes : bodyBytes - 16)) return null;
  const bodyEnd = offset + 128 + bodyBytes;
  const body = file.subarray(offset + 128, bodyEnd);
  const isSound = () => {
    const trailer = frameTrailer(file, offset + size - 16);
    const isPadded = isZero(file.subarray(bodyEnd, offset + size - 16));
    return (
      trailer?.frameBytes === size && isPadded && trailer.sum === xxh64(body, salt ^ BigInt(seq))
    );
  };
  const [salted, payload] = [body.subarray(0, 16), body.subarray(16)];
  return {
    ...header,
    offset,
    size,
    salted,
    payload,
    covered: header.all.subarray(12, 88),
    isSound,
  };
}

/** The next frame that can be believed behind damage, or null. */
function nextFrame(file, damaged, salt, expected) {
  for (let offset = damaged + 8; offset < file.length; offset += 8) {
    const frame = frameAt(file, offset, salt, expected);
    // A frame takes 144 bytes or more: no more of them can be lost.
    if (frame === null || frame.seq > expected + Math.floor((offset - damaged) / 144)) continue;
    const behind = frame.isSound() ? frameAt(file, offset + frame.size, salt, 0) : null;
    if (!behind?.isSound() || linkOf(frame.chain, behind).equals(behind.chain)) return frame;
  }
  return null;
}

/** Reads a raw segment into `log` (see readOrigin). */
function readFrames(file, { salt, firstSeq, prevChain }, log) {
  let chain = prevChain; // null where the event before was lost
  let expected = firstSeq;
  for (let offset = 128; offset < file.length; ) {
    const here = frameAt(file, offset, salt, expected);
    const frame = here ?? nextFrame(file, offset, salt, expected);
    if (frame === null) {
      log.reach(expected, chain);
      log.tellToTheEnd('tail', offset, file.length - offset, expected);
      return;
    }
    const { seq, size } = frame;
    if (here === null) log.tell('header', offset, frame.offset - offset, expected, seq - 1);
    else if (seq > expected) log.tell('gap', offset, 0, expected, seq - 1);
    if (seq > expected) chain = null;
    if (!frame.isSound()) {
      log.tell('body', frame.offset, size, seq, seq);
      chain = null;
    } else {
      const isLinked = chain === null || linkOf(chain, frame).equals(frame.chain);
      const isMeant =
        frame.kind === 2 || commitment(frame.salted, frame.payload).equals(frame.commit);
      if (!isLinked) log.tell('chain', frame.offset, size, seq, seq);
      if (!isMeant) log.tell('commit', frame.offset, size, seq, seq);
      log.add(frame);
      chain = frame.chain;
    }
    offset = frame.offset + size;
    expected = seq + 1;
  }
  log.reach(expected, chain);
}

// ---- sealed segments ----------------------------------------------------------------------------

/** The chunk header at an offset of `bytes`, if it is sound and believable; else null. */
function chunkAt(bytes, at, salt, leastSeq) {
  const chunk = chunkHeader(bytes, at, salt);
  if (chunk === null) return null;
  const { firstSeq, offset, storedBytes, plainBytes, count, method } = chunk;
  if (CHUNK_METHODS[method] === undefined) throw new Later('chunk');
  const lastSeq = firstSeq + count - 1;
  if (count < 1 || count * 72 > plainBytes || plainBytes > CHUNK_MAX) return null;
  if (firstSeq < leastSeq || !isSeq(lastSeq)) return null;
  return { ...chunk, lastSeq, end: offset + 104 + storedBytes };
}

/** The chunks of a sound index, or null. */
function indexed(file, { indexOffset, chunks }, { salt, firstSeq }) {
  const size = chunks * 104;
  if (indexOffset + size + 8 > file.length - 128) return null;
  const index = file.subarray(indexOffset, indexOffset + size);
  if (xxh64(index, salt) !== file.readBigUInt64LE(indexOffset + size)) return null;
  const list = [];
  let [end, seq] = [128, firstSeq];
  for (let at = 0; at < size; at += 104) {
    const chunk = chunkAt(index, at, salt, seq);
    if (chunk?.offset !== end || chunk.firstSeq !== seq) return null;
    list.push(chunk);
    [end, seq] = [chunk.end, chunk.lastSeq + 1];
  }
  return end === indexOffset ? list : null;
}

/** The chunks that say that they stand where they stand. */
function scanned(file, { salt, firstSeq }) {
  const list = [];
  let seq = firstSeq;
  for (let at = 128; at + 104 <= file.length; at++) {
    if (file.readUInt32LE(at + 32) !== at) continue; // cheap, and almost always so
    const chunk = chunkAt(file, at, salt, seq);
    if (chunk?.offset !== at || chunk.end > file.length) continue;
    list.push(chunk);
    seq = chunk.lastSeq + 1;
    at = chunk.end - 1;
  }
  return list;
}

/** The records of a chunk, or null: then it is damaged as a whole. */
function recordsOf(file, chunk, salt) {
  const { count, firstSeq, offset, end, method } = chunk;
  const plain = unpack(chunk, CHUNK_METHODS[method], file.subarray(offset + 104, end), salt);
  if (plain === null) return null;
  const records = [];
  let at = count * 72;
  for (let i = 0; i < count; i++) {
    const head = recordHead(plain, i * 40);
    if (head === null || head.seq !== firstSeq + i) return null;
    const { kind, payloadBytes } = head;
    const isTombstone = kind === 2;
    const id = plain.subarray(count * 40 + i * 32, count * 40 + i * 32 + 16);
    const salted = plain.subarray(count * 40 + i * 32 + 16, count * 40 + i * 32 + 32);
    const payload = plain.subarray(at, at + payloadBytes);
    at += payloadBytes;
    if (!isRecord(kind, head.flags, isTombstone ? payloadBytes - 32 : payloadBytes)) return null;
    if (payload.length !== payloadBytes || (isTombstone && !isZero(salted))) return null;
    const commit = isTombstone ? payload : commitment(salted, payload);
    const times = head.all.subarray(16, 32); // seq and hlc
    const covered = Buffer.concat([head.typeTag, times, id, head.syncedUpto, commit]);
    records.push({ ...head, id, payload, covered });
  }
  return at === plain.length ? records : null;
}

/** Digest, where all chunk headers in place are whole, id table and footer fit what was read. */
function fits(file, footer, chunks, records, { salt }, isMarred) {
  const size = records.length * 8;
  const ids = Buffer.concat(records.map(({ id }) => id.subarray(0, 8)).sort(Buffer.compare));
  const idTable = file.subarray(footer.idsOffset, file.length - 128);
  return (
    (isMarred || footer.digest.equals(sha256(file.subarray(0, file.length - 128)))) &&
    footer.idsOffset === footer.indexOffset + chunks.length * 104 + 8 &&
    idTable.length === size + 8 &&
    idTable.subarray(0, size).equals(ids) &&
    idTable.readBigUInt64LE(size) === xxh64(ids, salt) &&
    footer.count === records.length &&
    footer.lastSeq === records.at(-1)?.seq &&
    footer.lastHlc.equals(records.at(-1).hlc) &&
    footer.endChain.equals(chunks.at(-1).endChain)
  );
}

/** Reads a sealed segment into `log`, as readFrames does a raw one. */
function readSealed(file, header, log) {
  const magic = file.subarray(-8);
  const isNewer = file.length >= 256 && isLater(magic, 'Z');
  if (isNewer && footerFields(file, file.length - 128, BigInt(magic[7]))) throw new Later(log.name);
  const found = file.length < 256 ? null : footerTable(file, file.length - 128);
  const footer = isSeq(found?.lastSeq) ? found : null;
  const index = footer && indexed(file, footer, header);
  const chunks = index ?? scanned(file, header);
  const all = [];
  let [end, expected, chain] = [128, header.firstSeq, header.prevChain];
  for (const chunk of chunks) {
    const { offset, firstSeq, lastSeq, endChain } = chunk;
    if (firstSeq > expected) {
      log.tell('chunk', end, offset - end, expected, firstSeq - 1);
      chain = null;
    }
    const records = recordsOf(file, chunk, header.salt);
    if (records === null) log.tell('chunk', offset, chunk.end - offset, firstSeq, lastSeq);
    else {
      const isLinked = !chain || records.reduce(linkOf, chain).equals(endChain);
      if (!isLinked) log.tell('chain', offset, chunk.end - offset, firstSeq, lastSeq);
      records.forEach(log.add);
      all.push(...records);
    }
    [end, expected, chain] = [chunk.end, lastSeq + 1, endChain];
  }
  log.reach(expected, chain);
  if (!index && footer === null && chunks.length === 0) {
    log.tellToTheEnd('index', end, file.length - end, expected);
  } else if (!index) {
    const lastSeq = footer?.lastSeq ?? expected - 1;
    log.tell('index', end, file.length - end, expected, lastSeq);
    if (lastSeq >= expected) log.reach(lastSeq + 1, null);
  } else if (!log.told) {
    const marred = chunks.filter((c) => !c.all.equals(file.subarray(c.offset, c.offset + 104)));
    for (const { offset } of marred) log.tell('index', offset, 104, null, null);
    if (!fits(file, footer, chunks, all, header, marred.length > 0))
      log.tell('index', footer.indexOffset, file.length - footer.indexOffset, null, null);
  }
}

// ---- origins ------------------------------------------------------------------------------------

/** A file's bytes; null if it is none (symbolic links are not followed) or longer than `most`. */
function read(path, most) {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() && stat.size <= most ? readFileSync(path) : null;
}

/** The names in a folder, sorted as text, of those entries that `is` says. */
function names(folder, is) {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  const entries = readdirSync(folder, { withFileTypes: true }).filter(is);
  return entries.map((entry) => entry.name).sort();
}

/** The segments of an origin in rising order; of two forms of one the sealed one. */
function segmentsOf(folder) {
  const found = new Map();
  for (const name of names(folder, (entry) => SEGMENT_NAME.test(entry.name))) {
    const firstSeq = Number(name.slice(0, 16));
    if (isSeq(firstSeq)) found.set(firstSeq, { name, firstSeq, isSealed: name.endsWith('z') });
  }
  return [...found.values()];
}

/** A segment's header, mended if one bit of it is wrong; null if it is not sound. */
function headerOf(file, name) {
  if (file.length < 128) return null;
  const bytes = Buffer.from(file.subarray(0, 128));
  const isSummed = xxh64(bytes.subarray(0, 120), 0n) === bytes.readBigUInt64LE(120);
  let header = segmentHeader(bytes);
  const isKnown = () => header?.headerBytes === 128 && header.flags <= 3;
  const version = isSummed && bytes.toString('latin1', 0, 7) === 'BEN10J\0' ? bytes[7] : 0;
  if (isKnown()) return { ...header, isMended: false };
  for (let bit = 0; !isSummed && bit < bytes.length * 8; bit++) {
    bytes[bit >> 3] ^= 1 << (bit & 7);
    header = segmentHeader(bytes);
    if (isKnown()) return { ...header, isMended: true };
    bytes[bit >> 3] ^= 1 << (bit & 7);
  }
  // With a sound sum it is no damage, whatever it says.
  const { flags } = skippedHeader(bytes);
  if (version === 1 && (flags & (SKIP | SEALED)) === SKIP) return skippedHeader(bytes);
  if (version >= 1) throw new Later(name);
  return null;
}

/**
 * The origins that a copied folder had before: those that are named before the first segment which names the folder
 * itself.
 */
function formerIn(folder, origin) {
  const former = [];
  for (const segment of segmentsOf(folder)) {
    const file = read(join(folder, segment.name), SEGMENT_MAX) ?? Buffer.alloc(0);
    const header = headerOf(file, segment.name);
    if (!isNamed(header, segment)) continue;
    const named = header.originId.toString('hex');
    if (named === origin) return former;
    former.push(named);
  }
  return [];
}

/** A header is there, and says what the file's name says. */
const isNamed = (header, { firstSeq, isSealed }) =>
  header?.firstSeq === firstSeq && ((header.flags & SEALED) !== 0) === isSealed;

/** The seqs from `first` to `last` as damage tells them; none where there are none. */
const seqsOf = (first, last) =>
  first === null || (last !== null && last < first)
    ? { firstSeq: null, lastSeq: null }
    : { firstSeq: first, lastSeq: last };

/** Reads one origin: `add` takes each record, `tell` each damage, `place` has the journal's id. */
function readOrigin(folder, origin, place, add, tell) {
  const segments = segmentsOf(folder);
  const hint = readHint(read(join(folder, 'synced'), SEGMENT_MAX))?.syncedUpto ?? 0;
  const prefix = origin === place.own ? '' : `${origin}/`;
  const former = (prefix === '' && place.former) || formerIn(folder, origin);
  // The seq to come, the chain before it (null: unknown), the last seq given, whether this segment had damage.
  const log = { expected: 1, chain: Buffer.alloc(32), given: 0, told: false };
  const losses = []; // what was told as lost: of segments that overlap, the next one may have it
  log.add = (record) => {
    const { seq } = record;
    const isFirst = seq > log.given; // where segments overlap, the first event of a seq is given
    add(record, isFirst);
    if (!isFirst) return;
    log.given = seq;
    const found = losses.filter((one) => one.firstSeq <= seq && seq <= one.lastSeq);
    for (const one of found) Object.assign(one, seqsOf(one.firstSeq, seq - 1));
    if (found.length > 0) log.expected = 1 + Math.max(seq, ...losses.map((one) => one.lastSeq));
  };
  log.reach = (expected, chain) => {
    log.chain = expected < log.expected ? null : chain;
    log.expected = Math.max(log.expected, expected);
  };
  let told = `${prefix}synced`; // what tells of damage: where there is no segment, the hint
  for (const [i, segment] of segments.entries()) {
    const { name, firstSeq, isSealed } = segment;
    const next = segments[i + 1];
    told = prefix + name;
    log.told = false;
    log.tell = (kind, offset, bytes, first, last) => {
      log.told = true;
      const isLost = first !== null && kind !== 'chain' && kind !== 'commit';
      const one = { kind, segment: told, offset, bytes };
      Object.assign(one, seqsOf(isLost ? Math.max(first, log.given + 1) : first, last));
      if (isLost && one.lastSeq !== null) losses.push(one);
      tell(one);
    };
    // What is lost from `from` on and was not read, up to where the next segment starts or to what the hint claims.
    log.tellToTheEnd = (kind, offset, bytes, from) => {
      const first = Math.max(from, log.given + 1);
      const last = next ? next.firstSeq - 1 : hint >= first ? hint : null;
      log.tell(kind, offset, bytes, first, last);
      if (last === null || last >= first) log.reach(Math.max(first, last + 1), null);
    };
    if (firstSeq > log.expected && !log.isSkipping) {
      log.tell('missing', 0, 0, log.expected, firstSeq - 1);
      log.reach(firstSeq, null);
    }
    if (log.isSkipping) log.reach(Math.max(firstSeq, log.expected), null);
    log.isSkipping = false;
    const path = join(folder, name);
    lstatSync(path); // throws if somebody sealed it meanwhile
    const file = read(path, SEGMENT_MAX) ?? Buffer.alloc(0); // too long: as good as empty
    const header = headerOf(file, name);
    log.name = name;
    const isAtHome =
      isNamed(header, segment) && [origin, ...former].includes(header.originId.toString('hex'));
    const journalId = header?.journalId.toString('hex');
    if (isAtHome && prefix === '') place.journalId ??= journalId;
    if (!isAtHome || journalId !== (place.journalId ?? journalId)) {
      log.tellToTheEnd('segment-header', 0, file.length, firstSeq);
      continue;
    }
    // Lost with the events before, zeros: then nothing is compared that counts from there.
    const isUnknown = firstSeq > 1 && isZero(header.prevChain);
    // Begun when events before it could not be read: a repair may have put them right since.
    if (header.flags & AFTER_DAMAGE) log.chain = null;
    const isForked = !isUnknown && log.chain !== null && !log.chain.equals(header.prevChain);
    const taken = isUnknown ? log.given + 1 : log.expected; // zeros: what a footer told as lost may not have been
    if (firstSeq < taken || isForked) log.tell('chain', 0, 128, firstSeq, null);
    log.told = false; // that is no damage of this file's bytes
    if (header.flags & SKIP) {
      log.isSkipping = true; // how many events are in it, and its chain, nobody knows here
      place.passed.push(told);
      continue;
    }
    if (header.isMended) log.tell('segment-header', 0, 128, null, null);
    const known = firstSeq === log.expected ? log.chain : null;
    const prevChain = isUnknown ? known : header.prevChain;
    (isSealed ? readSealed : readFrames)(file, { ...header, prevChain }, log);
  }
  if (hint < log.expected || log.isSkipping) return;
  tell({
    kind: 'missing',
    segment: told,
    offset: 0,
    bytes: 0,
    firstSeq: log.expected,
    lastSeq: hint,
  });
}

// ---- the journal --------------------------------------------------------------------------------

/** A sync hint's two numbers, or null. */
export function readHint(bytes) {
  const hint = bytes && hintTable(bytes);
  if (hint && hint.syncedUpto + hint.syncedAt === Number.POSITIVE_INFINITY) return null;
  return hint && { syncedUpto: hint.syncedUpto, syncedAt: hint.syncedAt };
}

/**
 * The events of an inbox file, or null when it is damaged.
 * @throws Later
 */
export function readSpool(bytes) {
  const events = spooled(bytes);
  // One that is sound but for the version has a byte that rotted.
  const isRotted = () => spooled(Buffer.concat([Buffer.from('BEN10S\0\x01'), bytes.subarray(8)]));
  if (events === null && isLater(bytes, 'S') && !isRotted()) throw new Later('inbox file');
  return events;
}

function spooled(bytes) {
  const header = spoolHeader(bytes);
  const body = bytes.subarray(32);
  const isSound = header?.sum === xxh64(body, xxh64(bytes.subarray(0, 16)));
  if (!isSound || bytes.length > INBOX_FILE_MAX || header.bodyBytes !== body.length) return null;
  const events = [];
  let at = 0;
  for (let i = 0; i < header.count; i++) {
    const record = spoolRecord(body, at);
    const size = record?.payloadBytes ?? 0;
    const payload = body.subarray(at + 24, at + 24 + size);
    if (size < 1 || size > PAYLOAD_MAX || payload.length !== size) return null;
    events.push(eventOf(null, record.id, payload));
    at += 24 + size;
  }
  return at === body.length ? events : null;
}

/** The events of a file in the inbox: none when it was taken in meanwhile, null when it is damaged. */
function readSpoolFile(dir, name) {
  const path = join(dir, 'inbox', name);
  if (!lstatSync(path, { throwIfNoEntry: false })) return [];
  const bytes = read(path, INBOX_FILE_MAX);
  return bytes && readSpool(bytes);
}

/**
 * The manifest's object, or null when it is missing or damaged. With a right sum it is understood, or a later version's.
 */
function readManifest(bytes) {
  const [, line, sum] = /^([^\n]*)\n([0-9a-f]{16})\n$/.exec(bytes?.toString('latin1') ?? '') ?? [];
  if (line === undefined || xxh64(Buffer.from(line, 'latin1')) !== BigInt(`0x${sum}`)) return null;
  let manifest = null;
  try {
    const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    manifest = JSON.parse(utf8.decode(Buffer.from(line, 'latin1')));
  } catch {
    // No JSON in UTF-8: as below.
  }
  if (!isManifest(manifest ?? {})) throw new Later('manifest');
  return manifest;
}

function isManifest(manifest) {
  const isHex = (key, digits) =>
    typeof manifest[key] === 'string' &&
    /^[0-9a-f]+$/.test(manifest[key]) &&
    manifest[key].length === digits;
  const isList = (list, is) => Array.isArray(list) && list.every(is);
  const isPlace = (one) => isList(one, Number.isFinite) && one.length === 2;
  const isOrigin = (one) => typeof one === 'string' && HEX_ID.test(one);
  const isWhole = (value) => Number.isSafeInteger(value) && value >= 0;
  const { formerly = [], places = [], isRebuilt = false, erasing = 1, dropping = 1 } = manifest;
  return (
    manifest.format === 1 &&
    isList(formerly, isOrigin) &&
    isList(places, isPlace) &&
    typeof isRebuilt === 'boolean' &&
    [erasing, dropping].every((seq) => isWhole(seq) && isSeq(seq)) &&
    isHex('journalId', 32) &&
    isHex('origin', 32) &&
    isHex('blobKey', 64) &&
    ['createdAt', 'generation', 'erasureEpoch'].every((key) => isWhole(manifest[key]))
  );
}

const BLOB_NAME = /^[0-9a-f]{64}$/;

/** Names of the blobs that some data refers to; texts of which only the head was kept have none. */
function blobsIn(value) {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return [];
  const { $blob, bytes, head } = value;
  const isReference = typeof bytes === 'number' && typeof head === 'string';
  const isName = isReference && typeof $blob === 'string' && BLOB_NAME.test($blob);
  return [...(isName ? [$blob] : []), ...Object.values(value).flatMap(blobsIn)];
}

/** Tells of each blob that is damaged or not what its name says, and of each missing one that an event names. */
function checkBlobs(folder, named, key, tell, passing) {
  const digits = (name) => /^[0-9a-f]{2}$/.test(name);
  const found = names(folder, (entry) => digits(entry.name)).flatMap((shard) =>
    names(join(folder, shard), ({ name }) => BLOB_NAME.test(name) && name.startsWith(shard)),
  );
  for (const name of new Set([...found, ...named.keys()])) {
    const bytes = read(join(folder, name.slice(0, 2), name), CONTAINER_FILE_MAX);
    const isNamed = (plain) => !key || sha256('ben10/blob/1', key, plain).toString('hex') === name;
    const isSound = () => {
      const plain = bytes && readContainer(bytes);
      return plain !== null && isNamed(plain);
    };
    if (passing(`blobs/${name}`, true, isSound)) continue;
    const [firstSeq = null, lastSeq = firstSeq] = named.get(name) ?? [];
    const segment = `blobs/${name}`;
    tell({ kind: 'blob', segment, offset: 0, bytes: bytes?.length ?? 0, firstSeq, lastSeq });
  }
}

const NO_SEQS = { firstSeq: null, lastSeq: null };
const isThere = (path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

function readAll(dir, verify) {
  const manifest = readManifest(read(join(dir, 'manifest'), MANIFEST_MAX));
  const inbox = names(join(dir, 'inbox'), (entry) => SPOOL_NAME.test(entry.name));
  const passed = []; // what a later version wrote, beside which the rest can be read
  const passing = (name, instead, work) => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Later)) throw error;
      passed.push(name);
      return instead;
    }
  };
  const spools = inbox
    .slice(0, INBOX_FILES_MAX)
    .map((name) => passing(`inbox/${name}`, [], () => readSpoolFile(dir, name)));
  const origins = names(dir, (entry) => entry.isDirectory() && HEX_ID.test(entry.name));
  const newest = (origin) => segmentsOf(join(dir, origin)).at(-1)?.firstSeq ?? 0;
  const synced = (origin) =>
    readHint(read(join(dir, origin, 'synced'), SEGMENT_MAX))?.syncedUpto ?? 0;
  const reach = (origin) => (origins.some(newest) ? newest(origin) : synced(origin));
  const furthest = () => [...origins].sort((a, b) => reach(a) - reach(b)).at(-1);
  // A copy's folder that was not renamed yet is still there under its former name.
  const named = manifest && [...(manifest.formerly ?? []).slice(-1), manifest.origin];
  const own = named
    ? (named.findLast((one) => origins.includes(one)) ?? manifest.origin)
    : furthest();
  if (own && lstatSync(join(dir, own), { throwIfNoEntry: false })?.isSymbolicLink())
    throw new GivenUp(`${own} is a symbolic link`);
  const [events, waiting, damage, ids] = [[], [], [], new Set()];
  const blobs = new Map(); // by name: the seqs of the first and the last own event that names it
  const note = ({ kind, seq, id, payload }, isOwn) => {
    if (!verify || kind !== 1 || !payload.includes('$blob')) return;
    for (const name of blobsIn(eventOf(seq, id, payload).data)) {
      const [first = seq] = blobs.get(name) ?? [];
      blobs.set(name, isOwn ? [first, seq] : (blobs.get(name) ?? []));
    }
  };
  const noteOther = (record) => note(record, false);
  const add = (record, isFirst) => {
    const { kind, seq, id, payload } = record;
    note(record, true);
    if (kind >= 128 || !isFirst) return;
    ids.add(id.toString('hex'));
    events.push(eventOf(seq, id, kind === 2 ? null : payload));
  };
  const tell = (one) => {
    if (verify || (one.kind !== 'chain' && one.kind !== 'commit')) damage.push(one);
  };
  const former = manifest && [...(manifest.formerly ?? []), manifest.origin];
  const place = { own, former, journalId: manifest?.journalId, passed };
  if (origins.includes(own)) readOrigin(join(dir, own), own, place, add, tell);
  for (const other of origins) {
    if (verify && other !== own) readOrigin(join(dir, other), other, place, noteOther, tell);
  }
  const isLost = manifest === null && (origins.some(newest) || isThere(join(dir, 'manifest')));
  if (isLost) tell({ kind: 'manifest', segment: 'manifest', offset: 0, bytes: 0, ...NO_SEQS });
  for (const [i, found] of spools.entries()) {
    const place = { segment: `inbox/${inbox[i]}`, offset: 0, bytes: 0 };
    if (found === null) tell({ kind: 'inbox', ...place, ...NO_SEQS });
    for (const event of found ?? []) {
      if (!ids.has(event.id)) waiting.push(event);
      ids.add(event.id);
    }
  }
  const key = manifest && !manifest.isRebuilt && Buffer.from(manifest.blobKey, 'hex');
  if (verify) checkBlobs(join(dir, '../blobs'), blobs, key, tell, passing);
  return { events, waiting, damage, passed };
}

/**
 * Reads the journal in a folder. Each event also has its raw `payload` (null in a tombstone). `waiting`
 * are the inbox's events, without those that have a seq already. `passed` names files of a later version that do not keep
 * anybody from reading the rest; `later` what does: nothing else is given then. Without `verify`, chains, commitments and blobs are not judged.
 */
export function readJournal(dir, { verify = true } = {}) {
  unending = 0;
  for (let attempt = 1; ; attempt++) {
    try {
      return readAll(dir, verify);
    } catch (error) {
      const later = error instanceof Later ? error.message : undefined;
      if (later) return { events: [], waiting: [], damage: [], passed: [], later };
      if (error.code !== 'ENOENT' || attempt === 10) throw error; // a file that just moved on
    }
  }
}

function main(args) {
  const [dir, ...more] = args.filter((arg) => arg !== '--verify');
  if (more.length > 0 || !lstatSync(dir ?? '', { throwIfNoEntry: false })?.isDirectory()) {
    console.error('usage: node reader.mjs [--verify] .ben10/journal');
    return 2;
  }
  const { events, waiting, damage, passed, later } = readJournal(dir, { verify: args.length > 1 });
  const plain = (_, value) =>
    value instanceof Uint8Array ? { $base64: Buffer.from(value).toString('base64') } : value;
  for (const event of [...events, ...waiting]) console.log(JSON.stringify(event, plain));
  for (const one of damage) console.error(JSON.stringify(one));
  for (const name of passed) console.error(`passed by: ${name} was written by a later version`);
  if (later) console.error(`refused: ${later} was written by a later version`);
  return later ? 3 : Number(damage.length > 0);
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    process.exitCode = main(process.argv.slice(2));
  } catch (error) {
    console.error(`cannot read: ${error.message}`); // a file's rights, or no Zstandard anywhere
    process.exitCode = 2;
  }
}
