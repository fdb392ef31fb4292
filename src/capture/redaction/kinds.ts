/**
 * What the scanner tells apart, each by the character that stands before its words. Lower-case kinds and digits are found in
 * any case of letters, the others as they are; `a` to `d` and `k` to `m` are labels, and found only where a
 * name may end.
 * `table/literals.ts` has the words of each, `scanner-tables.ts` all of them in one.
 */

export const key = 0x61;
export const secret = 0x62;
export const password = 0x63;
export const pass = 0x64;
export const url = 0x65;
export const authorization = 0x66;
export const bearer = 0x67;
export const cookie = 0x68;
export const privateTag = 0x69;
export const privateKey = 0x6a;
export const session = 0x6b;
export const sharedKey = 0x6c;
/** Of an agent's session as well as of a web server's. */
export const sessionId = 0x6d;

// Signs: without one, the rules of `table/` that are no tokens find nothing. Those below 0x40 in any case of letters.
export const named = 0x30;
export const statement = 0x31;
export const phrase = 0x32;
export const keyInUrl = 0x33;
export const npmrc = 0x41;
export const place = 0x42;
/** Not of the scanner: `told-names.ts`. */
export const told = 0x43;
export const signedUrl = 0x49;
export const command = 0x4a;
export const setting = 0x4c;
export const netrc = 0x4d;
export const pgpass = 0x4e;
export const hash = 0x4f;
export const connection = 0x50;
export const kubernetes = 0x51;
export const terraformValue = 0x52;
export const declared = 0x53;

/** Where a token may begin, as far as its first characters tell. */
export const token = 0x54;

/** A label of two letters, and what follows it. */
export const short = 0x55;
