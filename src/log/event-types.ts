import { CATALOGUE } from '../events/catalogue.ts';
import { REPAIRED_TYPE } from '../journal/own-events.ts';
import { nearestName } from '../platform/config/nearest.ts';
import { Ben10Error } from '../platform/errors.ts';

/** Every type of event that a journal of this version may hold. */
export const EVENT_TYPES: readonly string[] = [...Object.keys(CATALOGUE), REPAIRED_TYPE];

/**
 * Whole names of types from what people type: a name, or the family with its dot (`tool.`, also `tool.*`).
 * @throws Ben10Error USAGE with the nearest name
 */
export function expandTypes(given: readonly string[]): string[] {
  const names = given.flatMap((text) => {
    const family = /^([a-z]+\.)\*?$/.exec(text)?.[1];
    const found = EVENT_TYPES.filter((type) =>
      family === undefined ? type === text : type.startsWith(family),
    );
    if (found.length === 0) throw unknownType(text);
    return found;
  });
  return [...new Set(names)];
}

function unknownType(text: string): Ben10Error {
  const families = [...new Set(EVENT_TYPES.map((type) => type.slice(0, type.indexOf('.') + 1)))];
  const isFamily = text.endsWith('.') || families.includes(`${text}.`);
  const nearest = nearestName(text, isFamily ? families : EVENT_TYPES);
  return new Ben10Error('USAGE', `there is no event type "${text}"; the nearest is "${nearest}"`, {
    next: `Types are named family.what-happened; the families are ${families.join(' ')}`,
  });
}
