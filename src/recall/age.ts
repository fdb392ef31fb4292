const DAY_MS = 86_400_000;
const UNITS = [
  { unit: 'y', ms: 365 * DAY_MS },
  { unit: 'mo', ms: 30 * DAY_MS },
  { unit: 'd', ms: DAY_MS },
  { unit: 'h', ms: 3_600_000 },
  { unit: 'm', ms: 60_000 },
] as const;

/**
 * How long ago something was, in the fewest characters that people read: `40m`, `2h`, `3d`, `8mo`, of one digit that counts and rounded
 * down, so that lines share it.
 * @param at milliseconds since the epoch, as `now`
 * @returns empty where the time is not known or lies ahead
 */
export function ageOf(at: number, now: number): string {
  const ms = now - at;
  if (at <= 0 || !(ms >= 0)) return '';
  const one = UNITS.find((each) => ms >= each.ms) ?? UNITS[4];
  const count = Math.floor(ms / one.ms);
  const digit = 10 ** (`${count}`.length - 1);
  return `${Math.floor(count / digit) * digit}${one.unit}`;
}
