/**
 * Invisible in a terminal or obeyed by it: C1 controls, DEL, JavaScript's own line ends, and all that Unicode calls
 * ignorable, as overrides of the direction are. Escaped, nothing of it is lost.
 */
const UNSAFE = /[\u007f-\u009f\u2028\u2029\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

/** Of a character beyond the first plane both halves. */
const escaped = (char: string): string =>
  Array.from({ length: char.length }, (_, at) => {
    return `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }).join('');

/**
 * JSON in one line that is safe to show in a terminal: JSON.stringify escapes the controls below 0x20 by itself.
 * Bytes become base64, integers over 2^53 decimal texts.
 */
export function toJson(value: unknown): string {
  return (JSON.stringify(value, plain) ?? 'null').replace(UNSAFE, escaped);
}

function plain(this: Record<string, unknown>, key: string, value: unknown): unknown {
  // A Buffer says its own JSON before we are asked.
  const raw = this[key];
  if (raw instanceof Uint8Array) return Buffer.from(raw).toString('base64');
  return typeof value === 'bigint' ? value.toString() : value;
}
