/** @module-tag long */
import {
  appendFileSync,
  closeSync,
  openSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Frame } from '../../../src/journal/format/frame.ts';
import type { JournalPorts } from '../../../src/journal/format/ports.ts';
import { decodeSegmentHeader } from '../../../src/journal/format/segment.ts';
import { framesBetween } from '../../../src/journal/read/frames-between.ts';
import { framesNearEnd } from '../../../src/journal/read/frames-near-end.ts';
import { scanFrames } from '../../../src/journal/read/scan.ts';
import { seeded } from '../../seeded.ts';
import { realPorts } from '../../support.ts';
import { appendAll, eventsOf, newRoot, portsWith, readAll, readerOn } from '../support.ts';

const END = Number.MAX_SAFE_INTEGER;
const EVENTS = 1500;

/** A journal of one active segment of some two megabytes, and a few frames that are larger than what is read at once. */
function segment() {
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

function scanned(file: string, from: number, to: number) {
  const bytes = readFileSync(file);
  const header = decodeSegmentHeader(bytes, realPorts.xxh64)!;
  return [...scanFrames(bytes, header, realPorts.xxh64)].flatMap(({ entry: frame }) =>
    frame !== undefined && frame.seq >= from && frame.seq <= to ? [frame] : [],
  );
}

const plain = ({ seq, offset, chain, payload }: Frame): string =>
  `${seq} at ${offset}: ${chain.toString('hex')} ${payload.toString('latin1')}`;

const random = seeded(5);
const below = (n: number): number => Math.floor(random() * n);

describe('frames in the middle of a segment', () => {
  it('are those that a scan of the whole finds', () => {
    const { path, between } = segment();
    const all = scanned(path, 1, END).map(plain);
    for (let n = 0; n < 60; n += 1) {
      const from = 2 + below(EVENTS - 2);
      const to = n % 9 === 0 ? END : from + below(30);
      expect(between(from, to)?.map(plain)).toEqual(all.slice(from - 1, Math.min(to, EVENTS)));
    }
  });

  it('cost as many readings as the length has digits', () => {
    const { between } = segment();
    let bytes = 0;
    const ports = portsWith({
      read(fd, into, position) {
        bytes += into.length;
        return realPorts.fs.read(fd, into, position);
      },
    });
    expect(between(200, 210, ports)).toHaveLength(11);
    expect(bytes).toBeLessThan(1_000_000);
  });

  it('are guessed at by how long frames are: of eight megabytes, a few readings find one', () => {
    const root = newRoot();
    appendAll(root, eventsOf(8000, 700));
    const [file] = readerOn(root).segments();
    const counts = Array.from({ length: 40 }, () => {
      let count = 0;
      const ports = portsWith({
        read(...how) {
          count += 1;
          return realPorts.fs.read(...how);
        },
      });
      const seq = 100 + below(7000);
      expect(framesNearEnd(ports, file!, seq, seq)?.map((frame) => frame.seq)).toEqual([seq]);
      return count;
    });
    // The header, the last frame, what is found, and in between: halving takes nine.
    expect(Math.max(...counts)).toBeLessThanOrEqual(3 + 5);
  });

  it('are not looked for in the end of a segment that they can hardly be in', () => {
    const { root, path, between } = segment();
    appendAll(root, eventsOf(1, 700));
    const end = readFileSync(path).length;
    let bytesOfEnd = 0;
    const ports = portsWith({
      read(fd, into, position) {
        if (position !== null && position + into.length >= end) bytesOfEnd += into.length;
        return realPorts.fs.read(fd, into, position);
      },
    });
    expect(between(200, 210, ports)).toHaveLength(11);
    expect(bytesOfEnd).toBeLessThan(10_000);
    expect(between(EVENTS, END, ports)).toHaveLength(2);
  });

  it('are left to a scan when one of them is damaged, and read past damage elsewhere', () => {
    const { root, path, between } = segment();
    const whole = readFileSync(path);
    const [frame] = scanned(path, 250, 250);
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

  it('are not looked for behind a torn end', () => {
    const { path, between } = segment();
    truncateSync(path, readFileSync(path).length - 3);
    expect(between(200)).toBeUndefined();
    expect(between(EVENTS)).toBeUndefined();
  });

  it('are left to a scan when a large one is damaged far behind its beginning', () => {
    const { path, between } = segment();
    const [large] = scanned(path, EVENTS / 3, EVENTS / 3);
    expect(large!.bytes).toBeGreaterThan(400_000);
    expect(between(490, 510)).toHaveLength(21);
    const bytes = readFileSync(path);
    bytes[large!.offset + 300_000]! ^= 1;
    writeFileSync(path, bytes);
    expect(between(490, 510)).toBeUndefined();
    expect(between(501, 510)).toHaveLength(10);
  });

  it('are left to a scan when the first is before the segment, or an append is in flight behind the last', () => {
    const { path } = segment();
    appendFileSync(path, Buffer.alloc(20, 1));
    const bytes = readFileSync(path);
    const header = decodeSegmentHeader(bytes, realPorts.xxh64)!;
    const fd = openSync(path, 'r');
    const between = (from: number, to: number) =>
      framesBetween(realPorts, { fd, size: bytes.length, header }, from, to)?.length;
    expect(between(1, 9)).toBe(9);
    expect(between(0, 9)).toBeUndefined();
    expect(between(EVENTS - 9, EVENTS)).toBe(10);
    expect(between(EVENTS - 9, END)).toBeUndefined();
    closeSync(fd);
  });

  it('cannot be put there by a payload that holds the bytes of a frame', () => {
    const { path } = segment();
    const header = decodeSegmentHeader(readFileSync(path), realPorts.xxh64)!;
    const [frame] = scanned(path, 1400, 1400);
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
