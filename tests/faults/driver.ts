import { loadZstd } from '../../src/platform/codecs/zstd-write.ts';
import { loadXxh64 } from '../../src/platform/xxh64-wasm.ts';
import { injectAll, type Tally } from './campaign.ts';
import { FAULTS, type Fault } from './faulty-fs.ts';
import { HOOKS } from './hook-project.ts';
import {
  everyCall,
  type HookTally,
  injectIntoHooks,
  injectIntoHooksHere,
  oneOfEachName,
} from './hooks.ts';

/*
 * Fails every call of the file system, one after the other, in every workload and in each hook, in this process, with every
 * fault, once and from then on; and of real hook processes one call of every name. Which ones the seed says.
 *
 *   node tools/run-typescript.mjs tests/faults/driver.ts
 *     [--step 1] [--only workloads|hooks|processes] [--seed 1] [--faults 9]
 *
 * --faults: of the ten so many, others with each seed: of processes, where each hook gets others, and of hooks where they are
 * tried alone.
 */
const given = (name: string): string | undefined => {
  const at = process.argv.indexOf(name);
  return at === -1 ? undefined : process.argv[at + 1];
};

const seed = Number(given('--seed') ?? 1);

async function main(): Promise<void> {
  const only = given('--only');
  const of = async (name: string, work: () => Promise<Found>): Promise<Found> =>
    only === undefined || only === name ? work() : NOTHING;
  const inLibrary = await of('workloads', () => workloads(Number(given('--step') ?? 1)));
  const inHooks = await of('hooks', hooks);
  const inProcesses = await of('processes', processes);
  const violations = inLibrary.violations + inHooks.violations + inProcesses.violations;
  const [runs, calls, sent] = [inLibrary, inHooks, inProcesses].map((one) =>
    one.runs.toLocaleString('en-US'),
  );
  process.stdout.write(
    `faults: ${runs} runs, ${calls} calls of hooks, ${sent} processes, ${violations} violations\n`,
  );
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

/** Every call of every hook, once and from then on, with all faults in turn: what stands before a hook is made once for them all. */
async function hooks(): Promise<Found> {
  const found = { ...NOTHING };
  const faults = given('--only') === 'hooks' ? chosenFaults(seed) : FAULTS;
  for (const event of HOOKS)
    await inject(found, event, 'calls of hooks', (tally) =>
      injectIntoHooksHere(tally, {
        faults,
        events: [event],
        once: everyCall,
        fromThenOn: everyCall,
      }),
    );
  return found;
}

/** Two faults at a time: a process waits for its disk half of its time. */
async function processes(): Promise<Found> {
  const found = { ...NOTHING };
  const choose = oneOfEachName(seed);
  const waiting = FAULTS.map((fault, index) => ({ fault, events: hooksOf(index) }));
  const lane = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      const { fault, events } = one;
      if (events.length === 0) continue;
      await inject(found, fault, 'processes', (tally) =>
        injectIntoHooks(tally, { faults: [fault], events, once: choose, fromThenOn: choose }),
      );
    }
  };
  await Promise.all([lane(), lane()]);
  return found;
}

/** Faults of one kind meet ten times as many calls as those of another: each hook gets others, which differ with each seed. */
const hooksOf = (fault: number): string[] =>
  HOOKS.filter((_, hook) => chosenFaults(seed + hook).includes(FAULTS[fault]!));

/** So many that follow each other, from another one on with each seed. */
function chosenFaults(from: number): Fault[] {
  const count = Number(given('--faults') ?? FAULTS.length);
  return Array.from(
    { length: count },
    (_, n) => FAULTS[((from % FAULTS.length) * count + n) % FAULTS.length]!,
  );
}

/** @param whose a fault, or a hook's event */
async function inject(
  found: Found,
  whose: string,
  what: string,
  work: (tally: HookTally) => Promise<void>,
): Promise<void> {
  const tally: HookTally = { runs: 0, complained: 0, violations: [] };
  const started = Date.now();
  await work(tally);
  tell(whose, `${tally.runs} ${what}, ${tally.complained} complained`, started);
  add(found, tally);
}

function tell(whose: string, counts: string, started: number): void {
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  process.stdout.write(`${whose.padEnd(16)} ${counts.padEnd(40)} ${seconds} s\n`);
}

function add(found: Found, tally: { runs: number; violations: string[] }): void {
  for (const one of tally.violations) process.stderr.write(`  ${one}\n`);
  found.runs += tally.runs;
  found.violations += tally.violations.length;
}

void main();
