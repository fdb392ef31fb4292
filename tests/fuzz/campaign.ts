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
}

export const newTally = (): Tally => ({ inputs: 0, slowest: 0, violations: [], seconds: 0 });

/** What an input of 64 KiB, or a smaller one, may take, milliseconds. */
export const MS_PER_64_KIB = 50;

/** One input in so many is run again, to see whether the same comes of it. */
const AGAIN_ONE_IN = 16;
const VIOLATIONS_KEPT = 20;

/** Feeds a target with so many inputs; input `n` of a seed is always the same. */
export function fuzz(
  target: Target,
  tally: Tally,
  seed: number,
  from: number,
  count: number,
): void {
  const start = process.cpuUsage();
  for (let n = from; n < from + count; n += 1) {
    tally.inputs += 1;
    const told = once(target, tally, seed, n);
    if (told !== undefined && tally.violations.length < VIOLATIONS_KEPT)
      tally.violations.push(`--only '${target.name}' --input ${n} --seed ${seed}\n    ${told}`);
  }
  const { user, system } = process.cpuUsage(start);
  tally.seconds += (user + system) / 1e6;
}

function once(target: Target, tally: Tally, seed: number, n: number): string | undefined {
  const { bytes, outcome } = target.run(new Chance(seed * 1_000_003 + n));
  const blocks = Math.max(1, bytes / 65_536);
  let first: unknown;
  try {
    const took = timed(() => {
      first = outcome();
    });
    const each = took / blocks;
    // Memory may have been tidied up meanwhile: only what is slow three times over is slow.
    const isSlow =
      each > MS_PER_64_KIB && [1, 2].every(() => timed(outcome) / blocks > MS_PER_64_KIB);
    if (isSlow) return `${each.toFixed(0)} ms per 64 KiB`;
    if (each <= MS_PER_64_KIB) tally.slowest = Math.max(tally.slowest, each);
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
