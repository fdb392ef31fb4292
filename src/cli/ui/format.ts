/** Numbers, sizes and times for people, in English whatever the locale. */

export { bytes } from '../../platform/bytes-text.ts';

/** `1,234`. Without Intl, which takes longer to load than most commands. */
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

/** Like `ls`: today `10:43:05`, this year `11-21 10:43`, else the date. */
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

/** `850 ms`, `2.4 s`, `3 min 5 s`, `2 h 5 min`, `3 d 4 h`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < HOUR_MS) return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
  const hours = Math.floor(ms / HOUR_MS);
  if (hours < 24) return `${hours} h ${Math.floor((ms % HOUR_MS) / 60_000)} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

const HOUR_MS = 3_600_000;

/** A number in few characters: `950`, `12.3k`, `4.5M`. */
export function short(value: number): string {
  if (value < 1000) return String(value);
  const [unit, name] =
    value < 999_950 ? [1000, 'k'] : value < 999_950_000 ? [1e6, 'M'] : [1e9, 'G'];
  return `${(value / unit).toFixed(1).replace(/\.0$/, '')}${name}`;
}

/** `page 2 of 3; next: --page 3; about 900 tokens by ben10's estimate` */
export function pageNote({
  page,
  pages,
  tokens,
}: Record<'page' | 'pages' | 'tokens', number>): string {
  const more = page < pages ? `; next: --page ${page + 1}` : '';
  const which = pages > 1 ? `page ${page} of ${pages}${more}; ` : '';
  return `${which}about ${plural(tokens, 'token')} by ben10's estimate`;
}
