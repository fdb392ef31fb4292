import { sha256Hex } from '../platform/sha256.ts';

/** What redaction leaves in the place of a secret. */
const MARKER = '[REDACTED:';

/** Of a text that redaction took something out of, it is not known what was in the file. */
export const isRedacted = (text: string): boolean => text.includes(MARKER);

/**
 * A text as the client's tools take and give it: without a byte order mark, with plain line ends. What they read may lack
 * the last line end.
 */
export const plainText = (text: string): string =>
  text.replace(/^\ufeff/, '').replace(/\r\n/g, '\n');

/**
 * Names what is in a text file: two that differ only in what the client's tools change on the way have the same. It is
 * what `sha256sum` says of a file with plain line ends, a last one included, and no byte order mark.
 * @returns SHA-256, hex
 */
export function contentHash(text: string): string {
  const lines = plainText(text).replace(/\n$/, '');
  return sha256Hex(lines === '' ? '' : `${lines}\n`);
}
