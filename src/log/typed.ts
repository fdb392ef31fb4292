import { CATALOGUE } from '../events/catalogue.ts';
import { COPIED_TYPE, REPAIRED_TYPE } from '../journal/append/own-events.ts';
import { nearName } from '../platform/config/nearest.ts';
import { Ben10Error } from '../platform/errors.ts';

export const EVENT_TYPES: readonly string[] = [
  ...Object.keys(CATALOGUE),
  REPAIRED_TYPE,
  COPIED_TYPE,
];

/** Types for what people type: a name, or a family (`tool`, `tool.`, `tool.*`). @throws Ben10Error USAGE with the nearest name */
export function expandTypes(given: readonly string[]): string[] {
  const names = given.flatMap((text) => {
    const family = /^([a-z]+)(?:\.\*?)?$/.exec(text)?.[1];
    const found = EVENT_TYPES.filter((type) =>
      family === undefined ? type === text : type.startsWith(`${family}.`),
    );
    if (found.length === 0) throw unknownType(text);
    return found;
  });
  return [...new Set(names)];
}

function unknownType(text: string): Ben10Error {
  const families = [...new Set(EVENT_TYPES.map((type) => type.slice(0, type.indexOf('.'))))];
  const near = nearName(text.replace(/\.\*?$/, ''), [...families, ...EVENT_TYPES]);
  const hint = near === undefined ? '' : `; the nearest is "${near}"`;
  return new Ben10Error('USAGE', `there is no event type "${text}"${hint}`, {
    next: `Types are named family.what-happened; the families are ${families.join(' ')}`,
  });
}

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};

/**
 * A time as people type it: an age (`90s`, `15m`, `2h`, `3d`, `1w`), or an ISO 8601 date with or without time, local unless it has a
 * zone.
 * @param now milliseconds since the epoch, as the result
 * @throws Ben10Error USAGE
 */
export function parseTime(text: string, now: number): number {
  const [, amount, unit] = /^(\d{1,9})([smhdw])$/.exec(text) ?? [];
  if (amount !== undefined && unit !== undefined) return now - Number(amount) * UNIT_MS[unit]!;
  // For JavaScript a date without a time is UTC.
  const iso = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00` : text.replace(' ', 'T');
  const time = hasRealDate(iso) ? Date.parse(iso) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new Ben10Error('USAGE', `"${text}" is not a time`, {
    next: 'Give an age such as 15m, 2h or 3d, or a date such as 2026-11-21 or 2026-11-21T10:00.',
  });
}

/** JavaScript reads the 30th of February as the 2nd of March. */
function hasRealDate(iso: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})T/.exec(iso) ?? [];
  return day !== undefined && Number(day) <= new Date(Number(year), Number(month), 0).getDate();
}
