import { readU32 } from '../format/bytes.ts';

/** Of an id's bytes: of those made by chance, the half that chance made. */
const HALF_START = 8;
/** Of that half, as many bits as leave room in a number for the sum of two. */
const KEY_BITS = 52;
const HIGH_MASK = 2 ** (KEY_BITS - 32) - 1;
/** Keys are kept in so many parts, by their highest bits: a new one touches only a few of the others. */
const PARTS_BITS = 8;
const PART_SPAN = 2 ** (KEY_BITS - PARTS_BITS);
/** Of one part, so many are looked through one by one before they are sorted in. */
const LOOSE_MAX = 64;
const GROWTH = 1.5;

/** What an id is told by, a whole number below 2^52: two ids may have the same one. */
export const keyOf = (id: Uint8Array): number =>
  (readU32(id, HALF_START) & HIGH_MASK) * 0x1_0000_0000 + readU32(id, HALF_START + 4);

/** Tells some keys from others, in whatever order they come. */
export function sumOf(keys: readonly number[], before = 0): number {
  let sum = before;
  for (const key of keys) {
    sum += key;
    if (sum >= 2 ** KEY_BITS) sum -= 2 ** KEY_BITS;
  }
  return sum;
}

/** Which ids were met, eight bytes each. It may take two ids for one, and never misses one. */
export class IdTable {
  readonly #parts: Part[] = Array.from({ length: 2 ** PARTS_BITS }, () => new Part());

  add(keys: readonly number[]): void {
    for (const key of keys) this.#partOf(key).add(key);
  }

  /** All of another one, which is of no use after that. */
  take(other: IdTable): void {
    for (const [index, part] of other.#parts.entries()) this.#parts[index]!.take(part);
  }

  /** How often an id was added. */
  count(key: number): number {
    return this.#partOf(key).count(key);
  }

  #partOf(key: number): Part {
    return this.#parts[Math.floor(key / PART_SPAN)]!;
  }
}

class Part {
  #keys = new Float64Array(0);
  #length = 0;
  /** So many from the start are in order. */
  #sorted = 0;

  add(key: number): void {
    if (this.#length === this.#keys.length) {
      const grown = new Float64Array(Math.ceil(this.#length * GROWTH) + 1);
      grown.set(this.#keys);
      this.#keys = grown;
    }
    this.#keys[this.#length] = key;
    this.#length += 1;
  }

  take(other: Part): void {
    if (this.#length > 0) for (let at = 0; at < other.#length; at += 1) this.add(other.#keys[at]!);
    else [this.#keys, this.#length, this.#sorted] = [other.#keys, other.#length, other.#sorted];
  }

  count(key: number): number {
    if (this.#length - this.#sorted > LOOSE_MAX) {
      this.#keys = this.#keys.slice(0, this.#length).sort();
      this.#sorted = this.#length;
    }
    let low = 0;
    let high = this.#sorted;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#keys[middle]! < key) low = middle + 1;
      else high = middle;
    }
    let count = 0;
    while (low + count < this.#sorted && this.#keys[low + count] === key) count += 1;
    for (let at = this.#sorted; at < this.#length; at += 1) if (this.#keys[at] === key) count += 1;
    return count;
  }
}
