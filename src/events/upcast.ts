import { CATALOGUE, isKnownType } from './catalogue.ts';

/** Data in today's shape. Newer versions, unknown types and malformed data stay as they are, with their version. */
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
