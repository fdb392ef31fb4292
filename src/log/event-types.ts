import { CATALOGUE } from '../events/catalogue.ts';
import { COPIED_TYPE, REPAIRED_TYPE } from '../journal/append/own-events.ts';
import { nearName } from '../platform/config/nearest.ts';
import { Ben10Error } from '../platform/errors.ts';

/** Every type of event that a journal of this version may hold. */
export const EVENT_TYPES: readonly string[] = [
  ...Object.keys(CATALOGUE),
  REPAIRED_TYPE,
  COPIED_TYPE,
];

/**
 * Whole names of types from what people type: a name, or a family (`tool`, `tool.` or `tool.*`).
 * @throws Ben10Error USAGE with the nearest name
 */
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
