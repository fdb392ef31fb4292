import {
  compileRedaction,
  pemBodyEnd,
  privateState,
  type RedactionOptions,
  redactText,
} from './redaction/index.ts';

/**
 * How much of a text is searched for secrets when an end of it is kept, characters: what is kept is cut out of what was
 * searched, so a secret across that cut is found whole.
 */
export const SEARCHED_CHARS = 64 * 1024;
/**
 * The longest secret that may lie across an end of what is searched, characters: RSA keys of 16,384 bits are 13,000 in
 * PEM. A longer stretch without a space is data.
 */
export const SECRET_CHARS_MAX = 16 * 1024;
/** Not kept beside a cut, redacted or not: what a pattern of the configuration can match, spaces and all, is no longer. */
const MARGIN_CHARS = 512;

/** The first or last line of a block in PEM or OpenPGP armour. Group 1 says which. */
const LINE_OF_DASHES = /-----(BEGIN|END) [A-Z0-9 ]{1,80}-----/;
/** Does not end a word. No secret but a key, a private passage or one by a pattern of the configuration goes on behind it. */
const IN_WORD = /[^\s"'`<>]/;
const OPEN_KEY = /-----BEGIN [A-Z0-9 ]{0,60}PRIVATE KEY.*/s;

/**
 * The beginning of a text, cut behind redaction.
 * @param chars how much is kept
 * @param isWhole the text does not end in the middle of something
 * @param redaction the built-in rules by default
 */
export function headOf(
  text: string,
  chars: number,
  isWhole: boolean,
  redaction: RedactionOptions = compileRedaction().options,
): string {
  const isSearched = text.length <= SEARCHED_CHARS;
  const redacted = redactText(text.slice(0, SEARCHED_CHARS), redaction).text;
  const sure = isWhole && isSearched ? redacted : untilCut(redacted, isSearched ? 0 : MARGIN_CHARS);
  return sure.slice(0, chars).toWellFormed();
}

/**
 * The end of a text of which nothing is known but that: it may begin inside a key, a private passage or a token.
 * @param text at least `SEARCHED_CHARS` of it, or no more is searched
 */
export function tailOf(
  text: string,
  chars: number,
  redaction: RedactionOptions = compileRedaction().options,
): string {
  const searched = text.slice(-SEARCHED_CHARS);
  const open = searched.slice(privateState(searched).end);
  const redacted = redactText(open.slice(keyEnd(open)), redaction).text.slice(MARGIN_CHARS);
  return untilCut(redacted.slice(wordAt(redacted, false)), 0)
    .slice(-chars)
    .toWellFormed();
}

/** Without what a secret that goes on behind the text's end may begin with. */
function untilCut(redacted: string, margin: number): string {
  const text = redacted.slice(0, Math.max(0, redacted.length - margin));
  const sure = text.slice(0, text.length - wordAt(text, true));
  // A key whose end is not there, and of which too little is to be found as one.
  return sure.replace(OPEN_KEY, '');
}

/** Length of the word at an end of a text, as far as it may be one: the text may have been cut in the middle of it. */
function wordAt(text: string, isEnd: boolean): number {
  let chars = 0;
  while (chars < SECRET_CHARS_MAX && IN_WORD.test(text.at(isEnd ? -1 - chars : chars) ?? ' ')) {
    chars += 1;
  }
  return chars;
}

/** Where a key ends that the text begins in the middle of: behind its END line, or its last line. */
function keyEnd(text: string): number {
  const line = LINE_OF_DASHES.exec(text);
  const closed = line?.[1] === 'END' ? line.index + line[0].length : 0;
  const body = pemBodyEnd(text.slice(0, SECRET_CHARS_MAX), wordAt(text, false));
  return Math.max(closed, body ?? 0);
}
