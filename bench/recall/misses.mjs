// What did not come back, most frequent first: for whoever improves the extractor.

const SHOWN = 10;
const CHARS_MAX = 160;

/** Prints the misses of each kind to stderr, so that the figures stay by themselves. */
export function printMisses(about, missed, kinds, kindOf) {
  process.stderr.write(`\nnot given back, ${about}\n`);
  for (const kind of kinds) {
    const counts = new Map();
    for (const one of missed) {
      if (kindOf(one) === kind) counts.set(one, (counts.get(one) ?? 0) + 1);
    }
    const most = [...counts].sort(([, a], [, b]) => b - a).slice(0, SHOWN);
    process.stderr.write(`  ${kind}: ${most.length === 0 ? 'none' : ''}\n`);
    for (const [one, times] of most) {
      process.stderr.write(`    ${String(times).padStart(4)} × ${one.slice(0, CHARS_MAX)}\n`);
    }
  }
}
