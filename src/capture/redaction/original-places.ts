/** Where a character of the text without what `removable` matches (a global pattern) stands in the text itself. */
export function originalPlaces(text: string, removable: RegExp): (at: number) => number {
  /** Where each piece that is left begins, and how many characters were removed before it. */
  const starts: number[] = [];
  const removed: number[] = [];
  let from = 0;
  let gone = 0;
  const keep = () => {
    starts.push(from - gone);
    removed.push(gone);
  };
  for (const { 0: match, index } of text.matchAll(removable)) {
    if (index > from) keep();
    from = index + match.length;
    gone += match.length;
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
