/** Of an id's bytes: of those made by chance, the half that chance made. */
const HALF_START = 8;
const HALF_BYTES = 8;

/** Sorted lists that are kept apart, before they are made into one. */
const LISTS_MAX = 8;

/** Which ids were met, eight bytes each. It may take two ids for one, and never misses one. */
export class IdTable {
  #lists: BigUint64Array[] = [];

  add(ids: readonly Buffer[]): void {
    if (ids.length === 0) return;
    this.#lists.push(halvesOf(ids).sort());
    if (this.#lists.length <= LISTS_MAX) return;
    const all = new BigUint64Array(this.#lists.reduce((sum, list) => sum + list.length, 0));
    let at = 0;
    for (const list of this.#lists) {
      all.set(list, at);
      at += list.length;
    }
    this.#lists = [all.sort()];
  }

  /** How often an id was added. */
  count(id: Buffer): number {
    const half = halvesOf([id])[0]!;
    return this.#lists.reduce((sum, list) => sum + countIn(list, half), 0);
  }
}

/** As this machine reads numbers; byte by byte, for a number of its own for each is some microseconds. */
function halvesOf(ids: readonly Buffer[]): BigUint64Array {
  const halves = new BigUint64Array(ids.length);
  const bytes = new Uint8Array(halves.buffer);
  let at = 0;
  for (const id of ids) {
    for (let n = 0; n < HALF_BYTES; n += 1) bytes[at + n] = id[HALF_START + n]!;
    at += HALF_BYTES;
  }
  return halves;
}

function countIn(list: BigUint64Array, wanted: bigint): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (list[end] === wanted) end += 1;
  return end - low;
}
