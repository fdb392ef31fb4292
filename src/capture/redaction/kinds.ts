/**
 * What the scanner tells apart, each by the character that stands before its words. Lower-case kinds and digits are found in
 * any case of letters, the others as they are; `a` to `d` are labels, and found only where a name may end.
 * `table/literals.ts` has the words of each, `scanner-words.ts` all of them in one.
 */
export const KIND = {
  key: 0x61,
  secret: 0x62,
  password: 0x63,
  pass: 0x64,
  url: 0x65,
  authorization: 0x66,
  bearer: 0x67,
  cookie: 0x68,
  privateTag: 0x69,
  privateKey: 0x6a,
  /** Signs: without one, the rules of `table/` that are no tokens find nothing. Those below 0x40 in any case of letters. */
  named: 0x30,
  statement: 0x31,
  npmrc: 0x41,
  place: 0x42,
  signedUrl: 0x49,
  command: 0x4a,
  setting: 0x4c,
  netrc: 0x4d,
  pgpass: 0x4e,
  hash: 0x4f,
  connection: 0x50,
  kubernetes: 0x51,
  terraformValue: 0x52,
  /** Where a token may begin, as far as its first characters tell. */
  token: 0x54,
} as const;

/** The kinds from here up to `LAST_SIGN` are signs. */
export const FIRST_SIGN = 0x30;
export const LAST_SIGN = 0x52;
