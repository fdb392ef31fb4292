import { CATALOGUE, isKnownType } from './catalogue.ts';

/**
 * Data in the shape of today. What a newer ben10 wrote, a type that is not known here, and what is no data at all
 * come back as they are, with their own version.
 */
export function upcast(
  type: string,
  version: number,
  data: unknown,
): { version: number; data: unknown } {
  if (!isKnownType(type) || version < 1 || version >= CATALOGUE[type].version) {
    return { version, data };
  }
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return { version, data };
  let current = data as Record<string, unknown>;
  for (const step of CATALOGUE[type].upcasters.slice(version - 1)) current = step(current);
  return { version: CATALOGUE[type].version, data: current };
}
