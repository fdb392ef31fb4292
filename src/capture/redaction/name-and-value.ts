/** Kubernetes, ECS, Postman, HAR; CloudFormation. In any case of letters. */
const NAMES = ['name', 'key', 'parametername', 'parameterkey'];
const VALUES = ['value', 'parametervalue'];

interface Pair {
  name: string;
  value: string;
}

const COOKIES = /^(?:set-)?cookies$/i;

/**
 * What the value of a pair stands under: its name; of cookies, as HAR lists them, whatever they are called, the list's own.
 * @param key what the object with the pair stands under
 */
export const labelOf = (name: string, key: string | undefined): string =>
  key !== undefined && COOKIES.test(key) ? key : name;

/** Under which keys of an object a name and its value stand as texts: `{"name": "DB_PASSWORD", "value": "…"}`. */
export function pairOf(source: Record<string, unknown>, keys: readonly string[]): Pair | undefined {
  const among = (words: readonly string[]) =>
    keys.find((key) => words.includes(key.toLowerCase()) && typeof source[key] === 'string');
  const value = among(VALUES);
  const name = value && among(NAMES);
  return name && value ? { name, value } : undefined;
}
