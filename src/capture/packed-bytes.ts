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
  if (Array.isArray(value)) {
    if (value.length > itemsMax) return TOO_MANY;
    return value.reduce((sum, item) => sum + bytesOf(item, itemsMax, bytesOfText), 5);
  }
  const names = Object.keys(value);
  if (names.length > itemsMax) return TOO_MANY;
  let bytes = 5;
  for (const name of names) {
    const item = (value as Record<string, unknown>)[name];
    bytes += 5 + bytesOfText(name) + bytesOf(item, itemsMax, bytesOfText);
  }
  return bytes;
}
