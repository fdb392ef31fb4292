import type { Codecs } from '../../src/journal/compact-segment.ts';
import { cacheAt, crashStates } from './crash-states.ts';
import { Killed } from './disk.ts';
import { restartEvents } from './events.ts';
import { complain, count, isKnown, type Tally } from './exhaustive.ts';
import { judge, stateBefore } from './oracle.ts';
import { accountAt, LETTERS, type Letter, World } from './workload.ts';

/** What has happened before two processes meet. */
const BEFORE: readonly string[] = ['', 'pp', 'pprp', 'dbi', 'sp', 'bsr', 'bprc'];
const FIRST = 1;
const SECOND = 2;
/** Without a common factor with the number of pairs. */
const PAIR_STEP = 1009;
/** States tried of a loss of power after two processes met. */
const POWER_CAP = 6;

/** What the first process does at the call at which the second one comes in. */
type Meeting = 'waits' | 'dies';

/**
 * Every pair of operations by two processes: the second one runs from start to end before each call of the first one.
 * The first one either goes on then, or has been killed there.
 * @param options `pair` is one alone, as `pprp:c:c`: what went before, the first operation, the second
 */
export function interleave(
  codecs: Codecs,
  options: { until: number; isBrief?: boolean; pair?: string | undefined },
  tally: Tally,
): void {
  for (const pair of pairs()) {
    const { before, first, second } = pair;
    if (options.pair !== undefined && options.pair !== `${before}:${first}:${second}`) continue;
    for (let call = 0; meet(codecs, { ...pair, call }, tally); call += 1) {
      if (Date.now() > options.until || (options.isBrief && tally.violations.length > 0)) {
        tally.isComplete = false;
        return;
      }
    }
  }
}

/** All of them, in steps, so that a part is a fair sample. */
function* pairs(): Generator<Omit<Encounter, 'call'>> {
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

interface Encounter {
  before: string;
  first: Letter;
  second: Letter | 'v';
  meeting: Meeting;
  /** Which call of the first process it is, from 0. */
  call: number;
}

/** False when the first operation has no such call. */
export function meet(codecs: Codecs, encounter: Encounter, tally: Tally): boolean {
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
  if (!hasMet) return false;
  if (meeting === 'dies') {
    attempt(() => world.run(second, SECOND), tally, where);
    parted = disk.log.length;
  }
  // What a dead process left half done is damage, to `verify`, until somebody recovers it.
  if (meeting === 'waits')
    for (const text of world.complaints) tally.violations.push({ where, sentence: 10, text });
  tally.points += 1;
  count(tally, judge(disk.live, account, { kind: 'kill' }, disk.now), where);
  losePower(world, parted, where, tally);
  return true;
}

/** The power goes when the second process is done: what it was told is durable must not hang on the first one. */
function losePower({ disk, account }: World, point: number, where: string, tally: Tally): void {
  const known = accountAt(account, point);
  const before = stateBefore(cacheAt(disk.base, disk.log, point), disk.now);
  const { states } = crashStates(disk.base, disk.log, point, 'paranoid', POWER_CAP);
  for (const { image, choice } of states) {
    if (isKnown(tally, image, known, { kind: 'power', ...before })) continue;
    const verdict = judge(image, known, { kind: 'power', ...before }, disk.now);
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
