type BytesOf = (text: string) => number;
/** Three bytes a character: an upper bound without counting. */
const bound: BytesOf = (text) => 3 * text.length;

/**
 * Whether a value fits into so many bytes of MessagePack, with no list or object of more items. Errs on the side of
 * no by a few bytes a value.
 */
export const packsInto = (value: unknown, bytesMax: number, itemsMax: number): boolean =>
  isSmall(value, bytesMax, itemsMax, Number.POSITIVE_INFINITY) ||
  // Only what may be too large is counted.
  roomLeft(value, bytesMax, itemsMax, Number.POSITIVE_INFINITY, Buffer.byteLength) >= 0;

/** The same whatever its texts hold, with limited nesting. */
export const isSmall = (
  value: unknown,
  bytesMax: number,
  itemsMax: number,
  depthMax: number,
): boolean => roomLeft(value, bytesMax, itemsMax, depthMax, bound) >= 0;

/** Bytes left after a value; negative if it exceeds a limit. */
function roomLeft(
  value: unknown,
  bytes: number,
  itemsMax: number,
  depth: number,
  bytesOf: BytesOf,
): number {
  if (typeof value === 'string') return bytes - 5 - bytesOf(value);
  if (typeof value !== 'object' || value === null) return bytes - 9;
  const names = Array.isArray(value) ? undefined : Object.keys(value);
  const items = value as unknown[] & Record<string, unknown>;
  const { length } = names ?? items;
  if (length > itemsMax || depth <= 0) return -1;
  let left = bytes - 5;
  // One by one: all values of a large object cost far more than those that fit.
  for (let i = 0; i < length && left >= 0; i += 1) {
    if (names !== undefined) left -= 5 + bytesOf(names[i]!);
    left = roomLeft(
      names === undefined ? items[i] : items[names[i]!],
      left,
      itemsMax,
      depth - 1,
      bytesOf,
    );
  }
  return left;
}
