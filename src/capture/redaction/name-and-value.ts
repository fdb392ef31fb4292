/** Kubernetes, ECS, Postman, HAR; CloudFormation; Keycloak. In any case of letters. */
const NAMES = ['name', 'key', 'parametername', 'parameterkey'];
const VALUES = ['value', 'parametervalue'];

interface Pair {
  name: string;
  value: string;
  /** A third key, which tells what the value is, whatever its name: `httpOnly` of a cookie. */
  kind: string | undefined;
}

const OF_COOKIE = 'httponly';
/** A name that says more of the value than its kind does. */
const TELLS = /(?:pass(?:w(?:or)?d)?|pwd|secret|token|key)\d{0,2}$/i;

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
  const name = value && (among(NAMES) ?? (source.type === 'password' ? 'type' : undefined));
  if (!name || !value) return undefined;
  const isTold = TELLS.test(String(source[name]));
  const kind = isTold ? undefined : keys.find((key) => key.toLowerCase() === OF_COOKIE);
  return { name, value, kind };
}

/** An option of a command line whose value is the next argument. */
const OPTION = /^--?[A-Za-z][\w.-]{2,63}$/;

/** The option that an item of an array belongs to, which stands before it: `["--password", "…"]`. */
export const optionBefore = (items: readonly unknown[], index: number): string | undefined => {
  const [before, item] = [items[index - 1], items[index]];
  if (typeof before !== 'string' || before[0] !== '-' || !OPTION.test(before)) return undefined;
  return typeof item === 'string' && item[0] === '-' ? undefined : before;
};

/** What the values of a list stand under: `passwords` holds one password and another. */
export const singular = (name: string, value: unknown): string =>
  Array.isArray(value) && PLURAL.test(name) ? name.slice(0, -1) : name;

const PLURAL = /(?:pass(?:word|phrase)|secret|token|key)s$/i;

/** Whether a text stands in an object for what the object is called: `{"secret": {"value": "…"}}`. */
export const isItsValue = (name: string, value: unknown): boolean =>
  typeof value === 'string' && name.toLowerCase() === 'value';

/** Whether all texts under this key are secrets: of a Kubernetes secret that was parsed. */
export const isOfSecret = (source: Record<string, unknown>, name: string): boolean =>
  (name === 'data' || name === 'stringData') && source.kind === 'Secret';
