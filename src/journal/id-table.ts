/** Half an id: of those made by chance, the half that chance made. */
const halfOf = (id: Buffer): bigint => id.readBigUInt64BE(8);

/** Sorted lists that are kept apart, before they are made into one. */
const LISTS_MAX = 8;

/** Which ids were met, eight bytes each. It may take two ids for one, and never misses one. */
export class IdTable {
  #lists: BigUint64Array[] = [];

  add(ids: readonly Buffer[]): void {
    if (ids.length === 0) return;
    this.#lists.push(BigUint64Array.from(ids, halfOf).sort());
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
    const half = halfOf(id);
    return this.#lists.reduce((sum, list) => sum + countIn(list, half), 0);
  }
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
