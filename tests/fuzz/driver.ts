import { loadZstd } from '../../src/platform/codecs/zstd-write.ts';
import { loadXxh64 } from '../../src/platform/xxh64-wasm.ts';
import { Chance } from '../damage/chance.ts';
import { fuzz, newTally, type Tally } from './campaign.ts';
import { targets } from './targets.ts';

/*
 * Feeds everything that reads from outside with inputs that are nearly right.
 *
 *   node tools/run-typescript.mjs tests/fuzz/driver.ts [--inputs 1000000] [--seconds 600] [--seed 1]
 *
 * One input again, as a violation names it:
 *
 *   node tools/run-typescript.mjs tests/fuzz/driver.ts --only NAME --input N --seed N
 */
const ROUND = 1200;
const COMMAND = 'node tools/run-typescript.mjs tests/fuzz/driver.ts';

async function main(): Promise<void> {
  const of = (name: string, otherwise: number) => {
    const at = process.argv.indexOf(`--${name}`);
    return at === -1 ? otherwise : Number(process.argv[at + 1]);
  };
  const [inputs, seconds, seed] = [of('inputs', 1_000_000), of('seconds', 600), of('seed', 1)];
  Error.stackTraceLimit = 6;
  const makers = { zstd: await loadZstd(), xxh64: await loadXxh64() };
  const all = targets(makers, new Chance(seed));
  const only = all.find(({ name }) => name === process.argv[process.argv.indexOf('--only') + 1]);
  if (only !== undefined) {
    const tally: Tally = newTally();
    fuzz(only, tally, seed, of('input', 0), 1);
    row(only.name, tally);
    process.exitCode = tally.violations.length === 0 ? 0 : 1;
    return;
  }
  const tallies = all.map(newTally);
  process.stdout.write(`seed ${seed}\n`);
  const until = Date.now() + seconds * 1000;
  let done = 0;
  for (let from = 0; done < inputs && Date.now() < until; from += ROUND)
    for (const [index, target] of all.entries()) {
      if (done >= inputs || Date.now() >= until) break;
      if (tallies[index]!.isStuck) continue;
      const count = ROUND / target.share;
      fuzz(target, tallies[index]!, seed, from / target.share, count);
      done += count;
    }
  for (const [index, { name }] of all.entries()) row(name, tallies[index]!);
  const violations = tallies.reduce((sum, tally) => sum + tally.violations.length, 0);
  process.stdout.write(`fuzz: ${done.toLocaleString('en-US')} inputs, ${violations} violations\n`);
  process.exitCode = violations === 0 && done >= inputs ? 0 : 1;
}

function row(name: string, { inputs, slowest, violations, seconds }: Tally): void {
  const cells = [
    name.padEnd(36),
    `${inputs.toLocaleString('en-US')} inputs`.padStart(16),
    `${violations.length} violations`.padStart(14),
    `${slowest.toFixed(1)} ms per 64 KiB at most`,
    `${seconds.toFixed(1)} s`.padStart(8),
  ];
  process.stdout.write(`${cells.join('  ')}\n`);
  for (const one of violations) process.stderr.write(`  ${COMMAND} ${one}\n`);
}

void main();
