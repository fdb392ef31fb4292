import { mkdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FOOTER_BYTES, SEGMENT_BYTES_MAX } from '../../../src/journal/format/format.ts';
import type { JournalPorts } from '../../../src/journal/format/ports.ts';
import { segmentSummaryOf } from '../../../src/journal/read/segment-summary.ts';
import { realPorts } from '../../support.ts';
import { compact } from '../journals.ts';
import {
  afterListing,
  appendAll,
  durable,
  edit,
  eventsOf,
  journalOf,
  newRoot,
  newWriter,
  originFolder,
  readAll,
  readerOn,
  rotatedJournal,
  segmentFiles,
  verify,
  withFailing,
  withNoted,
} from '../support.ts';

/** Three sealed segments of five events each, and an open one of five. */
function journal(): { root: string; files: string[] } {
  const root = rotatedJournal(4, () => durable(eventsOf(5, 500)));
  compact(root);
  return { root, files: segmentFiles(root) };
}

const segmentSummary = (root: string, ports: JournalPorts = realPorts) =>
  segmentSummaryOf(ports, readerOn(root, ports));
const zeroHeader = (bytes: Buffer) => void bytes.fill(0, 0, 128);

describe('the segmentSummary of a journal', () => {
  it('counts what its segments hold by their ends alone', () => {
    const { root } = journal();
    const read: number[] = [];
    const ports = withNoted('read', (_, into) => void read.push(into.length));
    const none = { missing: [], strangers: [] };
    expect(segmentSummary(root, ports)).toEqual({ events: 20, firstSeq: 1, lastSeq: 20, ...none });
    const sealed = read.filter((bytes) => bytes === FOOTER_BYTES);
    expect(sealed.length).toBeGreaterThanOrEqual(6);
    expect(segmentSummary(newRoot())).toEqual({ events: 0, firstSeq: 0, lastSeq: 0, ...none });
  });

  it('takes the first segments as whole that its caller knows to be, and does not read them', () => {
    const { root, files } = journal();
    const opened: string[] = [];
    const ports = withNoted('open', (file) => void opened.push(file));
    expect(segmentSummaryOf(ports, readerOn(root, ports), () => 2)).toEqual(segmentSummary(root));
    expect(opened.filter((file) => files.includes(file))).toEqual(files.slice(2));
    // Where the newest one ends no name says.
    expect(segmentSummaryOf(realPorts, readerOn(root), () => 9)).toEqual(segmentSummary(root));
  });

  it('says which events a removed segment took along, wherever it stood', () => {
    for (const [gone, firstSeq, segment] of [
      [0, 1, '0000000000000006.b10z'],
      [1, 6, '0000000000000011.b10z'],
      [3, 16, null],
    ] as const) {
      const { root, files } = journal();
      rmSync(files[gone]!);
      const found = segmentSummary(root);
      expect(found.events).toBe(15);
      expect(found.missing).toEqual([{ firstSeq, lastSeq: firstSeq + 4, segment }]);
      expect(verify(root)).toMatchObject({ ok: false, events: 15 });
    }
  });

  it('says which events nobody can read because the header before them is lost', () => {
    const { root, files } = journal();
    edit(files[1]!, zeroHeader);
    const segment = path.basename(files[1]!);
    expect(segmentSummary(root)).toEqual({
      events: 15,
      firstSeq: 1,
      lastSeq: 20,
      missing: [{ firstSeq: 6, lastSeq: 10, segment }],
      strangers: [],
    });
  });

  it('tells of each event once where the newest one bears another number, and of none that can be read', () => {
    for (const [number, lost, segment] of [
      [8, [16, 20], null],
      [90, [16, 89], '0000000000000090.b10'],
    ] as const) {
      const { root, files } = journal();
      const name = `${String(number).padStart(16, '0')}.b10`;
      renameSync(files[3]!, path.join(path.dirname(files[3]!), name));
      const [firstSeq, lastSeq] = lost;
      const isInside = number === 8;
      expect(segmentSummary(root)).toMatchObject({
        events: 15,
        missing: [
          { firstSeq, lastSeq, segment },
          ...(isInside ? [] : [{ firstSeq: 90, lastSeq: null, segment: name }]),
        ],
        strangers: isInside ? [name] : [],
      });
    }
  });

  it('does not claim the events of an open segment whose header was lost, before and after the next append', () => {
    const root = journalOf(30);
    const [file] = segmentFiles(root);
    edit(file!, zeroHeader);
    expect(segmentSummary(root)).toMatchObject({
      events: 0,
      lastSeq: 0,
      missing: [{ firstSeq: 1 }],
    });
    appendAll(root, eventsOf(1));
    const { entries } = readAll(root);
    const found = segmentSummary(root);
    expect(found.events).toBe(entries.length);
    expect(found.lastSeq).toBe(entries.at(-1)!.seq);
    expect(found.missing).toEqual([
      { firstSeq: 1, lastSeq: entries[0]!.seq - 1, segment: path.basename(file!) },
    ]);
  });

  it('counts what a segment holds where another one’s footer stands in it, also of one that is as long', () => {
    const { root, writer } = newWriter();
    for (const count of [5, 8, 5, 2]) {
      writer.append(eventsOf(count, 500));
      writer.rotate(0);
    }
    compact(root);
    const files = segmentFiles(root);
    const own = segmentSummary(root);
    expect(own).toMatchObject({ events: 20, lastSeq: 20, missing: [] });
    const contents = files.map((file) => readFileSync(file));
    for (const into of [0, 1, 2, 3]) {
      for (const from of [0, 1, 2, 3]) {
        const pasted = [
          contents[into]!.subarray(0, -FOOTER_BYTES),
          contents[from]!.subarray(-FOOTER_BYTES),
        ];
        writeFileSync(files[into]!, Buffer.concat(pasted));
        expect(segmentSummary(root)).toEqual(own);
        writeFileSync(files[into]!, contents[into]!);
      }
    }
  });

  it('reads a segment whose end cannot be believed', () => {
    const { root, files } = journal();
    edit(files[0]!, (bytes) => void bytes.fill(0, bytes.length - FOOTER_BYTES));
    edit(files[3]!, (bytes) => Buffer.concat([bytes, Buffer.from('torn')]));
    expect(segmentSummary(root)).toMatchObject({ events: 20, lastSeq: 20, missing: [] });
    truncateSync(files[3]!, 200);
    expect(segmentSummary(root)).toMatchObject({ events: 15, lastSeq: 15 });
  });

  it('takes a file of another segment, a folder or a bad disk for a segment that cannot be read', () => {
    const { root, files } = journal();
    renameSync(files[2]!, files[1]!);
    mkdirSync(files[2]!);
    expect(segmentSummary(root)).toMatchObject({
      events: 10,
      missing: [
        { firstSeq: 6, lastSeq: 10 },
        { firstSeq: 11, lastSeq: 15 },
      ],
    });
    const bad = withFailing('open', 'EIO', (file) => file === files[0]);
    expect(segmentSummary(root, bad)).toMatchObject({ events: 5 });
    const refused = withFailing('open', 'EMFILE');
    expect(() => segmentSummary(root, refused)).toThrow('EMFILE');
    truncateSync(files[0]!, SEGMENT_BYTES_MAX + 1);
    expect(segmentSummary(root)).toMatchObject({
      events: 5,
      missing: [{ firstSeq: 1, lastSeq: 5 }, {}, {}],
    });
    writeFileSync(files[0]!, '');
    expect(segmentSummary(root)).toMatchObject({
      events: 5,
      missing: [{ firstSeq: 1, lastSeq: 5 }, {}, {}],
    });
  });

  it('is not led astray by a compaction that renames what was listed', () => {
    const { root, writer } = newWriter();
    for (let segment = 0; segment < 3; segment += 1) {
      if (segment > 0) writer.rotate(0);
      writer.append(eventsOf(5, 500));
    }
    const ports = afterListing(originFolder(root), () => compact(root));
    expect(segmentSummary(root, ports)).toMatchObject({ events: 15, missing: [] });
  });

  it('says why where a file cannot be opened for now: nothing is missing then', () => {
    const { root, files } = journal();
    const ports = withFailing('open', 'EMFILE', (file) => file === files[1]);
    expect(() => segmentSummary(root, ports)).toThrow(/EMFILE/);
    const closed = withFailing('open', 'EACCES', (file) => file === files[1]);
    expect(() => segmentSummary(root, closed)).toThrow(
      expect.objectContaining({
        code: 'FS_PERMISSION_DENIED',
        next: expect.stringMatching(/allow reading and writing/),
      }),
    );
  });
});
