/**
 * At least the bytes that a value takes as MessagePack, counted without packing it.
 * @returns undefined when a list or object has more than `itemsMax` items
 */
export function packedBytes(value: unknown, itemsMax: number): number | undefined {
  if (typeof value === 'string') return 5 + Buffer.byteLength(value);
  if (typeof value === 'number') return 9;
  if (typeof value !== 'object' || value === null) return 1;
  const items = Array.isArray(value) ? value : Object.entries(value).flat();
  const count = Array.isArray(value) ? items.length : items.length / 2;
  if (count > itemsMax) return undefined;
  let bytes = 5;
  for (const item of items) {
    const more = packedBytes(item, itemsMax);
    if (more === undefined) return undefined;
    bytes += more;
  }
  return bytes;
}
