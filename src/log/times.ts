import { Ben10Error } from '../platform/errors.ts';

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};

/**
 * A time as people type it: an age (`90s`, `15m`, `2h`, `3d`, `1w`), or a date with or without a time, in ISO 8601.
 * Without a zone it is this machine's own time.
 * @param now milliseconds since the epoch
 * @returns milliseconds since the epoch
 * @throws Ben10Error USAGE
 */
export function parseTime(text: string, now: number): number {
  const [, amount, unit] = /^(\d{1,9})([smhdw])$/.exec(text) ?? [];
  if (amount !== undefined && unit !== undefined) return now - Number(amount) * UNIT_MS[unit]!;
  // JavaScript takes a date without a time for midnight in Greenwich.
  const iso = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00` : text.replace(' ', 'T');
  const time = hasRealDate(iso) ? Date.parse(iso) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new Ben10Error('USAGE', `"${text}" is not a time`, {
    next: 'Give an age such as 15m, 2h or 3d, or a date such as 2026-11-21 or 2026-11-21T10:00.',
  });
}

/** JavaScript takes the 30th of February for the 2nd of March. */
function hasRealDate(iso: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})T/.exec(iso) ?? [];
  return day !== undefined && Number(day) <= new Date(Number(year), Number(month), 0).getDate();
}
