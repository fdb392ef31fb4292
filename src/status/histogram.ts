/** Counts of whole numbers by bucket: exact below `EXACT`, with a precision of 1/32 above. */
export type Histogram = number[];

/** Buckets per power of two. */
const STEPS = 32;
const EXACT = 2 * STEPS;

export function counted(histogram: Histogram, value: number): void {
  const bucket = bucketOf(value);
  while (histogram.length <= bucket) histogram.push(0);
  histogram[bucket]! += 1;
}

export const totalOf = (histogram: Histogram): number =>
  histogram.reduce((sum, count) => sum + count, 0);

/** A quantile, at most 1/32 too low; null if empty. @param share 0 to 1 */
export function quantileOf(histogram: Histogram, share: number): number | null {
  let left = Math.max(1, Math.ceil(share * totalOf(histogram)));
  for (const [bucket, count] of histogram.entries()) {
    left -= count;
    if (left <= 0) return lowestIn(bucket);
  }
  return null;
}

function bucketOf(value: number): number {
  if (value < EXACT) return value;
  const halvings = Math.floor(Math.log2(value / STEPS));
  return halvings * STEPS + Math.floor(value / 2 ** halvings);
}

function lowestIn(bucket: number): number {
  if (bucket < EXACT) return bucket;
  const halvings = Math.floor(bucket / STEPS) - 1;
  return (bucket - halvings * STEPS) * 2 ** halvings;
}
