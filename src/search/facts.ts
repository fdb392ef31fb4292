import type { IndexFile } from './index-read.ts';

/**
 * Counts facts, a call and its outcome as one, by the places of their documents among all, for an event has one at most. Most rows are
 * facts of their own, and are counted without a look at any column.
 */
export class Facts {
  of = 0;
  readonly #files: readonly IndexFile[];
  readonly #starts: number[] = [];
  readonly #counted: Uint8Array;
  /** Facts that have no document of their own. */
  readonly #others = new Set<number>();

  /** @param ends how many rows of each file may be counted */
  constructor(files: readonly IndexFile[], ends: readonly number[]) {
    this.#files = files;
    let places = 0;
    for (const rows of ends) {
      this.#starts.push(places);
      places += rows;
    }
    this.#counted = new Uint8Array((places >>> 3) + 1);
  }

  add(place: number): void {
    const bit = 1 << (place & 7);
    if ((this.#counted[place >>> 3]! & bit) !== 0) return;
    this.#counted[place >>> 3]! |= bit;
    this.of += 1;
  }

  /** For a row that joins a fact before it, in its file or an earlier one. */
  join(number: number, row: number): void {
    const fact = this.#files[number]!.factOf(row);
    let at = number;
    while (at > 0 && this.#files[at]!.range.firstSeq > fact) at -= 1;
    const file = this.#files[at]!;
    const found = file.rowsUpto(fact, at === number ? row : file.rows) - 1;
    if (found >= 0 && file.seqOf(found) === fact) this.add(this.#starts[at]! + found);
    else if (!this.#others.has(fact)) {
      this.#others.add(fact);
      this.of += 1;
    }
  }
}
