/** The value below which the part `p` (0 to 1) of the samples lies. */
export function quantile(samples, p) {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))];
}

export const median = (samples) => quantile(samples, 0.5);

/** Of a list of milliseconds (or anything that has an order). */
export const summary = (samples) => ({
  median: median(samples),
  p25: quantile(samples, 0.25),
  p75: quantile(samples, 0.75),
  p95: quantile(samples, 0.95),
  min: Math.min(...samples),
  max: Math.max(...samples),
  rounds: samples.length,
});

/** What one side takes more than the other in each round. */
export const more = (ours, theirs) => ours.map((value, round) => value - theirs[round]);

/**
 * One side against its peer: the ratio of the medians, and as its spread the quartiles of the ratio inside each round,
 * where both sides had the same neighbours on the machine.
 */
export function ratioOf(ours, peer) {
  const paired = ours.map((value, round) => value / peer[round]);
  return {
    ratio: median(ours) / median(peer),
    p25: quantile(paired, 0.25),
    p75: quantile(paired, 0.75),
  };
}
