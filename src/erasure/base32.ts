/** RFC 4648, section 6. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const VALUES = new Map([...ALPHABET, ...ALPHABET.toLowerCase()].map((char, n) => [char, n % 32]));
const CHAR_BITS = 5;

/** Without the padding; the last character's missing bits are zeros. */
export function toBase32(bytes: Uint8Array): string {
  let text = '';
  let held = 0;
  let bits = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= CHAR_BITS) {
      bits -= CHAR_BITS;
      text += ALPHABET[(held >> bits) & 31];
    }
    held &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + ALPHABET[(held << (CHAR_BITS - bits)) & 31];
}

/** Whole bytes only. @param text of the alphabet in upper or lower case */
export function fromBase32(text: string): Buffer {
  const bytes = Buffer.alloc(Math.floor((text.length * CHAR_BITS) / 8));
  let held = 0;
  let bits = 0;
  let at = 0;
  for (const char of text) {
    held = (held << CHAR_BITS) | VALUES.get(char)!;
    bits += CHAR_BITS;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at] = held >> bits;
    at += 1;
    held &= (1 << bits) - 1;
  }
  return bytes;
}
