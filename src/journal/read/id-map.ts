import { readU32 } from '../format/bytes.ts';

/** Numbers of 32 bits that stand for an id. */
const WORDS = 2;
const PLACES_MIN = 1024;
/** Of the places, how many may be taken: beyond, a search takes long. */
const TAKEN_MAX = 0.75;

/**
 * A number for each of many ids. A `Map` of their names takes some hundred bytes each, and the engine looks through all of them
 * whenever it looks for what is not needed any more; this takes 16 to 43. It may take two ids for one, as often as two numbers of 64
 * bits are the same by chance, and never misses one.
 */
export class IdMap {
  /** Of the id at each place, its two halves in one; zeros where there is none. */
  #halves = new Uint32Array(WORDS * PLACES_MIN);
  readonly #isSet: boolean;
  #numbers: Float64Array;
  #size = 0;
  /** Nobody who makes up ids knows these, and which ids have the same place. */
  readonly #factors = [oddNumber(), oddNumber()] as const;

  /** @param isSet every number is 0, and takes no memory */
  constructor(isSet = false) {
    this.#isSet = isSet;
    this.#numbers = this.#numbersFor(PLACES_MIN);
  }

  get size(): number {
    return this.#size;
  }

  /** @param id 16 bytes */
  get(id: Uint8Array): number | undefined {
    const place = this.#placeOf(highOf(id), lowOf(id));
    if (this.#halves[WORDS * place] === 0 && this.#halves[WORDS * place + 1] === 0)
      return undefined;
    return this.#isSet ? 0 : this.#numbers[place];
  }

  /** True when the id is new. */
  set(id: Uint8Array, number: number): boolean {
    const isNew = this.#put(highOf(id), lowOf(id), number);
    if (isNew) this.#size += 1;
    if (this.#size > TAKEN_MAX * (this.#halves.length / WORDS)) this.#grow();
    return isNew;
  }

  #put(high: number, low: number, number: number): boolean {
    const place = this.#placeOf(high, low);
    const isNew = this.#halves[WORDS * place] === 0 && this.#halves[WORDS * place + 1] === 0;
    this.#halves[WORDS * place] = high;
    this.#halves[WORDS * place + 1] = low;
    if (!this.#isSet) this.#numbers[place] = number;
    return isNew;
  }

  /** Where it is, or is to be put. */
  #placeOf(high: number, low: number): number {
    const halves = this.#halves;
    const places = halves.length / WORDS;
    const mixed = (Math.imul(high, this.#factors[0]) + Math.imul(low, this.#factors[1])) >>> 0;
    // By the high bits: in them all others have a part.
    for (let place = mixed >>> Math.clz32(places - 1); ; place = (place + 1) & (places - 1)) {
      const foundHigh = halves[WORDS * place]!;
      const foundLow = halves[WORDS * place + 1]!;
      if (foundHigh === high && foundLow === low) return place;
      if (foundHigh === 0 && foundLow === 0) return place;
    }
  }

  #grow(): void {
    const halves = this.#halves;
    const numbers = this.#numbers;
    this.#halves = new Uint32Array(2 * halves.length);
    this.#numbers = this.#numbersFor(this.#halves.length / WORDS);
    for (let at = 0; at < halves.length; at += WORDS) {
      const high = halves[at]!;
      const low = halves[at + 1]!;
      if (high !== 0 || low !== 0) this.#put(high, low, numbers[at / WORDS] ?? 0);
    }
  }

  #numbersFor(places: number): Float64Array {
    return new Float64Array(this.#isSet ? 0 : places);
  }
}

const oddNumber = (): number => Math.floor(Math.random() * 0x1_0000_0000) | 1;

/** Both halves, as one may be a time, or the name of a machine. */
const highOf = (id: Uint8Array): number => (readU32(id, 0) ^ readU32(id, 8)) >>> 0;

/** Never such that both are zero: that is a free place. */
const lowOf = (id: Uint8Array): number =>
  (readU32(id, 4) ^ readU32(id, 12)) >>> 0 || (highOf(id) === 0 ? 1 : 0);

/** Which ids were met: an `IdMap` without its numbers, 11 to 22 bytes each. */
export class IdSet {
  readonly #map = new IdMap(true);

  get size(): number {
    return this.#map.size;
  }

  has(id: Uint8Array): boolean {
    return this.#map.get(id) !== undefined;
  }

  /** True when it is new. */
  add(id: Uint8Array): boolean {
    return this.#map.set(id, 0);
  }
}
