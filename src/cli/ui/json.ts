/** Invisible in a terminal or obeyed by it: C1 controls, DEL, and JavaScript's own line ends. */
const UNSAFE = /[\u007f-\u009f\u2028\u2029]/g;

const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

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
