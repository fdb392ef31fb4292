import { readFileSync, truncateSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BODY_BYTES_MAX } from '../../../src/journal/format/format.ts';
import type { Entry } from '../../../src/journal/format/frame.ts';
import { decodeSegmentHeader } from '../../../src/journal/format/segment.ts';
import { newRoom, oneRoom } from '../../../src/journal/read/room.ts';
import { scanFrames } from '../../../src/journal/read/scan.ts';
import { readEvents } from '../../../src/projections/events.ts';
import { seeded } from '../../seeded.ts';
import { newEvent, realPorts } from '../../support.ts';
import { compact, range } from '../journals.ts';
import {
  appendAll,
  edit,
  flipBit,
  newRoot,
  portsWith,
  readerOn,
  segmentFiles,
  withFailing,
  writerOn,
} from '../support.ts';

/** What a window holds at most, as far as these tests go. */
const WINDOW_BYTES = 256 * 1024;
const LARGEST = BODY_BYTES_MAX - 1000;

/** A segment of many windows, with frames that are cut off by their ends and some that are larger than any. */
function longSegment(seed = 5): string {
  const root = newRoot();
  const random = seeded(seed);
  const sizes = Array.from({ length: 150 }, (_, n) => {
    if (n === 40 || n === 149) return LARGEST;
    return Math.floor(random() ** 6 * 60_000) + 1;
  });
  appendAll(
    root,
    sizes.map((bytes, n) => newEvent({ data: String.fromCharCode(97 + (n % 26)).repeat(bytes) })),
  );
  return root;
}

/** A reading that is done with each batch before it asks for the next. */
function passing(root: string, ports = realPorts, from = 1, to?: number): string[] {
  const seen: string[] = [];
  for (const batch of readerOn(root, ports).batches(from, to, oneRoom()))
    for (const { entry, damage } of batch)
      seen.push(entry === undefined ? JSON.stringify(damage) : told(entry));
  return seen;
}

const told = ({ seq, id, payload }: Entry): string =>
  `${seq} ${id.toString('hex')} ${payload.toString('latin1')}`;

/** The same by a scan of the whole file. */
function scanned(root: string): string[] {
  const [file] = segmentFiles(root);
  const bytes = readFileSync(file!);
  const header = decodeSegmentHeader(bytes, realPorts.xxh64)!;
  return [...scanFrames(bytes, header, realPorts.xxh64)].flatMap(({ entry: frame, damage }) => {
    if (frame !== undefined) return told(frame);
    // An append in flight at the end of the newest segment is no damage to a reader.
    return damage.offset + damage.bytes === bytes.length ? [] : JSON.stringify(damage);
  });
}

describe('a segment that is read in windows', () => {
  it('gives the same as a scan of it, whatever is cut off by their ends', () => {
    for (const seed of [1, 2, 3]) {
      const root = longSegment(seed);
      expect(segmentFiles(root)).toHaveLength(1);
      const seen = passing(root);
      expect(seen).toHaveLength(150);
      expect(seen).toEqual(scanned(root));
    }
  });

  it('takes little memory, and the same again and again', () => {
    const root = longSegment();
    const asked: number[] = [];
    const room = oneRoom();
    const counted = (bytes: number) => {
      asked.push(bytes);
      return room(bytes);
    };
    const buffers = new Set<ArrayBufferLike>();
    for (const { entry } of readerOn(root).entries(1, undefined, counted))
      buffers.add(entry!.payload.buffer);
    expect(asked.length).toBeGreaterThan(8);
    // The largest frame alone, and what there was before it.
    expect(Math.max(...asked)).toBeLessThan(LARGEST + 2000);
    expect(asked.filter((bytes) => bytes > WINDOW_BYTES)).toHaveLength(2);
    expect(buffers.size).toBeLessThanOrEqual(3);
  });

  it('leaves what was given before as it was, unless the reader said that it is done with it', () => {
    const root = longSegment();
    const kept = [...readerOn(root).entries()].map(({ entry }) => entry!);
    expect(kept.map(told)).toEqual(scanned(root));
  });

  it('tells of damage as a scan does, wherever it is', { tags: 'long' }, () => {
    const random = seeded(11);
    for (let n = 0; n < 12; n += 1) {
      const root = longSegment(n);
      edit(segmentFiles(root)[0]!, (bytes) => {
        const at = 128 + Math.floor(random() * (bytes.length - 128));
        if (n % 3 === 0) flipBit(bytes, at * 8);
        else if (n % 3 === 1) bytes.fill(0, at, at + 5000);
        else return Buffer.concat([bytes.subarray(0, at - (at % 8)), bytes.subarray(at + 160)]);
        return bytes;
      });
      const seen = passing(root);
      expect(seen).toEqual(scanned(root));
    }
  });

  it('tells of a frame that is not whole only where nobody can be writing it', () => {
    const root = longSegment();
    const [file] = segmentFiles(root);
    truncateSync(file!, readFileSync(file!).length - 100);
    expect(passing(root)).toHaveLength(149);
  });

  it('leaves no file open, also for one who stops halfway', () => {
    const root = longSegment();
    let open = 0;
    let opened = 0;
    const ports = portsWith({
      open: (...args) => {
        open += 1;
        opened += 1;
        return realPorts.fs.open(...args);
      },
      close: (fd) => {
        open -= 1;
        realPorts.fs.close(fd);
      },
    });
    const reading = readerOn(root, ports).entries();
    for (let n = 0; n < 60; n += 1) {
      expect(reading.next().value?.entry?.seq).toBe(n + 1);
      expect(open).toBe(0);
    }
    expect(opened).toBeGreaterThan(3);
  });

  it('goes on in the sealed one, once, when it was sealed halfway', () => {
    const root = longSegment();
    writerOn(root).rotate(0);
    const seqs: number[] = [];
    for (const { entry, damage } of readerOn(root).entries(1, undefined, oneRoom())) {
      expect(damage).toBeUndefined();
      seqs.push(entry!.seq);
      if (seqs.length === 60) compact(root);
    }
    expect(seqs).toEqual(range(1, 150));
  });

  it('gives what it could read before a disk fails, and says that the rest is lost', () => {
    const root = longSegment();
    const ports = withFailing(
      'read',
      'EIO',
      (_, into, position) => position + into.length > 600_000,
    );
    const seen = passing(root, ports);
    expect(seen.length).toBeGreaterThan(10);
    expect(JSON.parse(seen.at(-1)!)).toMatchObject({ kind: 'segment-header', lastSeq: null });
    expect(seen.slice(0, -1)).toEqual(scanned(root).slice(0, seen.length - 1));
  });
});

describe('events of a reading that passes', () => {
  it('can be kept: they hold nothing of the memory that they were read into', () => {
    const root = newRoot();
    const data = Array.from({ length: 90 }, (_, n) => ({
      n,
      bytes: new Uint8Array(10_000).fill(n),
    }));
    appendAll(
      root,
      data.map((one) => newEvent({ data: one, session: `s${one.n}` })),
    );
    const events = [...readEvents(readerOn(root), realPorts.xxh64, {})];
    expect(events.map(({ session }) => session)).toEqual(data.map(({ n }) => `s${n}`));
    for (const [n, { data: found }] of events.entries())
      expect(Buffer.from((found as { bytes: Uint8Array }).bytes).equals(data[n]!.bytes)).toBe(true);
  });
});

describe('an archive that is read chunk by chunk', () => {
  it('gives the same as the segment did, in the same memory', () => {
    const root = longSegment();
    writerOn(root).rotate(0);
    const before = passing(root);
    compact(root, { level: 1 });
    expect(segmentFiles(root)[0]).toMatch(/b10z$/);
    expect(passing(root)).toEqual(before);
    expect(passing(root, realPorts, 70, 80)).toEqual(before.slice(69, 80));
    const rooms: number[] = [];
    const room = (bytes: number) => {
      rooms.push(bytes);
      return newRoom(bytes);
    };
    for (const _ of readerOn(root).batches(1, undefined, room));
    const whole = readFileSync(segmentFiles(root)[0]!).length;
    expect(rooms.length).toBeGreaterThan(5);
    expect(Math.max(...rooms)).toBeLessThan(whole);
  });
});
