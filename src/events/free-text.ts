import type { Fields, Kind } from './fields.ts';

/** Whether a field may hold free text: everything but names, numbers, flags and fixed values. */
export function holdsText(kind: Kind): boolean {
  switch (kind.is) {
    case 'name':
    case 'number':
    case 'flag':
    case 'oneOf':
      return false;
    case 'optional':
    case 'nullable':
    case 'list':
      return holdsText(kind.of);
    case 'pair':
      return kind.of.some(holdsText);
    case 'object':
      return Object.values(kind.fields).some(holdsText);
    default:
      return true; // the keys of a record are somebody's, too
  }
}

/** Names of all fields, nested ones included. */
export function namesIn(kind: Kind): string[] {
  if (kind.is === 'object') return fieldNames(kind.fields);
  if (kind.is === 'pair') return kind.of.flatMap(namesIn);
  return 'of' in kind ? namesIn(kind.of) : [];
}

export const fieldNames = (fields: Fields): string[] =>
  Object.entries(fields).flatMap(([name, kind]) => [name, ...namesIn(kind)]);
