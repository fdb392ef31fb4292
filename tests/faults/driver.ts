import { loadZstd } from '../../src/platform/codecs/zstd-write.ts';
import { loadXxh64 } from '../../src/platform/xxh64-wasm.ts';
import { injectAll, type Tally } from './campaign.ts';
import { FAULTS } from './faulty-fs.ts';
import { everyCall, type HookTally, injectIntoHooks, oneOfEachName } from './hooks.ts';

/*
 * Fails every call of the file system, one after the other, in every workload, with every fault, once and from then on;
 * and calls of real hook processes: of each event one of every name, which one the seed says, or every one.
 *
 *   node tools/run-typescript.mjs tests/faults/driver.ts [--step 1] [--only workloads|hooks] [--seed 1] [--every]
 */
const given = (name: string): string | undefined => {
  const at = process.argv.indexOf(name);
  return at === -1 ? undefined : process.argv[at + 1];
};

async function main(): Promise<void> {
  const only = given('--only');
  const inLibrary = only === 'hooks' ? NOTHING : await workloads(Number(given('--step') ?? 1));
  const inHooks = only === 'workloads' ? NOTHING : await hooks(Number(given('--seed') ?? 1));
  const violations = inLibrary.violations + inHooks.violations;
  const runs = inLibrary.runs.toLocaleString('en-US');
  const processes = inHooks.runs.toLocaleString('en-US');
  process.stdout.write(`faults: ${runs} runs, ${processes} hooks, ${violations} violations\n`);
  process.exitCode = violations === 0 ? 0 : 1;
}

interface Found {
  runs: number;
  violations: number;
}
const NOTHING: Found = { runs: 0, violations: 0 };

async function workloads(step: number): Promise<Found> {
  const makers = { zstd: await loadZstd(), xxh64: await loadXxh64() };
  const found = { ...NOTHING };
  for (const fault of FAULTS) {
    const tally: Tally = { runs: 0, refused: 0, violations: [] };
    const started = Date.now();
    injectAll(makers, tally, { faults: [fault], step });
    tell(fault, `${tally.runs.toLocaleString('en-US')} runs, ${tally.refused} refused`, started);
    add(found, tally);
  }
  return found;
}

/** Two faults at a time: a hook waits for its disk half of its time. */
async function hooks(seed: number): Promise<Found> {
  const found = { ...NOTHING };
  const choose = process.argv.includes('--every') ? everyCall : oneOfEachName(seed);
  const waiting = [...FAULTS];
  const lane = async () => {
    for (let fault = waiting.shift(); fault !== undefined; fault = waiting.shift()) {
      const tally: HookTally = { runs: 0, complained: 0, violations: [] };
      const started = Date.now();
      await injectIntoHooks(tally, choose, { faults: [fault] });
      tell(fault, `${tally.runs} hooks, ${tally.complained} complained`, started);
      add(found, tally);
    }
  };
  await Promise.all([lane(), lane()]);
  return found;
}

function tell(fault: string, counts: string, started: number): void {
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  process.stdout.write(`${fault.padEnd(12)} ${counts.padEnd(30)} ${seconds} s\n`);
}

function add(found: Found, tally: { runs: number; violations: string[] }): void {
  for (const one of tally.violations) process.stderr.write(`  ${one}\n`);
  found.runs += tally.runs;
  found.violations += tally.violations.length;
}

void main();
