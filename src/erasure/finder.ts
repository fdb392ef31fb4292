import { withDistinctKeys } from '../capture/redaction/distinct-keys.ts';
import { ERASED } from '../projections/safe-text.ts';
import { isOwnType, OWN_FIELDS } from './own-names.ts';

/** Finds what is erased, and removes it. Nothing of a finder is ever printed or stored. */
export interface Finder {
  /** Whether bytes hold it in any form; unrelated texts may lie side by side in them. */
  isIn(bytes: Buffer): boolean;
  /** As `isIn`; for bytes that were not searched, also by the pattern or rule itself. */
  isLike(bytes: Buffer): boolean;
  /** The text without it; the same string if it has none. */
  withoutIt(text: string): string;
  /** Whether a payload of packs says it, as it is or as payloads write it. */
  isInPayload(text: string): boolean;
  /** An event's data without it; the same value if it has none. */
  dataWithoutIt(data: unknown): unknown;
  /** A state without it. Its texts may be cut, so pieces of it go as well. */
  stateWithoutIt(state: unknown): unknown;
}

/** Shorter texts occur everywhere. */
export const SECRET_CHARS_MIN = 4;
/** No event's data is deeper. */
const DEPTH_MAX = 64;
/** Whether a field holds a blob's name. */
export const isBlobName = (key: string, value: unknown): boolean =>
  key === '$blob' && typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

/**
 * Applies `change` to every string, keys included, and `isIn` to bytes. Shares what stays the same. ben10's own
 * names (fields, types, blobs) stay.
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
    const name = OWN_FIELDS.has(key) ? key : change(key);
    const field: [string, unknown] = [name, isBlobName(key, one) ? one : inner(one)];
    isSame &&= name === key && Object.is(field[1], one);
    return field;
  });
  return isSame ? value : Object.fromEntries(withDistinctKeys(fields));
}
