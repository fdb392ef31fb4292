import { HINT, HINT_BYTES, HINT_MAGIC } from '../../src/journal/format/format.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { EPOCH_MS, flipped } from './bytes.ts';
import type { HintVector, MadeVector } from './model.ts';

/** A sync hint, of the vectors' first moment unless told otherwise. */
export function hintFile(syncedUpto: number, syncedAt = EPOCH_MS, magic = HINT_MAGIC): Buffer {
  const bytes = Buffer.alloc(HINT_BYTES);
  bytes.set(magic, HINT.magic);
  bytes.writeBigUInt64LE(BigInt(syncedUpto), HINT.syncedUpto);
  bytes.writeBigUInt64LE(BigInt(syncedAt), HINT.syncedAt);
  bytes.writeBigUInt64LE(xxh64(bytes.subarray(0, HINT.checksum), 0n), HINT.checksum);
  return bytes;
}

/** Sync hints, which stand for themselves. */
export function hintVectors(): MadeVector[] {
  const bytes = hintFile(1234);
  const sound = { syncedUpto: 1234, syncedAt: EPOCH_MS };
  const hint = (
    path: string,
    why: string,
    content: Buffer,
    value: HintVector['hint'],
  ): MadeVector => ({
    vector: { path, kind: 'hint', why, hint: value },
    files: new Map([['', content]]),
  });
  return [
    hint('valid/synced', 'A sync hint.', bytes, sound),
    hint(
      'corrupt/synced-flip',
      'A bit flip in a sync hint: it is ignored.',
      flipped(bytes, HINT.syncedUpto),
      null,
    ),
    hint(
      'hostile/synced-longer',
      'Bytes behind the 32 of a sync hint: nobody reads them.',
      Buffer.concat([bytes, flipped(bytes, 0)]),
      sound,
    ),
    hint('valid/synced-most', 'A sync hint of 2^53 - 1.', hintFile(2 ** 53 - 1, 2 ** 53 - 1), {
      syncedUpto: 2 ** 53 - 1,
      syncedAt: 2 ** 53 - 1,
    }),
    hint(
      'hostile/synced-at',
      'A sync hint of the time 2^53: it is ignored.',
      hintFile(1, 2 ** 53),
      null,
    ),
    hint(
      'hostile/synced-magic',
      'A sync hint with another magic, under a sum that fits: it is ignored.',
      hintFile(1234, EPOCH_MS, Buffer.from('BEN10C\0\x01', 'latin1')),
      null,
    ),
    hint('hostile/synced-seq', 'A sync hint of 2^53: it is ignored.', hintFile(2 ** 53), null),
    hint(
      'corrupt/synced-short',
      'A sync hint that was written in part.',
      bytes.subarray(0, 20),
      null,
    ),
  ];
}
