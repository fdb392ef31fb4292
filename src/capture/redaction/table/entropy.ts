/** Shannon entropy of the text's characters, in bits a character: 0 for one repeated, 6 at most for base64. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values())
    bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/**
 * Whether it is at least so many. How many different characters there are tells nearly always, and is not counted by code that
 * V8 would then compile: the text has least when all the others stand in it once.
 */
export function hasEntropy(text: string, bits: number): boolean {
  const kinds = new Set(text).size;
  const often = (text.length - kinds + 1) / text.length;
  const least = ((kinds - 1) / text.length) * Math.log2(text.length) - often * Math.log2(often);
  return least >= bits || entropyOf(text) >= bits;
}
