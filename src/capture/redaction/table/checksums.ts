/** How some vendors let a token be told from a random text of its form. */
export type Checksum = 'crc32-base62';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CHECKSUM_CHARS = 6;

/**
 * Whether the last six characters are the CRC-32 of those between the prefix and them, in base 62 (GitHub, npm:
 * github.blog, "Behind GitHub's new authentication token formats"). Says nothing about whether the token is still valid.
 */
export function hasChecksum(token: string): boolean {
  const body = token.slice(token.lastIndexOf('_') + 1);
  const random = body.slice(0, -CHECKSUM_CHARS);
  return body.slice(-CHECKSUM_CHARS) === crc32Base62(random);
}

/** The six characters. */
export function crc32Base62(text: string): string {
  let rest = crc32(text);
  let digits = '';
  while (digits.length < CHECKSUM_CHARS) {
    digits = (BASE62[rest % 62] ?? '') + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** IEEE 802.3, of a text in ASCII, bit by bit: it is asked about 30 characters now and then. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let index = 0; index < text.length; index += 1) {
    crc ^= text.charCodeAt(index);
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
