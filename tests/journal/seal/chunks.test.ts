import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CHUNK_HEADER_BYTES } from '../../../src/journal/format/format.ts';
import type { Entry } from '../../../src/journal/format/frame.ts';
import { decodeSegmentHeader } from '../../../src/journal/format/segment.ts';
import { openSealed } from '../../../src/journal/read/sealed.ts';
import { LEVEL_COMPACT, LEVEL_SEAL, sealSegment } from '../../../src/journal/seal/seal.ts';
import { xxh64 } from '../../../src/platform/xxh64.ts';
import { newEvent } from '../../support.ts';
import { codecs, compact, range } from '../journals.ts';
import {
  appendAll,
  edit,
  entryOf,
  newRoot,
  readAll,
  segmentFiles,
  segmentOf,
  verify,
} from '../support.ts';

const chunksOf = (bytes: Buffer) =>
  openSealed(bytes, decodeSegmentHeader(bytes, xxh64)!, xxh64).chunks;

/** The chunks of a sealed segment whose records have these sizes. */
function chunksWith(sizes: readonly number[]) {
  const entries = sizes.map((size, index) => entryOf(index + 1, randomBytes(size))) as Entry[];
  const { header } = segmentOf([]);
  return chunksOf(sealSegment(header, entries, LEVEL_SEAL, codecs.zstd, xxh64));
}

const EVENTS = 180;

function sealedJournal(level: number): string {
  const root = newRoot();
  const text = (index: number) => `${index} `.repeat(40) + randomBytes(150).toString('hex');
  appendAll(
    root,
    range(1, EVENTS).map((index) => newEvent({ data: { text: text(index) } })),
  );
  compact(root, { level });
  return root;
}

describe.each([LEVEL_SEAL, LEVEL_COMPACT])('a small journal sealed at level %i', (level) => {
  it('loses the events of one chunk by six overwritten bytes, and says which', () => {
    const root = sealedJournal(level);
    const [file] = segmentFiles(root);
    const chunks = chunksOf(readFileSync(file!));
    expect(chunks.length).toBeGreaterThan(1);
    for (const { offset, storedBytes, firstSeq, count } of chunks) {
      const at = offset + CHUNK_HEADER_BYTES + Math.floor(storedBytes / 2);
      const before = readFileSync(file!);
      edit(file!, (bytes) => void bytes.fill(0xa5, at, at + 6));
      const lost = range(firstSeq, firstSeq + count - 1);
      const place = { kind: 'chunk', firstSeq, lastSeq: lost.at(-1) };
      expect(lost.length).toBeLessThan(EVENTS / 2);
      expect(readAll(root).seqs).toEqual(range(1, EVENTS).filter((seq) => !lost.includes(seq)));
      expect(readAll(root).damage).toMatchObject([place]);
      expect(verify(root).damage).toMatchObject([place]);
      edit(file!, () => before);
    }
  });
});

describe('a chunk', () => {
  it('holds at most 80 records, however small', () => {
    const counts = chunksWith(range(1, 200).map(() => 1)).map(({ count }) => count);
    expect(counts).toEqual([80, 80, 40]);
  });

  it('of large records holds at most 256 KiB', () => {
    const [first] = chunksWith(range(1, 30).map(() => 20_000));
    expect(first!.plainBytes).toBeLessThanOrEqual(256 * 1024);
    expect(first!.plainBytes).toBeGreaterThan(256 * 1024 - 21_000);
  });

  it('holds one record alone that is larger', () => {
    const counts = chunksWith([100, 300_000, 100]).map(({ count }) => count);
    expect(counts).toEqual([1, 1, 1]);
  });
});
