/** Kubernetes, ECS, Postman, HAR; CloudFormation. */
const NAME = /^(?:parameter)?(?:name|key)$/i;
const VALUE = /^(?:parameter)?value$/i;

interface Pair {
  name: string;
  value: string;
}

/** Under which keys of an object a name and its value stand as texts: `{"name": "DB_PASSWORD", "value": "…"}`. */
export function pairOf(source: Record<string, unknown>, keys: readonly string[]): Pair | undefined {
  const under = (pattern: RegExp) =>
    keys.find((key) => pattern.test(key) && typeof source[key] === 'string');
  const value = under(VALUE);
  const name = value === undefined ? value : under(NAME);
  return name === undefined || value === undefined ? undefined : { name, value };
}
