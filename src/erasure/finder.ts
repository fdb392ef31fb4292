import { withDistinctKeys } from '../capture/redaction/distinct-keys.ts';
import { isOwnType, OWN_FIELDS } from './own-names.ts';
import { listedBytes } from './packed.ts';

/** What is looked for, and what becomes of it. Nothing of a finder is ever printed or stored. */
export interface Finder {
  /** Whether bytes hold it in any form; what they are a part of is not known. */
  isIn(bytes: Buffer): boolean;
  /** The same for the bytes of a whole file, in which texts that have nothing to do with each other stand side by side. */
  isInFile(bytes: Buffer): boolean;
  /** The text without it: the very same string where it has none. */
  withoutIt(text: string): string;
  /** The same of an event's data: the very same value where it has none. */
  dataWithoutIt(data: unknown): unknown;
  /** The same of a state, which has cut texts: without what a cut left of it, too. */
  stateWithoutIt(state: unknown): unknown;
}

/** What stands in the place of erased text. */
export const ERASED = '[REDACTED:ERASED]';
/** As deep as an event's data can be. */
export const DEPTH_MAX = 64;
/** A text beside the journal. */
export const BLOB_NAME = /^[0-9a-f]{64}$/;

/**
 * Every string of a value through `change`, keys included; bytes, also as a list of numbers, through `isIn`. Shares what stays the same. Names that
 * ben10 gave itself stay: those of fields, of types, and of texts beside the journal.
 */
export function changed(
  value: unknown,
  change: (text: string) => string,
  isIn: (bytes: Buffer) => boolean,
  depth = 0,
): unknown {
  if (typeof value === 'string') return isOwnType(value) ? value : change(value);
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return value;
  if (value instanceof Uint8Array) return isIn(Buffer.from(value)) ? ERASED : value;
  const inner = (one: unknown) => changed(one, change, isIn, depth + 1);
  if (Array.isArray(value)) {
    const bytes = listedBytes(value);
    if (bytes !== undefined) return isIn(bytes) ? [ERASED] : value;
    const list = value.map(inner);
    return list.every((one, index) => Object.is(one, value[index])) ? value : list;
  }
  let isSame = true;
  const fields = Object.entries(value).map(([key, one]) => {
    const isName = key === '$blob' && typeof one === 'string' && BLOB_NAME.test(one);
    const field: [string, unknown] = [
      OWN_FIELDS.has(key) ? key : change(key),
      isName ? one : inner(one),
    ];
    isSame &&= field[0] === key && Object.is(field[1], one);
    return field;
  });
  return isSame ? value : Object.fromEntries(withDistinctKeys(fields));
}
