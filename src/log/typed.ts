import { CATALOGUE } from '../events/catalogue.ts';
import { COPIED_TYPE, REPAIRED_TYPE } from '../journal/append/own-events.ts';
import { nearName } from '../platform/config/nearest.ts';
import { Ben10Error } from '../platform/errors.ts';
import { spanOf, TIME_WORDS } from '../platform/spans.ts';

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

/**
 * A time as people type it, of the same words as a point. Local unless it has a zone.
 * @param now milliseconds since the epoch, as the result
 * @param edge which end of a day or a week is meant
 * @throws Ben10Error USAGE
 */
export function parseTime(text: string, now: number, edge: 'from' | 'to'): number {
  const span = spanOf(text, now);
  if (typeof span === 'object') return span[edge];
  const near = nearName(text.toLowerCase(), TIME_WORDS);
  const hint = near === undefined ? '' : `; did you mean "${near}"?`;
  throw new Ben10Error('USAGE', `"${text}" is not a time${hint}`, {
    next: 'Give an age such as 15m, 2h or 3d, a day such as yesterday or 2026-11-21, or a time such as 2026-11-21T10:00.',
  });
}
