/** @module-tag long */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
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
import { verifyJournal } from '../../src/journal/verify/verify.ts';
import { lz4Codec } from '../../src/platform/codecs/lz4.ts';
import { loadZstd } from '../../src/platform/codecs/zstd-write.ts';
import { context } from '../../src/projections/folds/context.ts';
import { ADDONS, decoders, newEvent, openTestProject, realPorts, scratch } from '../support.ts';
import { bundle } from './bundle.ts';

const POINTS = 50;
const SEGMENTS_MIN = 20;

/** A journal of many closed segments, whose events make a context. */
function grown(dir: string): JournalWriter {
  const writer = new JournalWriter(realPorts, path.join(dir, '.ben10'), {
    lockBudgetMs: 1000,
    segmentBytes: 32 * 1024,
  });
  for (let n = 0; n < 1600; n += 1) {
    const toolUseId = `t${n >> 1}`;
    const called = {
      toolUseId,
      name: 'Bash',
      input: { command: `echo ${n} ${'y'.repeat(n % 1200)}` },
    };
    const ended = { toolUseId, response: { stdout: `${n}`, stderr: '' } };
    const event =
      n % 2 === 0 ? { type: 'tool.called', data: called } : { type: 'tool.succeeded', data: ended };
    writer.append([newEvent({ ...event, at: 1_000_000 + n })]);
  }
  return writer;
}

/** The state at a point, as one digest. */
function digestAt(dir: string, seq: number): string {
  const project = openTestProject(dir);
  const { state } = project.states.at(context, 's1', { upto: seq });
  return createHash('sha256').update(JSON.stringify(state)).digest('hex');
}

/** Every entry of a range of seqs, as one digest. */
function entriesBetween(root: string, [from, to]: readonly [number, number]): string {
  const sum = createHash('sha256');
  for (const { entry, damage } of new JournalReader(realPorts, root, decoders).entries(from, to)) {
    expect(damage).toBeUndefined();
    const { kind, flags, typeTag, seq, hlc, id, syncedUpto, salt, payload, commit } = entry!;
    sum.update(JSON.stringify([kind, flags, typeTag, seq, hlc, syncedUpto]));
    for (const part of [id, salt, payload, commit]) sum.update(part);
  }
  return sum.digest('hex');
}

async function appenders(root: string, count: number): Promise<ChildProcess[]> {
  const { program, remove } = await bundle('writer-process');
  onTestFinished(remove);
  const children = Array.from({ length: count }, (_, w) =>
    spawn(process.execPath, [program, root, ADDONS, `w${w}`, '20'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  onTestFinished(() => void children.map((child) => child.kill('SIGKILL')));
  await Promise.all(
    children.map((child) => new Promise((ready) => child.stdout!.once('data', ready))),
  );
  return children;
}

describe('compaction beside appends', () => {
  it(`changes the state at none of ${POINTS} random points while 4 processes append`, {
    timeout: 240_000,
  }, async () => {
    const dir = scratch();
    const root = path.join(dir, '.ben10');
    grown(dir).close();
    const reader = new JournalReader(realPorts, root, decoders);
    const segments = reader.segments().length;
    expect(segments).toBeGreaterThanOrEqual(SEGMENTS_MIN);
    const points = Array.from(
      { length: POINTS },
      (_, n) => 1 + ((n * 7919 + (Number(process.env.BEN10_SEED) % 1600)) % 1600),
    );
    const before = points.map((seq) => digestAt(dir, seq));
    const ranges = points.map(
      (seq, n) => [seq, Math.min(1600, seq + (points[points.length - 1 - n]! % 200))] as const,
    );
    const entriesBefore = ranges.map((range) => entriesBetween(root, range));

    const children = await appenders(root, 4);
    const result = compactJournal(realPorts, root, { zstd: await loadZstd(), decoders });
    expect(ranges.map((range) => entriesBetween(root, range))).toEqual(entriesBefore);
    const during = points.slice(0, 10).map((seq) => digestAt(dir, seq));
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(
      children.map(
        (child) =>
          new Promise((ended) =>
            (child.exitCode ?? child.signalCode) === null ? child.on('close', ended) : ended(0),
          ),
      ),
    );

    expect(during).toEqual(before.slice(0, 10));
    expect(points.map((seq) => digestAt(dir, seq))).toEqual(before);
    expect(ranges.map((range) => entriesBetween(root, range))).toEqual(entriesBefore);
    expect(
      result.segments.filter(({ action }) => action === 'sealed').length,
    ).toBeGreaterThanOrEqual(SEGMENTS_MIN - 1);
    new JournalWriter(realPorts, root, { lockBudgetMs: 5000 }).drain();
    const verified = verifyJournal(realPorts, root, decoders);
    expect(verified.damage).toEqual([]);
    expect(verified.events).toBeGreaterThan(1600);
    process.stdout.write(
      `compact: ${segments} segments, ${result.bytesBefore} to ${result.bytesAfter} bytes, ${verified.events - 1600} events appended meanwhile\n`,
    );
  });
});

describe('what other programs read', () => {
  it('a chunk of a sealed segment is opened by zstd', async () => {
    const dir = scratch();
    const root = path.join(dir, '.ben10');
    grown(dir).close();
    compactJournal(realPorts, root, { zstd: await loadZstd(), decoders });
    const [first] = new JournalReader(realPorts, root, decoders).segments();
    const bytes = readFileSync(first!.path);
    const header = decodeSegmentHeader(bytes, realPorts.xxh64)!;
    const sealed = openSealed(bytes, header as never, realPorts.xxh64);
    const chunk = sealed.chunks[0]!;
    const start = chunk.offset + CHUNK_HEADER_BYTES;
    const file = path.join(dir, 'chunk.zst');
    writeFileSync(file, bytes.subarray(start, start + chunk.storedBytes));
    const plain = execFileSync('zstd', ['-d', '-c', '-q', file]);
    expect(plain.length).toBe(chunk.plainBytes);
    expect(realPorts.xxh64(plain, (header as { salt: bigint }).salt)).toBe(chunk.plainChecksum);
    expect(readChunk(bytes, sealed, chunk, decoders, realPorts.xxh64).entries).toHaveLength(
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
