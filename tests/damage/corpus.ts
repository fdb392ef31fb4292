import { FRAME_KIND } from '../../src/journal/format/format.ts';
import type { Entry } from '../../src/journal/format/frame.ts';
import type { Hash64 } from '../../src/platform/xxh64.ts';
import { Chance } from './chance.ts';
import { craftActive, headerOf, namesOf, saltOf } from './craft.ts';
import { entriesOf, entryOf, payloadOf } from './entries.ts';
import { craftJournal, type Makers, type TestJournal } from './journal.ts';

export { payloadOf } from './entries.ts';
export { craftJournal, type Makers, portsOn, put, ROOT, type TestJournal } from './journal.ts';

export const inChunks = (entries: readonly Entry[], size: number): Entry[][] =>
  Array.from({ length: Math.ceil(entries.length / size) }, (_, index) =>
    entries.slice(index * size, (index + 1) * size),
  );

/**
 * Small segments, each bit of which can be turned over: raw and sealed, alone, first, in the middle and last. What stands
 * beside them is read again for each bit, and has one event.
 */
export function smallJournals(makers: Makers): TestJournal[] {
  const raw = (first: number, count: number, bytes: number) => entriesOf(first, count, bytes);
  const sealed = (first: number, count: number, bytes: number, size: number) => ({
    chunks: inChunks(entriesOf(first, count, bytes), size),
  });
  return [
    craftJournal('raw, alone', [raw(1, 8, 20)], 0, makers),
    craftJournal('raw, one event', [raw(1, 1, 5)], 0, makers),
    craftJournal('raw, newest of two', [raw(1, 1, 10), raw(2, 7, 40)], 1, makers),
    craftJournal('raw, between two', [raw(1, 1, 9), raw(2, 7, 30), raw(9, 1, 9)], 1, makers),
    craftJournal('raw, behind a sealed one', [sealed(1, 1, 9, 1), raw(2, 8, 50)], 1, makers),
    craftJournal('sealed, alone', [sealed(1, 9, 20, 3)], 0, makers),
    craftJournal('sealed, one chunk', [sealed(1, 3, 90, 3)], 0, makers),
    craftJournal('sealed, before a raw one', [sealed(1, 12, 60, 4), raw(13, 1, 9)], 0, makers),
    craftJournal(
      'sealed, between two',
      [sealed(1, 1, 9, 1), sealed(2, 8, 30, 2), sealed(10, 1, 9, 1)],
      1,
      makers,
    ),
    craftJournal(PLANTED, plantedIn(makers.xxh64), 0, makers),
  ];
}

const PLANTED = 'raw, planted frames';

/** Payloads that hold whole frames of their own segment, as files do that agents read; one of them is aligned. */
function plantedIn(xxh64: Hash64): Entry[][] {
  const first = entriesOf(1, 3, 20, true);
  const header = headerOf(namesOf(PLANTED, xxh64), 1, Buffer.alloc(32), saltOf(PLANTED, 0, xxh64));
  const { bytes, stretches } = craftActive(header, first, xxh64);
  const frame = bytes.subarray(stretches[1]!.start, stretches[2]!.end);
  const planted = Array.from({ length: 8 }, (_, pad) => {
    const data = { pad: 'p'.repeat(pad), file: Buffer.from(frame) };
    return entryOf(4 + pad, payloadOf(data), FRAME_KIND.event);
  });
  return [[...first, ...planted, ...entriesOf(12, 1, 10, true)]];
}

/** Larger ones, for damage by chance: several MiB, events near the largest, chunks as the writer makes them. */
export function largeJournals(makers: Makers): TestJournal[] {
  const noisy = (seq: number, bytes: number) =>
    entryOf(seq, payloadOf({ seq, noise: new Chance(seq).bytes(bytes) }), FRAME_KIND.event);
  const large = [
    ...entriesOf(1, 40, 900),
    noisy(41, 1_000_000),
    ...entriesOf(42, 20, 300),
    noisy(62, 700_000),
    noisy(63, 30),
  ];
  return [
    craftJournal('raw, 2 MiB', [large], 0, makers),
    craftJournal('raw, 128 KiB', [entriesOf(1, 120, 900), entriesOf(121, 3, 9)], 0, makers),
    craftJournal(
      'sealed, 1.7 MiB',
      [{ chunks: [...inChunks(large.slice(0, 40), 10), [large[40]!], large.slice(41)] }],
      0,
      makers,
    ),
    craftJournal(
      'sealed, small events',
      [{ chunks: inChunks(entriesOf(1, 400, 700), 80) }, entriesOf(401, 2, 9)],
      0,
      makers,
    ),
  ];
}
