import { withDistinctKeys } from '../capture/redaction/distinct-keys.ts';
import { isOwnType, OWN_FIELDS } from './own-names.ts';

/** What is looked for, and what becomes of it. Nothing of a finder is ever printed or stored. */
export interface Finder {
  /** Whether bytes hold it in any form; unrelated texts may stand side by side in them. */
  isIn(bytes: Buffer): boolean;
  /** Also whether bytes that the search has not met hold something of the kind. */
  isLike(bytes: Buffer): boolean;
  /** The text without it: the very same string where it has none. */
  withoutIt(text: string): string;
  /** The same of an event's data: the very same value where it has none. */
  dataWithoutIt(data: unknown): unknown;
  /** The same of a state, whose texts may be cut: without what a cut left of it, too. */
  stateWithoutIt(state: unknown): unknown;
}

/** What stands in the place of erased text. */
export const ERASED = '[REDACTED:ERASED]';
/** Shorter texts stand everywhere. */
export const SECRET_CHARS_MIN = 4;
/** As deep as an event's data can be. */
const DEPTH_MAX = 64;
/** The name of a text beside the journal. */
export const BLOB_NAME = /^[0-9a-f]{64}$/;

/**
 * Every string of a value through `change`, keys included; bytes through `isIn`. Shares what stays the same. Names that ben10
 * itself gave (fields, types, texts beside the journal) stay.
 */
export function changed(
  value: unknown,
  change: (text: string) => string,
  isIn: (bytes: Buffer) => boolean = () => false,
  depth = 0,
): unknown {
  if (typeof value === 'string') return isOwnType(value) ? value : change(value);
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return value;
  if (value instanceof Uint8Array) return isIn(Buffer.from(value)) ? ERASED : value;
  const inner = (one: unknown) => changed(one, change, isIn, depth + 1);
  if (Array.isArray(value)) {
    const list = value.map(inner);
    return list.every((one, index) => Object.is(one, value[index])) ? value : list;
  }
  let isSame = true;
  const fields = Object.entries(value).map(([key, one]) => {
    const isName = key === '$blob' && typeof one === 'string' && BLOB_NAME.test(one);
    const name = OWN_FIELDS.has(key) ? key : change(key);
    const field: [string, unknown] = [name, isName ? one : inner(one)];
    isSame &&= name === key && Object.is(field[1], one);
    return field;
  });
  return isSame ? value : Object.fromEntries(withDistinctKeys(fields));
}
