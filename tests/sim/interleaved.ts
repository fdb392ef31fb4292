import type { Codecs } from '../../src/journal/seal/compact-segment.ts';
import { seeded } from '../seeded.ts';
import { accountAt } from './account.ts';
import { spent } from './budget.ts';
import { pick } from './chance.ts';
import { complain, count, FOUND_AT, isKnown, type Tally } from './counting.ts';
import { cacheAt, crashStates } from './crash-states.ts';
import { Killed } from './disk.ts';
import { restartEvents } from './events.ts';
import { judge, stateBefore } from './oracle.ts';
import { LETTERS, type Letter, World } from './workload.ts';

/** What has happened before two processes meet. */
const BEFORE: readonly string[] = ['', 'pp', 'pprp', 'dbi', 'sp', 'bsr', 'bprc', 'prcp'];
const FIRST = 1;
const SECOND = 2;
/** Without a common factor with the number of pairs. */
const PAIR_STEP = 1009;
/** Of the calls of a first operation so many are tried, evenly spread, unless all are asked for. */
const CALLS_TRIED = 12;
/** States tried of a loss of power after two processes met. */
const POWER_CAP = 6;

/** How many pairs there are, those included in which the first process dies. */
export const PAIRS = BEFORE.length * LETTERS.length * (LETTERS.length + 1) * 2;

/** What the first process does at the call at which the second one comes in. */
type Meeting = 'waits' | 'dies';

interface Options {
  until: number;
  /** The number of the first pair. */
  from?: number;
  /** The second process comes in before every call, not before some. */
  isThorough?: boolean;
  isBrief?: boolean;
  /** One pair alone, before every call, as `pprp:c:c`: what went before, the first operation, the second. */
  pair?: string | undefined;
}

/**
 * Every pair of operations by two processes: the second one runs from start to end before each call of the first one.
 * The first one either goes on then, or has been killed there.
 */
export function interleave(codecs: Codecs, options: Options, tally: Tally): void {
  for (const [number, pair] of [...pairs()].entries()) {
    if (number < (options.from ?? 0)) continue;
    const { before, first, second } = pair;
    if (options.pair !== undefined && options.pair !== `${before}:${first}:${second}`) continue;
    const isThorough = options.isThorough === true || options.pair !== undefined;
    for (const call of callsOf(codecs, pair, isThorough ? Number.POSITIVE_INFINITY : CALLS_TRIED)) {
      if (spent() > options.until || (options.isBrief && tally.violations.length > 0)) {
        tally.isComplete = false;
        tally.next = number;
        return;
      }
      meet(codecs, { ...pair, call }, tally);
    }
    tally.workloads += 1;
  }
}

/** Numbers of the first operation's calls; where there are more than so many, evenly spread, of each pair others. */
function* callsOf(codecs: Codecs, pair: Pair, max: number): Generator<number> {
  restartEvents();
  const world = new World(codecs, 1);
  for (const letter of pair.before) world.run(letter as Letter, FIRST);
  let all = 0;
  world.disk.beforeCall = () => {
    all += 1;
  };
  world.disk.splitsWrites = true;
  world.run(pair.first, FIRST);
  const step = Math.max(1, all / max);
  const first = pick(seeded(all * 31 + pair.second.charCodeAt(0)), Math.ceil(step));
  for (let call = max < all ? first : 0; call < all; call += step) yield Math.floor(call);
}

/** All of them, in steps, so that a part is a fair sample. */
function* pairs(): Generator<Pair> {
  const seconds: (Letter | 'v')[] = [...LETTERS, 'v'];
  const all = BEFORE.flatMap((before) =>
    LETTERS.flatMap((first) =>
      seconds.flatMap((second) => [
        { before, first, second, meeting: 'waits' as const },
        { before, first, second, meeting: 'dies' as const },
      ]),
    ),
  );
  for (let count = 0; count < all.length; count += 1) yield all[(count * PAIR_STEP) % all.length]!;
}

interface Pair {
  before: string;
  first: Letter;
  second: Letter | 'v';
  meeting: Meeting;
}

interface Encounter extends Pair {
  /** Which call of the first process it is, from 0. */
  call: number;
}

export function meet(codecs: Codecs, encounter: Encounter, tally: Tally): void {
  const { before, first, second, meeting, call } = encounter;
  restartEvents();
  const world = new World(codecs, 1);
  for (const letter of before) world.run(letter as Letter, FIRST);
  const { disk, account } = world;
  const where = `${before}: ${first} ${meeting} at call ${call} for ${second}`;
  let calls = 0;
  let hasMet = false;
  let parted = 0;
  disk.splitsWrites = true;
  disk.beforeCall = (process) => {
    if (process !== FIRST || hasMet) return;
    if (calls++ < call) return;
    hasMet = true;
    disk.beforeCall = undefined;
    if (meeting === 'dies') {
      disk.kill(FIRST);
      return;
    }
    attempt(() => world.run(second, SECOND), tally, where);
    parted = disk.log.length;
  };
  attempt(() => world.run(first, FIRST), tally, where);
  disk.beforeCall = undefined;
  if (!hasMet) return;
  if (meeting === 'dies') {
    attempt(() => world.run(second, SECOND), tally, where);
    parted = disk.log.length;
  }
  // What a dead process left half done is damage, to `verify`, until somebody recovers it.
  if (meeting === 'waits')
    for (const text of world.complaints) tally.violations.push({ where, sentence: 10, text });
  tally.points += 1;
  count(tally, judge(disk.live, account, { kind: 'kill' }, FOUND_AT), where);
  losePower(world, parted, where, tally);
}

/** The power goes when the second process is done: what it was told is durable must not hang on the first one. */
function losePower({ disk, account }: World, point: number, where: string, tally: Tally): void {
  const known = accountAt(account, point);
  const before = stateBefore(cacheAt(disk.base, disk.log, point));
  const { states } = crashStates(disk.base, disk.log, point, 'paranoid', POWER_CAP);
  for (const { image, choice } of states) {
    if (isKnown(tally, image, known, { kind: 'power', ...before })) continue;
    const verdict = judge(image, known, { kind: 'power', ...before }, FOUND_AT);
    count(tally, verdict, `${where}, then power [${choice}]`);
  }
}

function attempt(work: () => void, tally: Tally, where: string): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Killed)) complain(tally, where, error);
  }
}
