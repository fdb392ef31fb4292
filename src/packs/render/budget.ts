import type { Policy } from './pack.ts';

/**
 * Items come by rank. What is larger than the room alone is passed over; the first other one that does not fit takes all lower ones
 * with it, so that what is left is the longest beginning. `fill` goes on, and takes smaller ones.
 */
export function budgetOf(room: number, fill: Policy['fill']) {
  let used = 0;
  let isFull = false;
  /** No later item is taken: none needs to be counted. */
  const isClosed = () => isFull && fill !== 'fill';
  return {
    isClosed,
    take(tokens: number): 'taken' | 'filled' | 'too_large' | 'over_budget' {
      if (isClosed()) return 'over_budget';
      if (tokens > room) return 'too_large';
      if (used + tokens > room) {
        isFull = true;
        return 'over_budget';
      }
      used += tokens;
      return isFull ? 'filled' : 'taken';
    },
  };
}
