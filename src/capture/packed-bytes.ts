/**
 * Whether a value packs into that many bytes of MessagePack, none of its lists and objects having more than so many
 * items. Errs on the side of no by a few bytes a value.
 */
export function packsInto(value: unknown, bytesMax: number, itemsMax: number): boolean {
  // Three bytes a character is a bound that needs no counting; only what may be too large is counted.
  const bound = bytesOf(value, itemsMax, (text) => 3 * text.length);
  if (bound <= bytesMax) return true;
  return bound !== TOO_MANY && bytesOf(value, itemsMax, Buffer.byteLength) <= bytesMax;
}

const TOO_MANY = Number.POSITIVE_INFINITY;

function bytesOf(value: unknown, itemsMax: number, bytesOfText: (text: string) => number): number {
  if (typeof value === 'string') return 5 + bytesOfText(value);
  if (typeof value !== 'object' || value === null) return 9;
  const names = Array.isArray(value) ? [] : Object.keys(value);
  const items: unknown[] = Array.isArray(value) ? value : Object.values(value);
  if (items.length > itemsMax) return TOO_MANY;
  let bytes = 5;
  for (const name of names) bytes += 5 + bytesOfText(name);
  for (const item of items) bytes += bytesOf(item, itemsMax, bytesOfText);
  return bytes;
}
