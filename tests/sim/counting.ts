import { hash } from 'node:crypto';
import { Ben10Error } from '../../src/platform/errors.ts';
import { type Account, type Fault, promised } from './account.ts';
import { digestOf, type Image } from './image.ts';
import type { Verdict } from './oracle.ts';
import { START } from './workload.ts';

export interface Tally {
  /** 48 bits of a digest of what was judged, so that nothing is judged twice. */
  seen: Set<number>;
  /** How many recoveries of one kind (calls, in order) were crashed. */
  recoveries: Map<string, number>;
  workloads: number;
  /** Points at which it crashed. */
  points: number;
  /** Different states that were recovered. */
  states: number;
  /** Of these, states that a crash of a recovery left. */
  nested: number;
  /** Points at which the cap cut, and the states that were left out there. */
  cutPoints: number;
  cutStates: number;
  /** Workloads with such points. */
  cutWorkloads: number;
  violations: { where: string; sentence: number; text: string }[];
  isComplete: boolean;
  /** Where a run that was not complete goes on. */
  next: number;
}

const VIOLATIONS_KEPT = 1000;
/** A set holds twice as many; who goes on longer may count a state twice. */
const SEEN_MAX = 8_000_000;
/** When those come who find what a crash left: always the same, so that the same disk need not be recovered twice. */
export const FOUND_AT = START + 60_000;

export const newTally = (): Tally => ({
  seen: new Set(),
  recoveries: new Map(),
  workloads: 0,
  points: 0,
  states: 0,
  nested: 0,
  cutPoints: 0,
  cutStates: 0,
  cutWorkloads: 0,
  violations: [],
  isComplete: true,
  next: 0,
});

/** Whether the same disk was judged before, with the same promises. */
export function isKnown(tally: Tally, image: Image, account: Account, fault: Fault): boolean {
  const order = fault.kind === 'power' ? fault.order.map(({ id }) => id) : [];
  const key = hash(
    'sha1',
    `${fault.kind} ${[...promised(account, fault)]} ${order} ${digestOf(image)}`,
    'buffer',
  ).readUIntBE(0, 6);
  if (tally.seen.has(key)) return true;
  if (tally.seen.size >= SEEN_MAX) tally.seen.clear();
  tally.seen.add(key);
  return false;
}

export function count(tally: Tally, verdict: Verdict, where: string): void {
  tally.states += 1;
  for (const violation of verdict.violations)
    if (tally.violations.length < VIOLATIONS_KEPT) tally.violations.push({ where, ...violation });
}

/** Notes what an operation threw, as a violation of the tenth sentence. */
export function complain(tally: Tally, where: string, error: unknown): void {
  // Two compactions at once: the later one says so.
  if (error instanceof Ben10Error && error.code === 'CONTEXT_LOCKED') return;
  const text = `threw ${(error as Error).stack?.split('\n').slice(0, 9).join(' | ')}`;
  tally.violations.push({ where, sentence: 10, text });
}
