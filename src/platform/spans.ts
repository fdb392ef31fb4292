/** The first and last millisecond of a time as people say it; equal for a moment. */
export interface Span {
  from: number;
  to: number;
}

const AGE = /^(\d{1,9})([smhdw])(?: ago)?$/;
const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};
const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const DATE =
  /^(\d{4})-(\d\d)-(\d\d)(?:[t ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?(z|[+-]\d\d:?\d\d)?)?$/;

/** Words that `spanOf` reads, for hints. */
export const TIME_WORDS = [
  'today',
  'yesterday',
  'this week',
  'last week',
  'this month',
  'last month',
  ...DAYS,
];

/**
 * Reads an age (`90s`, `30m`, `2h ago`, `3d`, `1w`), a day (`today`, `yesterday`, `monday`: the newest one that has begun, `2026-11-21`), a
 * week from Monday or a month (`last week`, `this month`), or a date with a time. Local, unless a zone is named. A dash may stand for a
 * space: `last-week`.
 * @param now milliseconds since the epoch, as the result
 * @returns what is wrong with what looks like a date; undefined for other texts
 */
export function spanOf(text: string, now: number): Span | string | undefined {
  const said = text.trim().toLowerCase();
  const words = said.replace(/[\s_-]+/g, ' ');
  const [, amount, unit] = AGE.exec(words) ?? [];
  if (amount !== undefined) return momentAt(now - Number(amount) * UNIT_MS[unit!]!);
  const today = new Date(now);
  const [year, month, day] = [today.getFullYear(), today.getMonth(), today.getDate()];
  const back = words === 'yesterday' ? 1 : words === 'today' ? 0 : DAYS.indexOf(words);
  if (words === 'today' || words === 'yesterday') return between(year, month, day - back, 1);
  if (back !== -1) return between(year, month, day - ((today.getDay() - back + 7) % 7), 1);
  const [, which, whole] = /^(this|last) (week|month)$/.exec(words) ?? [];
  const ago = which === 'last' ? 1 : 0;
  if (whole === 'week') return between(year, month, day - ((today.getDay() + 6) % 7) - 7 * ago, 7);
  if (whole === 'month')
    return spanBetween(new Date(year, month - ago), new Date(year, month - ago + 1));
  return /^\d{4}-\d/.test(said) ? dateIn(said) : undefined;
}

function dateIn(said: string): Span | string {
  const match = DATE.exec(said);
  if (match === null) return 'there is no such time';
  const [, year, month, day, hour, minute, second = '00', fraction = '', zone = ''] = match;
  const last = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  if (!isIn(month, 1, 12) || !isIn(day, 1, last)) return 'there is no such date or time';
  if (hour === undefined) return between(Number(year), Number(month) - 1, Number(day), 1);
  if (!isIn(hour, 0, 23) || !isIn(minute, 0, 59) || !isIn(second, 0, 59))
    return 'there is no such date or time';
  const clock = `${hour}:${minute}:${second}.${fraction.padEnd(3, '0')}`;
  const zoned = zone.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2');
  const at = new Date(`${year}-${month}-${day}T${clock}${zoned}`).getTime();
  return Number.isNaN(at) ? 'there is no such time zone' : momentAt(at);
}

const isIn = (digits: string | undefined, min: number, max: number): boolean =>
  Number(digits) >= min && Number(digits) <= max;

/** Nothing is older than the epoch. */
const momentAt = (at: number): Span => ({ from: Math.max(0, at), to: Math.max(0, at) });

const between = (year: number, month: number, day: number, days: number): Span =>
  spanBetween(new Date(year, month, day), new Date(year, month, day + days));

const spanBetween = (start: Date, end: Date): Span => ({
  from: start.getTime(),
  to: end.getTime() - 1,
});

const two = (n: number): string => String(n).padStart(2, '0');

/** As ISO 8601 in local time with its zone, so that it says which clock is meant. */
export function zonedTime(at: number): string {
  const offset = -new Date(at).getTimezoneOffset();
  const local = new Date(at + offset * 60_000).toISOString();
  if (offset === 0) return local;
  const minutes = Math.abs(offset);
  const zone = `${offset < 0 ? '-' : '+'}${two(Math.trunc(minutes / 60))}:${two(minutes % 60)}`;
  return local.replace('Z', zone);
}
