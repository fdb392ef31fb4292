import type { Kind } from '../../events/fields.ts';
import { isOf } from '../../events/shape.ts';
import { describe, isRecord, shown, type TreeProblem } from '../../platform/config/value.ts';

type Way = TreeProblem['path'];

const WANTED: Partial<Record<Kind['is'], string>> = {
  words: 'a text',
  number: 'a number',
  flag: 'true or false',
  list: 'a list',
  object: 'a group',
  record: 'a group',
};

/** What keeps a value that a person wrote from being of a kind; unknown fields do, too. */
export function problemIn(value: unknown, kind: Kind, path: Way = []): TreeProblem | undefined {
  if (kind.is === 'optional')
    return value === undefined ? undefined : problemIn(value, kind.of, path);
  if (kind.is === 'nullable') return value === null ? undefined : problemIn(value, kind.of, path);
  if (kind.is === 'list' && Array.isArray(value))
    return firstOf(value.entries(), (n, one) => problemIn(one, kind.of, [...path, n]));
  if (kind.is === 'record' && isRecord(value))
    return firstOf(Object.entries(value), (name, one) => problemIn(one, kind.of, [...path, name]));
  if (kind.is === 'object' && isRecord(value)) {
    const fields = Object.entries(kind.fields);
    const unknown = Object.keys(value).find((name) => !Object.hasOwn(kind.fields, name));
    if (unknown !== undefined) {
      const known = fields.map(([name]) => name).join(', ');
      const message = `"${shown(unknown)}" is unknown; known are ${known}`;
      return { path: [...path, unknown], atKey: true, message };
    }
    const missing = fields.find(
      ([name, of]) => of.is !== 'optional' && !Object.hasOwn(value, name),
    );
    if (missing !== undefined) return { path, message: `${missing[0]} is missing` };
    return firstOf(fields, (name, of) => problemIn(value[name], of, [...path, name]));
  }
  if (kind.is !== 'list' && kind.is !== 'record' && kind.is !== 'object' && isOf(value, kind))
    return undefined;
  const wanted = kind.is === 'oneOf' ? kind.values.join(', ') : WANTED[kind.is];
  return { path, message: `expected ${wanted}, found ${describe(value)}` };
}

function firstOf<K, V>(
  entries: Iterable<readonly [K, V]>,
  problemOf: (key: K, value: V) => TreeProblem | undefined,
): TreeProblem | undefined {
  for (const [key, value] of entries) {
    const problem = problemOf(key, value);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
