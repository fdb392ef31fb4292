import { spawnSync } from 'node:child_process';
import { seeded, shuffled } from './random.mjs';

/**
 * Runs every case once a round, in an order that is shuffled anew each time, so that what else happens on the machine
 * hits all of them alike. The first round warms caches up and is dropped.
 * @param cases name → function that does the work once; it may return the milliseconds that count
 * @returns name → milliseconds, one a round
 */
export async function interleaved(cases, rounds) {
  const random = seeded(1);
  const samples = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
  for (let round = -1; round < rounds; round += 1) {
    for (const [name, work] of shuffled(Object.entries(cases), random)) {
      const start = performance.now();
      const counted = await work(round);
      const took = counted ?? performance.now() - start;
      if (round >= 0) samples[name].push(took);
    }
  }
  return samples;
}

/** NODE_EXTRA_CA_CERTS doubles Node 20's start-up; nothing of it is ours or the peer's. */
const { NODE_EXTRA_CA_CERTS: _certs, NODE_OPTIONS: _options, ...environment } = process.env;

export { environment };

/** Runs a program to its end. @throws when it does not end with 0 */
export function run(program, args, { input = '', cwd, env = {} } = {}) {
  const result = spawnSync(program, args, {
    input,
    cwd,
    env: { ...environment, ...env },
    maxBuffer: 64 * 1024 * 1024,
  });
  if (result.error !== undefined) throw result.error;
  if (result.status !== 0) {
    throw new Error(`${program} ${args.join(' ')} ended with ${result.status}: ${result.stderr}`);
  }
  if (process.env.PHASES) process.stderr.write(result.stderr);
  return result.stdout.toString();
}

/** The floor of everything that starts a process. */
export const emptyNode = (input) => run(process.execPath, ['-e', '0'], { input });
