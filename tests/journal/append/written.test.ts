import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { JournalWriter } from '../../../src/journal/append/writer.ts';
import { WrittenEntries } from '../../../src/journal/append/written.ts';
import type { Frame } from '../../../src/journal/format/frame.ts';
import { JournalReader } from '../../../src/journal/read/reader.ts';
import { decoders, fieldsOf, newEvent, realPorts } from '../../support.ts';
import { newRoot, portsWith, readerOn, writerOn } from '../support.ts';

const WRITTEN_BYTES_MAX = 1 << 20;

/** A process that remembers what it appends, and the files that its reader has read. */
function remembering(root: string, segmentBytes = 1 << 20) {
  const written = new WrittenEntries(WRITTEN_BYTES_MAX);
  const writer = new JournalWriter(realPorts, root, {
    lockBudgetMs: 5000,
    segmentBytes,
    onWritten: (one) => written.add(one),
  });
  const read: number[] = [];
  const ports = portsWith({
    read: (fd, into, position) => {
      const bytes = realPorts.fs.read(fd, into, position);
      read.push(bytes);
      return bytes;
    },
  });
  const reader = new JournalReader(ports, root, decoders, written);
  return { written, writer, reader, read };
}

const of = (reader: JournalReader, from?: number, to?: number) =>
  [...reader.entries(from, to)].map(({ segment, entry }) => {
    const { envelope, offset, bytes, chain, ...rest } = fieldsOf(entry!) as Partial<Frame>;
    return { segment, ...rest };
  });

const events = (count: number, text = 'x') =>
  Array.from({ length: count }, (_, n) => newEvent({ data: { text: `${text} ${n}` } }));

describe('what a process has appended itself', () => {
  it('is what stands in the files, in every segment and beside what others wrote', () => {
    const root = newRoot();
    writerOn(root).append(events(3, 'before'));
    const { writer, reader } = remembering(root, 4096);
    writer.append(events(40));
    writerOn(root).append(events(2, 'between'));
    writer.append(events(5));
    writerOn(root).append(events(1, 'behind'));
    for (const [from, to] of [[], [2, 3], [4, 43], [30, 47], [44, 51], [51, 99], [60, 70]])
      expect(of(reader, from, to), `${from}..${to}`).toEqual(of(readerOn(root), from, to));
  });

  it('is not read from the files again', () => {
    const { writer, reader, read } = remembering(newRoot());
    writer.append(events(20, 'x'.repeat(50_000)));
    expect([...reader.entries(2)]).toHaveLength(19);
    expect(read.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(200_000);
  });

  it('says nothing of another journal in its place', () => {
    const root = newRoot();
    const { writer, reader } = remembering(root);
    writer.append(events(9, 'old'));
    rmSync(root, { recursive: true });
    writerOn(root).append(events(2, 'new'));
    expect(of(reader)).toEqual(of(readerOn(root)));
    expect([...reader.entries()]).toHaveLength(2);
  });

  it('is forgotten where it is too much to be held', () => {
    const { written, writer, reader } = remembering(newRoot());
    writer.append(events(2));
    const origin = reader.origin()!;
    const entry = {
      ...fieldsOf([...reader.entries()][0]!.entry!),
      payload: Buffer.alloc(WRITTEN_BYTES_MAX),
    };
    written.add({ origin, segment: 's', entries: [{ ...entry, seq: 3 }] });
    expect(written.runs(1, 9, () => origin).flatMap((run) => run.entries)).toHaveLength(1);
    const tooLarge = [{ ...entry, payload: Buffer.alloc(WRITTEN_BYTES_MAX + 1), seq: 4 }];
    written.add({ origin, segment: 's', entries: tooLarge });
    expect(written.runs(1, 9, () => origin)).toEqual([]);
    expect([...reader.entries()]).toHaveLength(2);
  });
});
