import { sha256 } from '../platform/sha256.ts';

const MARKER = '[REDACTED:';

/** A redacted text does not tell the file's content. */
export const isRedacted = (text: string): boolean => text.includes(MARKER);

/** As the client's tools give it: no byte order mark, plain line ends. They may omit the last line end. */
export function plainText(text: string): string {
  const marked = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  return marked.includes('\r\n') ? marked.replaceAll('\r\n', '\n') : marked;
}

export interface ContentName {
  /** SHA-256, hex: as `sha256sum` of a file with plain line ends, a final one included, and no byte order mark. */
  hash: string;
  bytes: number;
}

/** The same for texts that differ only in what the client's tools change. */
export function contentName(text: string): ContentName {
  const plain = plainText(text);
  const lines = plain === '\n' ? '' : plain === '' || plain.endsWith('\n') ? plain : `${plain}\n`;
  const bytes = Buffer.from(lines);
  return { hash: sha256(bytes).toString('hex'), bytes: bytes.length };
}

export const contentHash = (text: string): string => contentName(text).hash;
