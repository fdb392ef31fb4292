import { SEGMENT_HEADER_BYTES } from '../../src/journal/format/format.ts';
import type { Codecs } from '../../src/journal/seal/compact-segment.ts';
import { type Account, accountAt, type Fault } from './account.ts';
import { spent } from './budget.ts';
import { count, FOUND_AT, isKnown, newTally, type Tally } from './counting.ts';
import { type CrashState, cacheAt, crashStates, killStates, type Profile } from './crash-states.ts';
import type { SimDisk } from './disk.ts';
import { restartEvents } from './events.ts';
import { digestOf, filesIn, type Image } from './image.ts';
import { judge, stateBefore, type Verdict } from './oracle.ts';
import { COMPLETE_LENGTH, workloads } from './words.ts';
import { type Letter, type Style, World } from './workload.ts';

export interface CrashOptions {
  /** States tried at one point of one profile; and of one recovery that is crashed. */
  cap: number;
  nestedCap: number;
  /** Stop at the first violation. */
  isBrief?: boolean;
}

export interface ExhaustiveOptions extends CrashOptions {
  /** Operations in a workload, at most. */
  length: number;
  /** When to stop, as `spent` counts; the short workloads are done in any case. */
  until: number;
  /** How many states are enough: the same. */
  enough?: number;
  /** Of the order in which the long workloads come. */
  seed: number;
  /** The first workload, by its number in that order. */
  from: number;
  /** How many from there on, at most. */
  count?: number;
}

/** How many recoveries that make the same calls are crashed. */
const RECOVERIES_OF_A_KIND = 4;
const FOUND_AGAIN_AT = FOUND_AT + 60_000;

/**
 * Workloads of up to so many operations, a crash after every call of the last one: all of the short ones, and of the long
 * ones as many as the time allows. Who goes through all of them goes on where the last run stopped.
 */
export function exhaust(codecs: Codecs, options: ExhaustiveOptions): Tally {
  const tally = newTally();
  for (const { number, word, style } of workloads(options.length, options.seed)) {
    if (number < options.from) continue;
    const isOver =
      number - options.from === options.count ||
      ((spent() > options.until || tally.states >= (options.enough ?? Number.POSITIVE_INFINITY)) &&
        (word.length > COMPLETE_LENGTH || options.isBrief));
    if (isOver || (options.isBrief && tally.violations.length > 0)) {
      tally.isComplete = false;
      tally.next = number;
      return tally;
    }
    crashWorkload(codecs, word, style, options, tally);
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
  const before = tally.cutPoints;
  crashAll(world.disk, world.account, word.length === 1 ? 0 : start + 1, name, options, tally);
  if (tally.cutPoints > before) tally.cutWorkloads += 1;
}

/**
 * Crashes a workload that has run after each call from one on.
 * @param from the first point
 */
export function crashAll(
  disk: SimDisk,
  account: Account,
  from: number,
  name: string,
  options: CrashOptions,
  tally: Tally,
): void {
  for (let point = from; point <= disk.log.length; point += 1) {
    tally.points += 1;
    const known = accountAt(account, point);
    const killed = killStates(disk.base, disk.log, point);
    const before = stateBefore(cacheAt(disk.base, disk.log, point));
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
      const verdict = judge(state.image, known, fault, FOUND_AT);
      count(tally, verdict, where);
      if (options.nestedCap > 0 && isNewRecovery(verdict, fault, tally))
        crashRecovery(verdict, known, fault, where, options, tally);
      if (options.isBrief && tally.violations.length > 0) return;
    }
  }
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
  { nestedCap }: CrashOptions,
  tally: Tally,
): void {
  const seen = new Set<string>();
  for (let point = 1; point <= recoveryOps; point += 1) {
    const before = stateBefore(cacheAt(recovery.base, recovery.log, point));
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
        const again = judge(image, account, second, FOUND_AGAIN_AT, also);
        // An erasure takes what is in quarantine, too.
        if (account.erasures.length === 0 && !keepsWhatWasCut(recovery.base, image))
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

/** Bytes that a recovery takes away from a segment are in quarantine before. */
function keepsWhatWasCut(before: Image, after: Image): boolean {
  const files = new Map(filesIn(after));
  const kept = [...files]
    .filter(([path]) => path.includes('/quarantine/'))
    .map(([, bytes]) => bytes);
  return filesIn(before).every(([path, bytes]) => {
    const left = files.get(path);
    // A copy makes a segment anew that holds nothing but its header.
    const isEmpty = bytes.length <= SEGMENT_HEADER_BYTES;
    if (!path.endsWith('.b10') || isEmpty || left === undefined) return true;
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
