import type { Policy } from './pack.ts';

/**
 * Items come by rank. What is larger than the room alone is passed over; the first other one that does not fit takes all lower ones
 * with it, so that what is left is the longest beginning. `fill` goes on, and takes smaller ones.
 */
export class Budget {
  readonly #room: number;
  readonly #fill: Policy['fill'];
  #used = 0;
  #isFull = false;

  constructor(room: number, fill: Policy['fill']) {
    this.#room = room;
    this.#fill = fill;
  }

  /** No later item is taken: none needs to be counted. */
  get isClosed(): boolean {
    return this.#isFull && this.#fill !== 'fill';
  }

  take(tokens: number): 'taken' | 'filled' | 'too_large' | 'over_budget' {
    if (this.isClosed) return 'over_budget';
    if (tokens > this.#room) return 'too_large';
    if (this.#used + tokens > this.#room) {
      this.#isFull = true;
      return 'over_budget';
    }
    this.#used += tokens;
    return this.#isFull ? 'filled' : 'taken';
  }
}
