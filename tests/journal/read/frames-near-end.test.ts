/** @module-tag long */
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SEGMENT_BYTES_MAX } from '../../../src/journal/format/format.ts';
import type { Frame } from '../../../src/journal/format/frame.ts';
import type { JournalPorts } from '../../../src/journal/format/ports.ts';
import { decodeSegmentHeader } from '../../../src/journal/format/segment.ts';
import { framesBetween } from '../../../src/journal/read/frames-between.ts';
import { framesNearEnd } from '../../../src/journal/read/frames-near-end.ts';
import { scanFrames } from '../../../src/journal/read/scan.ts';
import { seeded } from '../../seeded.ts';
import { realPorts } from '../../support.ts';
import {
  appendAll,
  eventsOf,
  flipBit,
  journalOf,
  newRoot,
  portsWith,
  readAll,
  readerOn,
  systemError,
  withFailing,
  withNoted,
} from '../support.ts';

const END = Number.MAX_SAFE_INTEGER;
const EVENTS = 1500;

/** A journal of one active segment. */
function segment(count: number, dataBytes = 10) {
  const root = journalOf(count, dataBytes);
  const [file] = readerOn(root).segments();
  const near = (from: number, to = END, ports: JournalPorts = realPorts) =>
    framesNearEnd(ports, file!, from, to)?.map(plain);
  return { root, file: file!, path: file!.path, near };
}

/** One of some two megabytes, with a few frames that are larger than what is read at once. */
function longSegment() {
  const root = newRoot();
  for (let n = 0; n < 3; n += 1) {
    appendAll(root, eventsOf(EVENTS / 3 - 1, 700));
    appendAll(root, eventsOf(1, 400_000));
  }
  const [file] = readerOn(root).segments();
  const between = (from: number, to = END, ports: JournalPorts = realPorts) =>
    framesNearEnd(ports, file!, from, to);
  return { root, path: file!.path, between };
}

/** What a scan of the whole file finds in the range. */
function framesIn(file: string, from: number, to = END): Frame[] {
  const bytes = readFileSync(file);
  const header = decodeSegmentHeader(bytes, realPorts.xxh64)!;
  return [...scanFrames(bytes, header, realPorts.xxh64)]
    .flatMap(({ entry }) => entry ?? [])
    .filter(({ seq }) => seq >= from && seq <= to);
}
const scanned = (file: string, from: number, to?: number) => framesIn(file, from, to).map(plain);

const plain = ({ seq, offset, chain, payload }: Frame): string =>
  `${seq} at ${offset}: ${chain.toString('hex')} ${payload.toString('latin1')}`;

const random = seeded(5);
const below = (n: number): number => Math.floor(random() * n);

describe('frames near the end of a segment', () => {
  it('are those that a scan of the whole finds, for every range', () => {
    const { file, near } = segment(12);
    for (let from = 1; from <= 14; from += 1) {
      for (let to = from - 1; to <= 13; to += 1)
        expect(near(from, to)).toEqual(scanned(file.path, from, to));
    }
  });

  it('cost what lies behind them, not the whole segment', () => {
    const { file, near } = segment(3000, 1000);
    let bytes = 0;
    const ports = withNoted('read', (_, into) => {
      bytes += into.length;
    });
    expect(near(2990, END, ports)).toEqual(scanned(file.path, 2990));
    expect(bytes).toBeLessThan(200_000);
    expect(readFileSync(file.path).length).toBeGreaterThan(3_000_000);
    expect(near(5)).toEqual(scanned(file.path, 5));
    bytes = 0;
    expect(near(1, 1, ports)).toEqual(scanned(file.path, 1, 1));
    expect(bytes).toBeLessThan(400_000);
  });

  it('may each be larger than what is read at first', () => {
    const { file, near } = segment(4, 300_000);
    for (const from of [2, 3, 4]) expect(near(from)).toEqual(scanned(file.path, from));
  });

  it('are left to a scan when they are all of it', () => {
    expect(segment(5).near(1)).toBeUndefined();
  });

  it('are left to a scan when anything of them, or behind them, is damaged: every bit', () => {
    const { file, near } = segment(6);
    const whole = readFileSync(file.path);
    for (let bit = 0; bit < whole.length * 8; bit += 1) {
      const damaged = Buffer.from(whole);
      flipBit(damaged, bit);
      writeFileSync(file.path, damaged);
      const found = near(4);
      if (found !== undefined) expect(found, `bit ${bit}`).toEqual(scanned(file.path, 4));
      const isFlipRead = bit >> 3 >= offsetOf(whole, 4);
      if (isFlipRead) expect(found, `bit ${bit}`).toBeUndefined();
    }
  });

  it('are left to a scan while an append is in flight, or the file is cut or gone', () => {
    const { file, near } = segment(6);
    const whole = readFileSync(file.path);
    for (let size = 0; size < whole.length; size += 7) {
      truncateSync(file.path, size);
      const found = near(4);
      if (found !== undefined) expect(found, `${size} bytes`).toEqual(scanned(file.path, 4));
      writeFileSync(file.path, whole);
    }
    appendFileSync(file.path, whole.subarray(128, 250));
    expect(near(4)).toBeUndefined();
    rmSync(file.path);
    expect(near(4)).toBeUndefined();
  });

  it('are left to a scan where the disk is bad, which tells of the segment as of any other', () => {
    const { root, near } = segment(6);
    const bad = withFailing('read', 'EIO');
    expect(near(4, END, bad)).toBeUndefined();
    // Only the segments are bad: the manifest still says whose they are.
    const segments = new Set<number>();
    const ports = portsWith({
      open(file, flags, mode) {
        const fd = realPorts.fs.open(file, flags, mode);
        if (file.endsWith('.b10')) segments.add(fd);
        return fd;
      },
      close(fd) {
        segments.delete(fd);
        realPorts.fs.close(fd);
      },
      read(fd, into, position) {
        if (segments.has(fd)) throw systemError('EIO');
        return realPorts.fs.read(fd, into, position);
      },
    });
    expect(readAll(root, 4, END, ports)).toMatchObject({
      seqs: [],
      damage: [{ kind: 'segment-header', firstSeq: 1 }],
    });
  });

  it('are not taken from a file that says it is another segment', () => {
    const other = segment(9);
    const { file, near } = segment(9);
    writeFileSync(file.path, readFileSync(other.file.path));
    expect(near(4)).toBeUndefined();
  });

  it('are left to a scan where something else is in the place of the file, or it is too large', () => {
    const { file, near } = segment(6);
    truncateSync(file.path, SEGMENT_BYTES_MAX + 1);
    const reads: number[] = [];
    const ports = withNoted('read', (_fd, _into, position) => void reads.push(position));
    expect(near(4, END, ports)).toBeUndefined();
    expect(reads).toEqual([]);
    truncateSync(file.path, SEGMENT_BYTES_MAX);
    expect(near(4, END, ports)).toBeUndefined();
    expect(reads).not.toEqual([]);
    rmSync(file.path);
    mkdirSync(file.path);
    expect(near(4)).toBeUndefined();
  });

  it('hide no mistake of the program behind a bad disk', () => {
    const { near } = segment(6);
    const wrong = withFailing('read', new TypeError('a mistake'));
    expect(() => near(4, END, wrong)).toThrow('a mistake');
  });
});

describe('frames in the middle of a segment', () => {
  it('are those that a scan of the whole finds', () => {
    const { path, between } = longSegment();
    const all = scanned(path, 1);
    for (let n = 0; n < 60; n += 1) {
      const from = 2 + below(EVENTS - 2);
      const to = n % 9 === 0 ? END : from + below(30);
      expect(between(from, to)?.map(plain)).toEqual(all.slice(from - 1, Math.min(to, EVENTS)));
    }
  });

  it('are guessed at by how long frames are: of eight megabytes, a few readings find one', () => {
    const root = journalOf(8000, 700);
    const [file] = readerOn(root).segments();
    const counts = Array.from({ length: 40 }, () => {
      let count = 0;
      const ports = withNoted('read', () => {
        count += 1;
      });
      const seq = 100 + below(7000);
      expect(framesNearEnd(ports, file!, seq, seq)?.map((frame) => frame.seq)).toEqual([seq]);
      return count;
    });
    // The header, the last frame, what is found, and in between: halving takes nine.
    expect(Math.max(...counts)).toBeLessThanOrEqual(3 + 5);
  });

  it('are left to a scan when one of them is damaged, and read past damage elsewhere', () => {
    const { root, path, between } = longSegment();
    const whole = readFileSync(path);
    const [frame] = framesIn(path, 250, 250);
    for (const at of [0, 20, 130, frame!.bytes - 4]) {
      const bytes = Buffer.from(whole);
      bytes[frame!.offset + at]! ^= 0x10;
      writeFileSync(path, bytes);
      expect(between(240, 260)).toBeUndefined();
      expect(between(250, 250)).toBeUndefined();
      expect(between(100, 110)?.map(({ seq }) => seq)).toEqual([
        100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110,
      ]);
      expect(readAll(root, 200, 300).seqs).toHaveLength(100);
    }
  });

  it('are left to a scan when a large one is damaged far behind its beginning', () => {
    const { path, between } = longSegment();
    const [large] = framesIn(path, EVENTS / 3, EVENTS / 3);
    expect(large!.bytes).toBeGreaterThan(400_000);
    expect(between(490, 510)).toHaveLength(21);
    const bytes = readFileSync(path);
    bytes[large!.offset + 300_000]! ^= 1;
    writeFileSync(path, bytes);
    expect(between(490, 510)).toBeUndefined();
    expect(between(501, 510)).toHaveLength(10);
  });

  it('are left to a scan when the first is before the segment, or an append is in flight behind the last', () => {
    const { path } = longSegment();
    appendFileSync(path, Buffer.alloc(20, 1));
    const bytes = readFileSync(path);
    const header = decodeSegmentHeader(bytes, realPorts.xxh64)!;
    const read = (into: Uint8Array, at: number) => bytes.copy(into, 0, at);
    const between = (from: number, to: number) =>
      framesBetween(realPorts, { read, size: bytes.length, header }, from, to)?.length;
    expect(between(1, 9)).toBe(9);
    expect(between(0, 9)).toBeUndefined();
    expect(between(EVENTS - 9, EVENTS)).toBe(10);
    expect(between(EVENTS - 9, END)).toBeUndefined();
  });

  it('cannot be put there by a payload that holds the bytes of a frame', () => {
    const { path } = longSegment();
    const header = decodeSegmentHeader(readFileSync(path), realPorts.xxh64)!;
    const [frame] = framesIn(path, 1400, 1400);
    const copy = readFileSync(path).subarray(frame!.offset, frame!.offset + frame!.bytes);
    // Aligned wherever it comes to lie: a copy begins at each eighth byte.
    const planted = Buffer.concat([
      ...Array.from({ length: 8 }, () => copy),
      ...Array.from({ length: 8 }, (_, n) => [Buffer.alloc(n), copy]).flat(),
    ]);
    const root = newRoot();
    const events = eventsOf(400, 700).map((event) => ({ ...event, payload: planted }));
    appendAll(root, events);
    const [file] = readerOn(root).segments();
    expect(header.salt).not.toBe(0n);
    for (const from of [50, 200, 333])
      expect(framesNearEnd(realPorts, file!, from, from + 3)?.map(({ seq }) => seq)).toEqual([
        from,
        from + 1,
        from + 2,
        from + 3,
      ]);
  });
});

/** Where the frame of a seq starts. */
function offsetOf(bytes: Buffer, seq: number): number {
  const header = decodeSegmentHeader(bytes, realPorts.xxh64)!;
  for (const { entry: frame } of scanFrames(bytes, header, realPorts.xxh64))
    if (frame?.seq === seq) return frame.offset;
  throw new Error(`no frame ${seq}`);
}
