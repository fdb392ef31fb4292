import type { Span } from './rule.ts';

/** Where a character of a text without what was removed from it, in order, stands in the text itself. */
export function originalPlaces(removedSpans: Iterable<Span>): (at: number) => number {
  /** Where each piece that is left begins, and how many characters were removed before it. */
  const starts: number[] = [];
  const removed: number[] = [];
  let from = 0;
  let gone = 0;
  const keep = () => {
    starts.push(from - gone);
    removed.push(gone);
  };
  for (const { start, end } of removedSpans) {
    if (start > from) keep();
    from = end;
    gone += end - start;
  }
  keep();
  return (at) => at + (removed[lastUpTo(starts, at)] ?? 0);
}

/** The last of the ordered numbers that is not above `value`. */
function lastUpTo(numbers: readonly number[], value: number): number {
  let low = 0;
  let high = numbers.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) > value) high = middle;
    else low = middle;
  }
  return low;
}
