import { FRAME_ALIGN, SEGMENT_HEADER_BYTES } from '../../src/journal/format/format.ts';
import type { Chance } from './chance.ts';
import type { TestJournal } from './journal.ts';

/** One way in which a file can be damaged. The bytes given must not be changed. */
export interface DamageKind {
  name: string;
  damage: (bytes: Buffer, chance: Chance, others: readonly Buffer[]) => Buffer;
}

/** What disks write at once. */
const SECTORS = [512, 4096] as const;

/** Where a piece of a file begins, and how long it is; the pieces of a real sector start at its multiples. */
function sectorIn(bytes: Buffer, chance: Chance): { start: number; size: number } {
  const size = Math.min(chance.pick(SECTORS), bytes.length);
  const start = chance.below(Math.ceil(bytes.length / size)) * size;
  return { start, size: Math.min(size, bytes.length - start) };
}

const someRange = (bytes: Buffer, chance: Chance): { start: number; end: number } => {
  const start = chance.below(bytes.length);
  return { start, end: Math.min(bytes.length, start + chance.between(1, 2048)) };
};

/** No disk mixes two headers: what belongs to another file begins with it or behind it. */
const besideHeader = (range: { start: number; end: number }) =>
  range.start < SEGMENT_HEADER_BYTES ? { start: 0, end: range.end } : range;

/** As much of `by` as fits in. */
const replaced = (bytes: Buffer, at: number, by: Uint8Array): Buffer => {
  const copy = Buffer.from(bytes);
  if (at < bytes.length) copy.set(by.subarray(0, bytes.length - at), at);
  return copy;
};

export const flipped = (bytes: Buffer, bit: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[bit >> 3] = copy[bit >> 3]! ^ (1 << (bit & 7));
  return copy;
};

/** What happens to files, but for cuts and single bits, which are tried one by one. */
const ALONE: readonly DamageKind[] = [
  {
    name: 'a few bits',
    damage: (bytes, chance) => {
      let copy = bytes;
      for (let n = chance.between(1, 5); n > 0; n -= 1)
        copy = flipped(copy, chance.below(bytes.length * 8));
      return copy;
    },
  },
  {
    name: 'a zeroed sector',
    damage: (bytes, chance) => {
      const { start, size } = sectorIn(bytes, chance);
      return replaced(bytes, start, Buffer.alloc(size));
    },
  },
  {
    name: 'two swapped sectors',
    damage: (bytes, chance) => {
      const one = sectorIn(bytes, chance);
      const other = chance.below(Math.ceil(bytes.length / one.size)) * one.size;
      const size = Math.min(one.size, bytes.length - other);
      const copy = replaced(bytes, other, bytes.subarray(one.start, one.start + size));
      return replaced(copy, one.start, bytes.subarray(other, other + size));
    },
  },
  {
    name: 'a doubled range',
    damage: (bytes, chance) => {
      const { start, end } = someRange(bytes, chance);
      return Buffer.concat([bytes.subarray(0, end), bytes.subarray(start)]);
    },
  },
  {
    name: 'a range cut out',
    damage: (bytes, chance) => {
      const { start, end } = someRange(bytes, chance);
      return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
    },
  },
  {
    name: 'garbage behind the end',
    damage: (bytes, chance) => {
      const garbage = chance.coin()
        ? chance.bytes(chance.between(1, 600))
        : Buffer.alloc(chance.between(1, 600));
      return Buffer.concat([bytes, garbage]);
    },
  },
  {
    name: 'a range of itself pasted elsewhere',
    damage: (bytes, chance) => {
      const { start, end } = someRange(bytes, chance);
      const at = Math.floor(chance.below(bytes.length) / FRAME_ALIGN) * FRAME_ALIGN;
      return replaced(bytes, at, bytes.subarray(start, end));
    },
  },
  {
    name: 'a range of another segment pasted at the same place',
    damage: (bytes, chance, others) => {
      const { start, end } = besideHeader(someRange(bytes, chance));
      return replaced(bytes, start, chance.pick(others).subarray(start, end));
    },
  },
  {
    name: 'the rest of another segment in its place',
    damage: (bytes, chance, others) => {
      const { start } = besideHeader(someRange(bytes, chance));
      return Buffer.concat([bytes.subarray(0, start), chance.pick(others).subarray(start)]);
    },
  },
  {
    name: 'a whole frame or chunk of another segment pasted at the same place',
    damage: (bytes, chance, others) => {
      const at = 128 + Math.floor(chance.below(bytes.length) / FRAME_ALIGN) * FRAME_ALIGN;
      return replaced(bytes, at, chance.pick(others).subarray(at));
    },
  },
];

/** Everything that happens to one file: two of these, one after the other, as well. */
export const DAMAGES: readonly DamageKind[] = [
  ...ALONE,
  {
    name: 'two of these',
    damage: (bytes, chance, others) => {
      const once = chance.pick(ALONE).damage(bytes, chance, others);
      return once.length === 0 ? once : chance.pick(ALONE).damage(once, chance, others);
    },
  },
];

/** Single bits are turned over in place, one after the other, and back again: to copy the file costs as much as to read it. */
export function* eachBit(
  { fs, target }: TestJournal,
  bits: Iterable<number>,
): Generator<{ bit: number; byte: number }> {
  const sound = fs.bytesOf(target);
  const copy = Buffer.from(sound);
  fs.rot(target, copy);
  try {
    for (const bit of bits) {
      const byte = bit >> 3;
      copy[byte] = sound[byte]! ^ (1 << (bit & 7));
      yield { bit, byte };
      copy[byte] = sound[byte]!;
    }
  } finally {
    fs.rot(target, sound);
  }
}

export function* allBits(bytes: number): Generator<number> {
  for (let bit = 0; bit < bytes * 8; bit += 1) yield bit;
}
