/** @module-tag long */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { JournalWriter } from '../../src/journal/append/writer.ts';
import { encodeContainer } from '../../src/journal/format/container.ts';
import {
  BLOCK_HEADER_BYTES,
  CHUNK_HEADER_BYTES,
  CONTAINER_HEADER_BYTES,
} from '../../src/journal/format/format.ts';
import { decodeSegmentHeader } from '../../src/journal/format/segment.ts';
import { JournalReader } from '../../src/journal/read/reader.ts';
import { openSealed, readChunk } from '../../src/journal/read/sealed.ts';
import { compactJournal } from '../../src/journal/seal/compact.ts';
import { lz4Codec } from '../../src/platform/codecs/lz4.ts';
import { loadZstd } from '../../src/platform/codecs/zstd-write.ts';
import { decoders, newEvent, realPorts, scratch } from '../support.ts';

/** A sealed segment of a journal of its own. */
async function sealed(root: string): Promise<Buffer> {
  const writer = new JournalWriter(realPorts, root, { lockBudgetMs: 1000 });
  for (let n = 0; n < 20; n += 1) writer.append([newEvent({ data: 'words '.repeat(200) })]);
  writer.rotate(0);
  writer.close();
  compactJournal(realPorts, root, { zstd: await loadZstd(), decoders });
  const [first] = new JournalReader(realPorts, root, decoders).segments();
  return readFileSync(first!.path);
}

describe('what other programs read', () => {
  it('a chunk of a sealed segment is opened by zstd', async () => {
    const dir = scratch();
    const bytes = await sealed(path.join(dir, '.ben10'));
    const header = decodeSegmentHeader(bytes, realPorts.xxh64)!;
    const segment = openSealed(bytes, header as never, realPorts.xxh64);
    const chunk = segment.chunks[0]!;
    const start = chunk.offset + CHUNK_HEADER_BYTES;
    const file = path.join(dir, 'chunk.zst');
    writeFileSync(file, bytes.subarray(start, start + chunk.storedBytes));
    const plain = execFileSync('zstd', ['-d', '-c', '-q', file]);
    expect(plain.length).toBe(chunk.plainBytes);
    expect(realPorts.xxh64(plain, (header as { salt: bigint }).salt)).toBe(chunk.plainChecksum);
    expect(readChunk(bytes, segment, chunk, decoders, realPorts.xxh64).entries).toHaveLength(
      chunk.count,
    );
  });

  it('a block of a checkpoint is opened by lz4', () => {
    const plain = Buffer.from('ben10 remembers. '.repeat(20_000));
    const packing = { method: 'lz4' as const, codec: lz4Codec, level: 0 };
    const container = encodeContainer(plain, realPorts.xxh64, packing);
    const file = path.join(scratch(), 'block.lz4');
    writeFileSync(file, container.subarray(CONTAINER_HEADER_BYTES + BLOCK_HEADER_BYTES));
    expect(execFileSync('lz4', ['-d', '-c', '-q', file]).equals(plain)).toBe(true);
  });
});
