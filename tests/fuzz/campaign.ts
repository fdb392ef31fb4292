import { Script } from 'node:vm';
import { Ben10Error } from '../../src/platform/errors.ts';
import { Chance } from '../damage/chance.ts';
import type { Target } from './target.ts';

export interface Tally {
  inputs: number;
  /** Milliseconds of the slowest input, per 64 KiB. */
  slowest: number;
  violations: string[];
  /** Of the processor. */
  seconds: number;
  /** Its last input came to no end. */
  isStuck: boolean;
}

export const newTally = (): Tally => ({
  inputs: 0,
  slowest: 0,
  violations: [],
  seconds: 0,
  isStuck: false,
});

/** What an input of 64 KiB, or a smaller one, may take, milliseconds. */
export const MS_PER_64_KIB = 50;

/** One input in so many is run again, to see whether the same comes of it. */
const AGAIN_ONE_IN = 16;
const VIOLATIONS_KEPT = 20;

/** Many times what the inputs of one call take together, milliseconds. */
const PATIENCE_MS = 60_000;

/**
 * Feeds a target with so many inputs; input `n` of a seed is always the same. One that comes to no end is a violation, and the
 * last input: what it worked with is left as it was.
 * @param patience for all of them, milliseconds
 */
export function fuzz(
  target: Target,
  tally: Tally,
  seed: number,
  from: number,
  count: number,
  patience = PATIENCE_MS,
): void {
  const start = process.cpuUsage();
  let n = from;
  const note = (told: string | undefined) => {
    if (told !== undefined && tally.violations.length < VIOLATIONS_KEPT)
      tally.violations.push(`--only '${target.name}' --input ${n} --seed ${seed}\n    ${told}`);
  };
  const feed = () => {
    for (; n < from + count; n += 1) {
      tally.inputs += 1;
      note(once(target, tally, seed, n));
    }
  };
  tally.isStuck = !endsInTime(feed, patience);
  if (tally.isStuck) note(`no end after ${patience / 1000} s`);
  const { user, system } = process.cpuUsage(start);
  tally.seconds += (user + system) / 1e6;
}

/** Nothing else stops what goes round and round in the same thread. */
function endsInTime(work: () => void, timeout: number): boolean {
  Object.assign(globalThis, { work });
  try {
    new Script('work()').runInThisContext({ timeout });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
    throw error;
  }
}

function once(target: Target, tally: Tally, seed: number, n: number): string | undefined {
  const { bytes, outcome } = target.run(new Chance(seed * 1_000_003 + n));
  const blocks = Math.max(1, bytes / 65_536);
  let first: unknown;
  try {
    const start = performance.now();
    first = outcome();
    const byTheClock = (performance.now() - start) / blocks;
    // It never says less than the processor's time, which takes longer to ask for than most inputs take.
    if (byTheClock > tally.slowest) {
      // Memory may have been tidied up meanwhile: only what is slow time after time is slow.
      const each = Math.min(byTheClock, timed(outcome) / blocks, timed(outcome) / blocks);
      if (each > (target.msMax ?? MS_PER_64_KIB)) return `${each.toFixed(0)} ms per 64 KiB`;
      tally.slowest = Math.max(tally.slowest, each);
    }
    if (n % AGAIN_ONE_IN === 0 && text(outcome()) !== text(first))
      return 'another result the second time';
  } catch (error) {
    if (!(error instanceof Ben10Error)) return (error as Error).stack;
  }
  return undefined;
}

const text = (value: unknown): string => JSON.stringify(value) ?? 'undefined';

/** Of the processor: what others on the machine do meanwhile does not count. */
function timed(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
