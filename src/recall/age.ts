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
  const is = (count: number) => count >= 2 || (count >= 0.95 && count < 1.25);
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

/**
 * How old events are, in few words for all of them: `all 3d old`, or `age about 6h from @12, 1h from @340, 20m from @512`.
 * They are numbered as they arrived, so an age is that of all events up to the next one that is named, as far as it is known.
 * Of more than a few such ages only the least and the most are told: `2m to 3d old`.
 * @param now milliseconds since the epoch
 * @returns empty where of none is known when it was
 */
export function agesOf(events: readonly CitedEvent[], now: number): string {
  const runs: Run[] = [];
  const known = events.filter(({ at }) => ageOf(at, now) !== '');
  for (const { seq, at } of known.sort((a, b) => a.seq - b.seq)) {
    const age = now - at;
    const run = runs.at(-1);
    const newest = Math.min(run?.newest ?? age, age);
    const oldest = Math.max(run?.oldest ?? age, age);
    const goesOn = oldest <= OLDEST_OF_NEWEST * Math.max(newest, MINUTE_MS);
    if (run !== undefined && goesOn) Object.assign(run, { newest, oldest });
    else runs.push({ from: seq, newest: age, oldest: age });
  }
  const [first, ...others] = runs;
  if (first === undefined) return '';
  if (others.length >= RUNS_MAX) {
    const newest = Math.min(...runs.map((run) => run.newest));
    const oldest = Math.max(...runs.map((run) => run.oldest));
    return `${inWords(newest)} to ${inWords(oldest)} old`;
  }
  if (others.length > 0)
    return `age about ${runs.map((run) => `${middleOf(run)} from @${run.from}`).join(', ')}`;
  const isSame = inWords(first.newest) === inWords(first.oldest);
  const age = first.oldest < MINUTE_MS ? 'less than a minute' : middleOf(first);
  return `all ${isSame ? '' : 'about '}${age} old${known.length < events.length ? ' where known' : ''}`;
}

const middleOf = ({ newest, oldest }: Run): string =>
  inWords(oldest < MINUTE_MS ? oldest : Math.sqrt(Math.max(newest, MINUTE_MS) * oldest));
