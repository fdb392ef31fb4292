/** Control characters, line separators, and ignorable characters such as direction overrides. */
const UNSAFE = /[\u007f-\u009f\u2028\u2029\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

/** Both halves of a surrogate pair. */
const escaped = (char: string): string =>
  Array.from({ length: char.length }, (_, at) => {
    return `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }).join('');

/** One line of JSON that is safe for a terminal. Bytes become base64, bigints decimal strings. */
export function toJson(value: unknown): string {
  return (JSON.stringify(value, plain) ?? 'null').replace(UNSAFE, escaped);
}

function plain(this: Record<string, unknown>, key: string, value: unknown): unknown {
  // A Buffer's own toJSON has already run.
  const raw = this[key];
  if (raw instanceof Uint8Array) return Buffer.from(raw).toString('base64');
  return typeof value === 'bigint' ? value.toString() : value;
}
