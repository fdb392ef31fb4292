import { loadZstd } from '../../src/platform/codecs/zstd-write.ts';
import { loadXxh64 } from '../../src/platform/xxh64-wasm.ts';
import { injectAll, type Tally } from './campaign.ts';
import { FAULTS } from './faulty-fs.ts';

/*
 * Fails every call of the file system, one after the other, in every workload, with every fault, once and from then on.
 *
 *   node tools/run-typescript.mjs tests/faults/driver.ts [--step 1]
 */
async function main(): Promise<void> {
  const at = process.argv.indexOf('--step');
  const step = at === -1 ? 1 : Number(process.argv[at + 1]);
  const makers = { zstd: await loadZstd(), xxh64: await loadXxh64() };
  let violations = 0;
  let runs = 0;
  for (const fault of FAULTS) {
    const tally: Tally = { runs: 0, refused: 0, violations: [] };
    const started = Date.now();
    injectAll(makers, tally, { faults: [fault], step });
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    const counts = `${tally.runs.toLocaleString('en-US')} runs, ${tally.refused} refused`;
    const found = `${tally.violations.length} violations`;
    process.stdout.write(
      `${fault.padEnd(12)} ${counts.padEnd(28)} ${found.padEnd(16)} ${seconds} s\n`,
    );
    for (const one of tally.violations) process.stderr.write(`  ${one}\n`);
    violations += tally.violations.length;
    runs += tally.runs;
  }
  process.stdout.write(`faults: ${runs.toLocaleString('en-US')} runs, ${violations} violations\n`);
  process.exitCode = violations === 0 ? 0 : 1;
}

void main();
