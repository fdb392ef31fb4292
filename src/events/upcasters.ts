import { CATALOGUE, isKnownType } from './catalogue.ts';

/** Turns data of version n into version n + 1. Pure; applied on read, stored bytes are never rewritten. */
type Upcaster = (data: Record<string, unknown>) => Record<string, unknown>;

/** By type, the steps from version 1 upwards. */
const UPCASTERS: Record<string, readonly Upcaster[]> = {
  'session.started': [
    // Version 1 had no worktree: then the project's own folder was the only one.
    (data) => ({ ...data, worktree: typeof data.cwd === 'string' ? data.cwd : '' }),
  ],
};

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
  for (const step of (UPCASTERS[type] ?? []).slice(version - 1)) current = step(current);
  return { version: CATALOGUE[type].version, data: current };
}
