export interface TreeProblem {
  /** The path's last step may be a secret: it is not shown. */
  isSecret?: true;
  /** The path of the value; with `atKey` the key itself is the problem. */
  path: readonly (string | number)[];
  message: string;
  atKey?: true;
}

const SHOWN_CHARS_MAX = 40;

/** A text for a message: cut, without control characters. */
export function shown(text: string): string {
  const cut = text.length > SHOWN_CHARS_MAX ? `${text.slice(0, SHOWN_CHARS_MAX)}…` : text;
  return cut.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '\u{FFFD}');
}

export function describe(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'string':
      return `the text ${JSON.stringify(shown(value))}`;
    case 'number':
    case 'bigint':
      return `the number ${value}`;
    case 'boolean':
      return `${value}`;
    default:
      return isRecord(value) ? 'a group of settings' : 'something else';
  }
}

/** Its type alone: the value may be a secret. */
export const kindOf = (value: unknown): string => {
  if (typeof value === 'string') return 'a text';
  return typeof value === 'number' || typeof value === 'bigint' ? 'a number' : describe(value);
};

/** Of JSON from outside; none if it is no object. */
export const fieldsIn = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});

/** A plain object: not a list, date, map or byte string. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
