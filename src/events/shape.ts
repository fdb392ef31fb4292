import { CATALOGUE, isKnownType } from './catalogue.ts';
import type { Fields, Kind } from './fields.ts';
import type { JournalEvent } from './types.ts';

/**
 * Whether an event's data fits its type. A journal may come from anywhere, so data is checked before its fields are
 * used. Unknown fields pass; unknown types and versions do not fit.
 */
export function hasShape({
  type,
  version,
  data,
}: Pick<JournalEvent, 'type' | 'version' | 'data'>): boolean {
  if (!isKnownType(type)) return false;
  const kind = CATALOGUE[type];
  return version === kind.version && hasFields(data, kind.fields);
}

const BLOB: Fields = { $blob: { is: 'words' }, bytes: { is: 'number' }, head: { is: 'words' } };

export function isOf(value: unknown, kind: Kind): boolean {
  switch (kind.is) {
    case 'words':
    case 'name':
      return typeof value === 'string';
    case 'text':
      return typeof value === 'string' || hasFields(value, BLOB);
    case 'number':
      return Number.isFinite(value);
    case 'flag':
      return typeof value === 'boolean';
    case 'anything':
      return value !== undefined;
    case 'oneOf':
      return (kind.values as readonly unknown[]).includes(value);
    case 'optional':
      return value === undefined || isOf(value, kind.of);
    case 'nullable':
      return value === null || isOf(value, kind.of);
    case 'list':
      return Array.isArray(value) && value.every((one) => isOf(one, kind.of));
    case 'record':
      return isPlain(value) && Object.values(value).every((one) => isOf(one, kind.of));
    case 'pair':
      return (
        Array.isArray(value) && value.length === 2 && kind.of.every((one, n) => isOf(value[n], one))
      );
    case 'object':
      return hasFields(value, kind.fields);
  }
}

function hasFields(value: unknown, fields: Fields): boolean {
  if (!isPlain(value)) return false;
  for (const name in fields)
    if (!isOf(Object.hasOwn(value, name) ? value[name] : undefined, fields[name]!)) return false;
  return true;
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !ArrayBuffer.isView(value);
