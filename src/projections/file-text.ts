import { sha256 } from '../platform/sha256.ts';

/** What redaction leaves in the place of a secret. */
const MARKER = '[REDACTED:';

/** Of a text that redaction took something out of, it is not known what was in the file. */
export const isRedacted = (text: string): boolean => text.includes(MARKER);

/**
 * A text as the client's tools take and give it: without a byte order mark, with plain line ends. What they read may lack
 * the last line end.
 */
export function plainText(text: string): string {
  const marked = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  return marked.includes('\r\n') ? marked.replaceAll('\r\n', '\n') : marked;
}

/** Names what is in a text file, without keeping it. */
export interface ContentName {
  /** SHA-256, hex: what `sha256sum` says of a file with plain line ends, a last one included, and no byte order mark. */
  hash: string;
  /** Of the text that was hashed. */
  bytes: number;
}

/** Two texts that differ only in what the client's tools change on the way have the same name. */
export function contentName(text: string): ContentName {
  const plain = plainText(text);
  const lines = plain === '\n' ? '' : plain === '' || plain.endsWith('\n') ? plain : `${plain}\n`;
  const bytes = Buffer.from(lines);
  return { hash: sha256(bytes).toString('hex'), bytes: bytes.length };
}

export const contentHash = (text: string): string => contentName(text).hash;
