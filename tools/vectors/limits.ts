import {
  BLOCK_BYTES_MAX,
  BODY_BYTES_MAX,
  CONTAINER,
  CONTAINER_BYTES_MAX,
  RECORD_HEAD,
  SALT_BYTES,
} from '../../src/journal/format/format.ts';
import type { Codec } from '../../src/platform/codecs/codecs.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { type Draft, draft, drafts, FIRST, segment, withBytes } from './compose.ts';
import { blocksOf, container, header, oneBlock } from './files.ts';
import type { MadeVector } from './model.ts';
import { describe, putTogether, sealed, storing, takeApart } from './sealed.ts';
import { damage, journal } from './vector.ts';
import { ZSTD_MAGIC, zstdOfRuns } from './zstd-runs.ts';

/** What is at a limit or one above it, in files that are small themselves. */
export function limitVectors(zstd: Codec): MadeVector[] {
  return [...containers(), ...zstdHeads(), ...zstdBlocks(), ...records(zstd)];
}

const RUN_BYTES = 128 * 1024;
const runs = (count: number): Buffer => Buffer.alloc(count * RUN_BYTES, 0x41);
const RUNS_MAX = BLOCK_BYTES_MAX / RUN_BYTES;

function containers(): MadeVector[] {
  const large = oneBlock(2, runs(RUNS_MAX + 1), zstdOfRuns(0x41, RUNS_MAX + 1));
  const full = { method: 2, plain: runs(RUNS_MAX), stored: zstdOfRuns(0x41, RUNS_MAX) };
  const blocks = CONTAINER_BYTES_MAX / BLOCK_BYTES_MAX + 1;
  const text = Buffer.from('Two blocks, and an empty one between them.');
  const [head, tail] = [text.subarray(0, 10), text.subarray(10)];
  const three = [head, Buffer.alloc(0), tail].map((plain) => ({ method: 0, plain, stored: plain }));
  const reserved = header(text.length, 1, oneBlock(0, text, text));
  reserved.writeUInt8(1, CONTAINER.reserved);
  reserved.writeBigUInt64LE(
    xxh64(reserved.subarray(0, CONTAINER.checksum), 0n),
    CONTAINER.checksum,
  );
  const magic = header(text.length, 1, oneBlock(0, text, text));
  magic.write('S', 5);
  magic.writeBigUInt64LE(xxh64(magic.subarray(0, CONTAINER.checksum), 0n), CONTAINER.checksum);
  const bad = (name: string, why: string, bytes: Buffer): MadeVector =>
    container(`hostile/container-${name}`, why, bytes, null);
  return [
    bad('magic', 'A container with another magic, under a sum that fits.', magic),
    bad(
      'block-large',
      'A block that says and has more than a block may.',
      header(runs(RUNS_MAX + 1).length, 1, large),
    ),
    bad(
      'large',
      'As many full blocks as a container may have, and one more.',
      header(
        blocks * BLOCK_BYTES_MAX,
        blocks,
        blocksOf(Array.from({ length: blocks }, () => full)),
      ),
    ),
    bad('reserved', 'A container header whose reserved bytes are not zero.', reserved),
    container(
      'hostile/container-empty-block',
      'A block of no bytes between others: nothing forbids it.',
      header(text.length, 3, blocksOf(three)),
      text,
    ),
  ];
}

/** Frames that unpack to the right bytes under a head that may not be. */
function zstdHeads(): MadeVector[] {
  const plain = runs(1);
  const sum = Buffer.alloc(8);
  sum.writeBigUInt64LE(xxh64(plain, 0n));
  const head = (...bytes: number[]) => zstdOfRuns(0x41, 1, Buffer.from(bytes));
  const bad = (name: string, why: string, stored: Buffer): MadeVector =>
    container(
      `hostile/container-zstd-${name}`,
      why,
      header(plain.length, 1, oneBlock(2, plain, stored)),
      null,
    );
  return [
    bad(
      'checksum',
      'A Zstd frame with its own checksum, which is right: not every decoder looks at it.',
      Buffer.concat([head(0x04, 0x38), sum.subarray(0, 4)]),
    ),
    bad(
      'dictionary-zero',
      'A Zstd frame with room for a dictionary’s id, which is 0.',
      head(0x01, 0x38, 0),
    ),
    bad('reserved-bit', 'A Zstd frame whose head has the reserved bit set.', head(0x08, 0x38)),
  ];
}

/** Frames of as many blocks as the content may have, and of one more. */
function zstdBlocks(): MadeVector[] {
  const of = (bytes: number, blocks: number) => {
    const plain = Buffer.alloc(bytes, 0x41);
    const size = Math.ceil(bytes / blocks);
    const parts = Array.from({ length: blocks }, (_, index) => {
      const content = plain.subarray(index * size, (index + 1) * size);
      const about = Buffer.alloc(3);
      about.writeUIntLE((content.length << 3) | (index === blocks - 1 ? 1 : 0), 0, 3);
      return Buffer.concat([about, content]);
    });
    const stored = Buffer.concat([ZSTD_MAGIC, Buffer.from([0x00, 0x38]), ...parts]);
    return { bytes: header(bytes, 1, oneBlock(2, plain, stored)), plain };
  };
  const [most, more, next] = [of(255, 16), of(255, 17), of(256, 17)];
  return [
    container(
      'valid/container-zstd-16-blocks',
      'A Zstd frame of 255 bytes in 16 blocks.',
      most.bytes,
      most.plain,
    ),
    container(
      'valid/container-zstd-17-blocks',
      'One of 256 bytes in 17 blocks.',
      next.bytes,
      next.plain,
    ),
    container(
      'hostile/container-zstd-17-blocks',
      'One of 255 bytes in 17 blocks: one too many.',
      more.bytes,
      null,
    ),
  ];
}

/** Records that no frame could have been, and columns that do not add up. */
function records(zstd: Codec): MadeVector[] {
  const payloadMax = BODY_BYTES_MAX - SALT_BYTES;
  const withPayload = (label: string, payload: Buffer): Draft => ({ ...draft(label), payload });
  const around = draft('limit record').payload;
  const long = (bytes: number) => Buffer.concat([around, Buffer.alloc(bytes - around.length)]);
  const lost = (path: string, why: string, list: Draft[], codec = storing): MadeVector => {
    const made = sealed(segment(path, FIRST, list), codec);
    return journal(path, why, [made], {
      events: [],
      damage: [damage('chunk', made, 128, 1, list.length)],
    });
  };
  const edited = (path: string, why: string, edit: (plain: Buffer) => Buffer): MadeVector => {
    const made = sealed(segment(path, FIRST, drafts(path, 2)), storing);
    const parts = takeApart(made.bytes);
    const chunk = parts.chunks[0]!;
    chunk.stored = edit(chunk.stored);
    describe(chunk, chunk.stored, made.header.salt);
    return journal(path, why, [withBytes(made, putTogether(parts))], {
      events: [],
      damage: [damage('chunk', made, 128, 1, 2)],
    });
  };
  const reserved = (field: 'reserved' | 'reserved2') =>
    edited(
      `hostile/sealed-record-${field}`,
      'A record head whose reserved bytes are not zero.',
      (plain) => {
        plain.writeUInt8(1, RECORD_HEAD[field]);
        return plain;
      },
    );
  const limit = withPayload('record limit', long(payloadMax));
  const full = sealed(
    segment('record limit', FIRST, [{ ...limit, expect: { refused: true } }]),
    zstd,
  );
  return [
    journal('valid/sealed-body-limit', 'A record of exactly the largest size.', [full]),
    lost(
      'hostile/sealed-record-long',
      'A record one byte longer than a frame’s payload may be.',
      [withPayload('record long', long(payloadMax + 1))],
      zstd,
    ),
    lost('hostile/sealed-record-empty', 'A record without any payload.', [
      draft('record full'),
      withPayload('record empty', Buffer.alloc(0)),
    ]),
    reserved('reserved'),
    reserved('reserved2'),
    edited(
      'hostile/sealed-record-left-over',
      'Bytes behind the last payload of a chunk.',
      (plain) => Buffer.concat([plain, Buffer.alloc(8)]),
    ),
    edited(
      'hostile/sealed-record-cut',
      'A chunk whose last payload is shorter than its record says.',
      (plain) => plain.subarray(0, plain.length - 8),
    ),
  ];
}
