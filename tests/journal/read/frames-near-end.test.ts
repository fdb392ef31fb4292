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
import type { JournalPorts } from '../../../src/journal/format/ports.ts';
import { decodeSegmentHeader } from '../../../src/journal/format/segment.ts';
import { framesNearEnd } from '../../../src/journal/read/frames-near-end.ts';
import { scanFrames } from '../../../src/journal/read/scan.ts';
import { realPorts } from '../../support.ts';
import {
  appendAll,
  eventsOf,
  flipBit,
  newRoot,
  portsWith,
  readAll,
  readerOn,
  systemError,
  withFailing,
} from '../support.ts';

const END = Number.MAX_SAFE_INTEGER;

/** A journal of one active segment. */
function segment(count: number, dataBytes = 10) {
  const root = newRoot();
  appendAll(root, eventsOf(count, dataBytes));
  const [file] = readerOn(root).segments();
  const near = (from: number, to = END, ports: JournalPorts = realPorts) =>
    framesNearEnd(ports, file!, from, to)?.map(({ seq, payload }) => [seq, payload.toString()]);
  return { root, file: file!, near };
}

/** What a scan of the whole file finds in the range. */
function scanned(file: string, from: number, to = END) {
  const bytes = readFileSync(file);
  const header = decodeSegmentHeader(bytes, realPorts.xxh64)!;
  return [...scanFrames(bytes, header, realPorts.xxh64)]
    .flatMap(({ entry }) => entry ?? [])
    .filter(({ seq }) => seq >= from && seq <= to)
    .map(({ seq, payload }) => [seq, payload.toString()]);
}

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
    const ports = portsWith({
      read(fd, into, position) {
        bytes += into.length;
        return realPorts.fs.read(fd, into, position);
      },
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
    const ports = portsWith({
      read(fd, into, position) {
        reads.push(position);
        return realPorts.fs.read(fd, into, position);
      },
    });
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

/** Where the frame of a seq starts. */
function offsetOf(bytes: Buffer, seq: number): number {
  const header = decodeSegmentHeader(bytes, realPorts.xxh64)!;
  for (const { entry: frame } of scanFrames(bytes, header, realPorts.xxh64))
    if (frame?.seq === seq) return frame.offset;
  throw new Error(`no frame ${seq}`);
}
