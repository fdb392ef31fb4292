import { loadZstd } from '../../src/platform/codecs/zstd-write.ts';
import { loadXxh64 } from '../../src/platform/xxh64-wasm.ts';
import { Chance } from '../damage/chance.ts';
import { fuzz, type Tally } from './campaign.ts';
import { targets } from './targets.ts';

/*
 * Feeds everything that reads from outside with inputs that are nearly right.
 *
 *   node tests/fuzz/run.mjs [--inputs 1000000] [--seconds 120] [--seed 1]
 */
const ROUND = 1200;

async function main(): Promise<void> {
  const of = (name: string, otherwise: number) => {
    const at = process.argv.indexOf(`--${name}`);
    return at === -1 ? otherwise : Number(process.argv[at + 1]);
  };
  const [inputs, seconds, seed] = [of('inputs', 1_000_000), of('seconds', 120), of('seed', 1)];
  Error.stackTraceLimit = 6;
  const makers = { zstd: await loadZstd(), xxh64: await loadXxh64() };
  const all = targets(makers, new Chance(seed));
  const tallies = all.map((): Tally => ({ inputs: 0, slowest: 0, violations: [] }));
  process.stdout.write(`seed ${seed}\n`);
  const until = Date.now() + seconds * 1000;
  let done = 0;
  for (let from = 0; done < inputs && Date.now() < until; from += ROUND)
    for (const [index, target] of all.entries()) {
      if (done >= inputs || Date.now() >= until) break;
      const count = ROUND / target.share;
      fuzz(target, tallies[index]!, seed, from / target.share, count);
      done += count;
    }
  for (const [index, { name }] of all.entries()) {
    const { inputs: count, slowest, violations } = tallies[index]!;
    const cells = [
      name.padEnd(36),
      `${count} inputs`.padStart(16),
      `${violations.length} violations`.padStart(14),
      `${slowest.toFixed(1)} ms per 64 KiB at most`,
    ];
    process.stdout.write(`${cells.join('  ')}\n`);
    for (const one of violations) process.stderr.write(`  ${one}\n`);
  }
  const violations = tallies.reduce((sum, tally) => sum + tally.violations.length, 0);
  process.stdout.write(`fuzz: ${done.toLocaleString('en-US')} inputs, ${violations} violations\n`);
  process.exitCode = violations === 0 && done >= inputs ? 0 : 1;
}

void main();
