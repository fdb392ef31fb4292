const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const UNITS = [
  { unit: 'y', ms: 365 * DAY_MS },
  { unit: 'mo', ms: 30 * DAY_MS },
  { unit: 'd', ms: DAY_MS },
  { unit: 'h', ms: 60 * MINUTE_MS },
  { unit: 'm', ms: MINUTE_MS },
] as const;

/**
 * How long ago something was, in the fewest characters that people read: `<1m`, `40m`, `2h`, `3d`, `8mo`, no more than a quarter off
 * from two minutes on.
 * @param at milliseconds since the epoch, as `now`
 * @returns empty where the time is not known or lies ahead
 */
export const ageOf = (at: number, now: number): string =>
  at <= 0 || !(now >= at) ? '' : inWords(now - at);

/** Between one and two of a unit its number says too little: `90m`. */
function inWords(ms: number): string {
  if (ms < MINUTE_MS) return '<1m';
  const is = (count: number) => count >= 1.95 || (count >= 0.95 && count < 1.25);
  const { unit, ms: one } = UNITS.find((each) => is(ms / each.ms)) ?? UNITS.at(-1)!;
  const count = ms / one;
  return `${count < 20 ? Math.round(count) : Math.round(count / 10) * 10}${unit}`;
}

/** An event that is cited, and when it was, milliseconds since the epoch; 0 where nobody knows. */
export interface CitedEvent {
  seq: number;
  at: number;
}

/** Events of which one age is told, that in the middle by its logarithm: none is more than twice or less than half as old. */
interface Run {
  from: number;
  newest: number;
  oldest: number;
}
const OLDEST_OF_NEWEST = 4;
/** Where events did not arrive in the order of their times there may be one for each: then they would leave no room for anything else. */
const RUNS_MAX = 8;

/** What a text before said of how old events are: of which, and when, milliseconds since the epoch. */
export interface AgesTold {
  events: readonly CitedEvent[];
  now: number;
}

/** By how much an age that was told may be off. */
const OFF_MAX = 2.5;

/**
 * How old events are, in few words for all of them: `all 3d old`, or `age about 6h from @12, 1h from @340, 20m from @512`.
 * They are numbered as they arrived, so an age is that of all events up to the next one that is named, as far as it is known.
 * Of more than a few such ages only the least and the most are told: `2m to 3d old`.
 * @param now milliseconds since the epoch
 * @param told with a text that this one goes on from
 * @returns empty where of none is known when it was, and where what was told says it of these as well
 */
export function agesOf(events: readonly CitedEvent[], now: number, told?: AgesTold): string {
  const runs = runsOf(events, now);
  const [first, ...others] = runs;
  if (first === undefined || (told !== undefined && isSaid(events, now, told))) return '';
  if (others.length >= RUNS_MAX) {
    const newest = Math.min(...runs.map((run) => run.newest));
    const oldest = Math.max(...runs.map((run) => run.oldest));
    return `${inWords(newest)} to ${inWords(oldest)} old`;
  }
  if (others.length > 0)
    return `age about ${runs.map((run) => `${inWords(middleOf(run))} from @${run.from}`).join(', ')}`;
  const isSame = inWords(first.newest) === inWords(first.oldest);
  const age = first.oldest < MINUTE_MS ? 'less than a minute' : inWords(middleOf(first));
  const isOfAll = knownOf(events, now).length === events.length;
  return `all ${isSame ? '' : 'about '}${age} old${isOfAll ? '' : ' where known'}`;
}

const knownOf = (events: readonly CitedEvent[], now: number): CitedEvent[] =>
  events.filter(({ at }) => ageOf(at, now) !== '');

function runsOf(events: readonly CitedEvent[], now: number): Run[] {
  const runs: Run[] = [];
  for (const { seq, at } of knownOf(events, now).sort((a, b) => a.seq - b.seq)) {
    const age = now - at;
    const run = runs.at(-1);
    const newest = Math.min(run?.newest ?? age, age);
    const oldest = Math.max(run?.oldest ?? age, age);
    const goesOn = oldest <= OLDEST_OF_NEWEST * Math.max(newest, MINUTE_MS);
    if (run !== undefined && goesOn) Object.assign(run, { newest, oldest });
    else runs.push({ from: seq, newest: age, oldest: age });
  }
  return runs;
}

/** Whether what was told of others is true of each of these: by its number it is as old as that says. */
function isSaid(events: readonly CitedEvent[], now: number, told: AgesTold): boolean {
  const runs = runsOf(told.events, told.now);
  if (runs.length === 0 || runs.length > RUNS_MAX) return false;
  return knownOf(events, now).every(({ seq, at }) => {
    const said = middleOf(runs.filter(({ from }) => from <= seq).at(-1) ?? runs[0]!);
    const [less, more] = [said, now - at].sort((a, b) => a - b) as [number, number];
    return more <= OFF_MAX * Math.max(less, MINUTE_MS);
  });
}

/** Milliseconds. */
const middleOf = ({ newest, oldest }: Run): number =>
  oldest < MINUTE_MS ? oldest : Math.sqrt(Math.max(newest, MINUTE_MS) * oldest);
