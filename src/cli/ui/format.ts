/** Numbers, sizes and times as people read them. All in English, whatever the machine's language: as all our words. */

export { bytes } from '../../platform/bytes-text.ts';

/** `1,234`. By hand: loading a locale for it takes longer than most commands. */
export const count = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');

/** `1 event`, `2 events`. */
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

const two = (value: number): string => String(value).padStart(2, '0');

/** Local date and time to the second: `2026-11-21 10:43:05`. */
export function dateTime(ms: number | null): string {
  const date = new Date(ms ?? Number.NaN);
  return ms === null || Number.isNaN(date.getTime()) ? '-' : `${day(date)} ${time(date)}`;
}

/** Columns of `shortTime`. */
export const SHORT_TIME_WIDTH = 11;

/** As `ls` does it: of today the time, `10:43:05`; of this year `11-21 10:43`; of others the date. */
export function shortTime(ms: number | null, now: number): string {
  const date = new Date(ms ?? Number.NaN);
  if (ms === null || Number.isNaN(date.getTime())) return '-';
  const today = new Date(now);
  if (day(date) === day(today)) return time(date);
  if (date.getFullYear() === today.getFullYear()) {
    return `${day(date).slice(5)} ${time(date).slice(0, 5)}`;
  }
  return day(date);
}

const day = (date: Date): string =>
  `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;

const time = (date: Date): string =>
  `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;

/** `850 ms`, `2.4 s`, `3 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}
