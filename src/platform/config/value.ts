/** A problem before its place in a file is known. */
export interface TreeProblem {
  /** The path's last step is a text of the user's that may be a secret, and is not said. */
  isSecret?: true;
  /** Leads to the value; with `atKey` to the key, because the key is what is wrong. */
  path: readonly (string | number)[];
  message: string;
  atKey?: true;
}

/** Longer texts are shown by their head: the message must stay a line. */
const SHOWN_CHARS_MAX = 40;

/** A text as a message shows it: cut, and with nothing in it that could move a terminal's cursor. */
export function shown(text: string): string {
  const cut = text.length > SHOWN_CHARS_MAX ? `${text.slice(0, SHOWN_CHARS_MAX)}…` : text;
  return cut.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '\u{FFFD}');
}

/** A value as a message shows it: its type, and the value itself where that is short. */
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

/** The same without the value: where secrets are named, what stands in the wrong place may be one. */
export const kindOf = (value: unknown): string => {
  if (typeof value === 'string') return 'a text';
  return typeof value === 'number' || typeof value === 'bigint' ? 'a number' : describe(value);
};

/** A plain object, as JSON.parse and YAML mappings give it: not a list, date, map or byte string. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
