import { createHash } from 'node:crypto';
import type { Codecs } from '../../src/journal/compact-segment.ts';
import { Ben10Error } from '../../src/platform/errors.ts';
import { type Account, type Fault, promised } from './account.ts';
import { type CrashState, cacheAt, crashStates, killStates, type Profile } from './crash-states.ts';
import type { SimDisk } from './disk.ts';
import { restartEvents } from './events.ts';
import { digestOf, filesIn, type Image } from './image.ts';
import { judge, stateBefore, type Verdict } from './oracle.ts';
import { accountAt, LETTERS, type Letter, type Style, World } from './workload.ts';

export interface ExhaustiveOptions {
  /** Operations in a workload, at most. */
  length: number;
  /** States tried at one point of one profile; and of one recovery that is crashed. */
  cap: number;
  nestedCap: number;
  /** When to stop, milliseconds since the epoch. */
  until: number;
  /** Stop at the first violation. */
  isBrief?: boolean;
}

export interface Tally {
  /** Digests of what was judged, so that nothing is judged twice. */
  seen: Set<string>;
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
  exceptions: Map<string, { count: number; first: string }>;
  violations: { where: string; sentence: number; text: string }[];
  isComplete: boolean;
}

const VIOLATIONS_KEPT = 1000;
const RECOVERIES_OF_A_KIND = 10;
/** Workloads of one length are taken in steps of this many, so that a part of them is a fair sample. */
const WORD_STEP = 1009;

export const newTally = (): Tally => ({
  seen: new Set(),
  recoveries: new Map(),
  workloads: 0,
  points: 0,
  states: 0,
  nested: 0,
  cutPoints: 0,
  cutStates: 0,
  exceptions: new Map(),
  violations: [],
  isComplete: true,
});

/** All of one length, each once: the step and the number of them have no common factor. */
export function* words(length: number): Generator<Letter[]> {
  const all = LETTERS.length ** length;
  for (let count = 0; count < all; count += 1) {
    let number = (count * WORD_STEP) % all;
    const word: Letter[] = [];
    for (let place = 0; place < length; place += 1) {
      word.push(LETTERS[number % LETTERS.length]!);
      number = Math.floor(number / LETTERS.length);
    }
    yield word;
  }
}

/** Every workload of up to so many operations, a crash after every call of its last one. */
export function exhaust(codecs: Codecs, options: ExhaustiveOptions): Tally {
  const tally = newTally();
  for (let length = 1; length <= options.length; length += 1) {
    for (const word of words(length)) {
      for (const style of ['server', 'hooks'] as const) {
        if (Date.now() > options.until || (options.isBrief && tally.violations.length > 0)) {
          tally.isComplete = false;
          return tally;
        }
        crashWorkload(codecs, word, style, options, tally);
      }
    }
  }
  return tally;
}

/** One workload; crashes before its last operation are those of the shorter workload that it begins with. */
export function crashWorkload(
  codecs: Codecs,
  word: readonly Letter[],
  style: Style,
  options: ExhaustiveOptions,
  tally: Tally,
): void {
  restartEvents();
  const world = new World(codecs, 1);
  let start = 0;
  for (const [index, letter] of word.entries()) {
    start = world.disk.log.length;
    world.run(letter, style === 'server' ? 1 : index + 1);
  }
  tally.workloads += 1;
  const name = `${style} ${word.join('')}`;
  crashAll(world.disk, world.account, word.length === 1 ? 0 : start + 1, name, options, tally);
}

/** @param from the first point */
function crashAll(
  disk: SimDisk,
  account: Account,
  from: number,
  name: string,
  options: ExhaustiveOptions,
  tally: Tally,
): void {
  for (let point = from; point <= disk.log.length; point += 1) {
    tally.points += 1;
    const known = accountAt(account, point);
    const killed = killStates(disk.base, disk.log, point);
    const before = stateBefore(cacheAt(disk.base, disk.log, point), disk.now);
    const tried: { state: CrashState; fault: Fault; how: string }[] = killed.map((state) => ({
      state,
      fault: { kind: 'kill' },
      how: 'kill',
    }));
    for (const profile of ['ext4-ordered', 'paranoid'] as const) {
      const { states, possible } = crashStates(disk.base, disk.log, point, profile, options.cap);
      if (possible > states.length) {
        tally.cutPoints += 1;
        tally.cutStates += possible - states.length;
      }
      for (const state of states)
        tried.push({ state, fault: { kind: 'power', ...before }, how: profile });
    }
    for (const { state, fault, how } of tried) {
      if (isKnown(tally, state.image, known, fault)) continue;
      const where = `${name} @${point} ${how} [${state.choice}]`;
      const verdict = judge(state.image, known, fault, disk.now);
      count(tally, verdict, where);
      // What comes after a known weakness proves nothing.
      const isSound = verdict.exceptions.length === 0;
      if (options.nestedCap > 0 && isSound && isNewRecovery(verdict, fault, tally))
        crashRecovery(verdict, known, fault, where, options, tally);
      if (options.isBrief && tally.violations.length > 0) return;
    }
  }
}

/** Whether the same disk was judged before, with the same promises. */
export function isKnown(tally: Tally, image: Image, account: Account, fault: Fault): boolean {
  const order = fault.kind === 'power' ? fault.order.map(({ id }) => id) : [];
  const key = createHash('sha1')
    .update(`${fault.kind} ${[...promised(account, fault)]} ${order} ${digestOf(image)}`)
    .digest('base64');
  if (tally.seen.has(key)) return true;
  tally.seen.add(key);
  return false;
}

/** Recoveries that make the same calls are alike: of each kind some are crashed. */
function isNewRecovery({ recovery, recoveryOps }: Verdict, fault: Fault, tally: Tally): boolean {
  if (recoveryOps === 0) return false;
  const calls = recovery.log.slice(0, recoveryOps).map(({ kind }) => kind);
  const kind = `${fault.kind} ${calls}`;
  const times = tally.recoveries.get(kind) ?? 0;
  tally.recoveries.set(kind, times + 1);
  return times < RECOVERIES_OF_A_KIND;
}

/** Crashes a recovery after each of its calls: nothing that had survived the first crash may be lost by the second. */
function crashRecovery(
  { recovery, recoveryOps, survivors, ownEvents }: Verdict,
  account: Account,
  fault: Fault,
  where: string,
  { nestedCap }: ExhaustiveOptions,
  tally: Tally,
): void {
  const seen = new Set<string>();
  for (let point = 1; point <= recoveryOps; point += 1) {
    const before = stateBefore(cacheAt(recovery.base, recovery.log, point), recovery.now);
    const second: Fault = fault.kind === 'kill' ? fault : { kind: 'power', ...before };
    // What a kill left is not on disk yet: a loss of power behind it is for the random runs, which keep the log.
    const profiles: (Profile | 'kill')[] = fault.kind === 'kill' ? ['kill'] : ['kill', 'paranoid'];
    for (const profile of profiles) {
      const log = recovery.log.slice(0, recoveryOps);
      const states =
        profile === 'kill'
          ? killStates(recovery.base, log, point).slice(0, nestedCap)
          : crashStates(recovery.base, log, point, profile, nestedCap).states;
      for (const { image, choice } of states) {
        const digest = digestOf(image);
        if (seen.has(digest)) continue;
        seen.add(digest);
        // The journal's own events are of class disk: there for good once recovery came back.
        const also = point === recoveryOps ? new Set([...survivors, ...ownEvents]) : survivors;
        const again = judge(image, account, second, recovery.now, also);
        if (!keepsWhatWasCut(recovery.base, image))
          again.violations.push({
            sentence: 4,
            text: 'bytes were cut off that are not in quarantine',
          });
        tally.nested += 1;
        count(tally, again, `${where} then recovery @${point} ${profile} [${choice}]`);
      }
    }
  }
}

export function count(tally: Tally, verdict: Verdict, where: string): void {
  tally.states += 1;
  for (const name of verdict.exceptions) note(tally, name, where);
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

function note(tally: Tally, exception: string, where: string): void {
  const known = tally.exceptions.get(exception) ?? { count: 0, first: where };
  known.count += 1;
  tally.exceptions.set(exception, known);
}

/** Bytes that a recovery takes away from a segment are in quarantine before. */
function keepsWhatWasCut(before: Image, after: Image): boolean {
  const files = new Map(filesIn(after));
  const kept = [...files]
    .filter(([path]) => path.includes('/quarantine/'))
    .map(([, bytes]) => bytes);
  return filesIn(before).every(([path, bytes]) => {
    const left = files.get(path);
    if (!path.endsWith('.b10') || left === undefined) return true;
    let same = 0;
    while (same < bytes.length && bytes[same] === left[same]) same += 1;
    const cut = bytes.subarray(same);
    return (
      kept.some(
        (one) => one.length >= cut.length && one.subarray(one.length - cut.length).equals(cut),
      ) || cut.length === 0
    );
  });
}
