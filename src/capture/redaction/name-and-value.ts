/** Kubernetes, ECS, Postman, HAR; CloudFormation. In any case of letters. */
const NAMES = ['name', 'key', 'parametername', 'parameterkey'];
const VALUES = ['value', 'parametervalue'];

interface Pair {
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
