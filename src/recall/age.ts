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
 * An age in few characters: `<1m`, `40m`, `2h`, `3d`, `8mo`; from two minutes on at most a quarter off.
 * @param at milliseconds since the epoch, as `now`
 * @returns empty for an unknown or future time
 */
export const ageOf = (at: number, now: number): string =>
  at <= 0 || !(now >= at) ? '' : inWords(now - at);

/** Between one and two units the smaller one says more: `90m`. */
function inWords(ms: number): string {
  if (ms < MINUTE_MS) return '<1m';
  const is = (count: number) => count >= 1.95 || (count >= 0.95 && count < 1.25);
  const { unit, ms: one } = UNITS.find((each) => is(ms / each.ms)) ?? UNITS.at(-1)!;
  const count = ms / one;
  return `${count < 20 ? Math.round(count) : Math.round(count / 10) * 10}${unit}`;
}

/** A cited event and its time; 0 when unknown. */
export interface CitedEvent {
  seq: number;
  at: number;
}

/** Events that share one age, their logarithmic middle: none is over twice or under half as old. */
interface Run {
  from: number;
  newest: number;
  oldest: number;
}
const OLDEST_OF_NEWEST = 4;
/** Events out of order could need an age each, which would use up the room. */
const RUNS_MAX = 8;

/** The events whose ages an earlier text stated, and when. */
export interface AgesStated {
  events: readonly CitedEvent[];
  now: number;
}

/** How far off a stated age may be. */
const OFF_MAX = 2.5;

/**
 * Ages of many events in few words: `all 3d old`, or `age about 6h from @12, 1h from @340`, each up to the next one named. Of too many
 * ages only the range is stated: `2m to 3d old`.
 * @param told the text that this one continues
 * @returns empty when no time is known, or `told` covers it
 */
export function agesOf(events: readonly CitedEvent[], now: number, told?: AgesStated): string {
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

/** Whether the ages stated before are true of these events, too. */
function isSaid(events: readonly CitedEvent[], now: number, told: AgesStated): boolean {
  const runs = runsOf(told.events, told.now);
  if (runs.length === 0 || runs.length > RUNS_MAX) return false;
  return knownOf(events, now).every(({ seq, at }) => {
    const said = middleOf(runs.filter(({ from }) => from <= seq).at(-1) ?? runs[0]!);
    const [less, more] = [said, now - at].sort((a, b) => a - b) as [number, number];
    return more <= OFF_MAX * Math.max(less, MINUTE_MS);
  });
}

const middleOf = ({ newest, oldest }: Run): number =>
  oldest < MINUTE_MS ? oldest : Math.sqrt(Math.max(newest, MINUTE_MS) * oldest);
