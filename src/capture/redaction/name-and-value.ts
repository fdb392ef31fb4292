/** Objects and lists in which a value stands beside its name, as clients and tools have them after parsing. */

/** Kubernetes, ECS, Postman, HAR; CloudFormation. In any case of letters. */
const NAMES = ['name', 'key', 'parametername', 'parameterkey'];
const VALUES = ['value', 'parametervalue'];

export interface Pair {
  name: string;
  value: string;
}

/** Under which keys of an object a name and its value stand as texts: `{"name": "DB_PASSWORD", "value": "…"}`. */
export function pairOf(source: Record<string, unknown>, keys: readonly string[]): Pair | undefined {
  const among = (words: readonly string[]) =>
    keys.find((key) => words.includes(key.toLowerCase()) && typeof source[key] === 'string');
  const value = among(VALUES);
  const name = value && among(NAMES);
  return name && value ? { name, value } : undefined;
}

/** An option of a command line whose value is the next argument: `["--password", "…"]`. */
export function optionBefore(items: readonly unknown[], index: number): string | undefined {
  const before = items[index - 1];
  return typeof before === 'string' && /^--?[A-Za-z][\w.-]{2,63}$/.test(before)
    ? before
    : undefined;
}

/** Whether all texts under this key are secrets: of a Kubernetes secret that was parsed. */
export const isOfSecret = (source: Record<string, unknown>, name: string): boolean =>
  (name === 'data' || name === 'stringData') && source.kind === 'Secret';

/**
 * The text of an array that holds one line by line, as Claude Code has a hunk of a diff: a key, or a name and its value, goes over
 * several of them. Undefined of any other array.
 */
export const linesIn = (value: readonly unknown[], key: string | undefined): string | undefined =>
  key === 'lines' &&
  value.length > 0 &&
  value.every((line) => typeof line === 'string' && !line.includes('\n'))
    ? value.join('\n')
    : undefined;
