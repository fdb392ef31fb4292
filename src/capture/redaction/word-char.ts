/** `\w` in plain code: V8 makes machine code of an expression that is used twice, which takes a new process longer than all the uses. */
export const isWordChar = (code: number): boolean => isAlphanumeric(code) || code === 0x5f;

/** The same without `_`. */
export const isAlphanumeric = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a);

export const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
export const isLower = (code: number): boolean => code >= 0x61 && code <= 0x7a;
export const isLetter = (code: number): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
export const isUpper = (code: number): boolean => code >= 0x41 && code <= 0x5a;

/** `\s` */
export const isSpace = (code: number): boolean =>
  code === 0x20 ||
  (code >= 9 && code <= 13) ||
  (code >= 0xa0 && String.fromCharCode(code).trim() === '');

/** Whether the text has such a character. */
export function hasAny(text: string, isOne: (code: number) => boolean): boolean {
  for (let at = 0; at < text.length; at += 1) if (isOne(text.charCodeAt(at))) return true;
  return false;
}
