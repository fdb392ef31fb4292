import {
  compileRedaction,
  pemBodyEnd,
  privateState,
  type RedactionOptions,
  redactText,
} from './redaction/index.ts';

/**
 * Characters that are searched when one end of a text is kept. Less is kept, so that a secret at the cut is found
 * whole.
 */
export const SEARCHED_CHARS = 64 * 1024;
/**
 * The longest secret at an end of what is searched, characters: a 16,384-bit RSA key has 13,000 in PEM. A longer
 * run without a space is data.
 */
export const SECRET_CHARS_MAX = 16 * 1024;
/** Not kept beside a cut: no match of a configured pattern, spaces included, is longer. */
const MARGIN_CHARS = 512;

/** The first or last line of a PEM or OpenPGP block; group 1 says which. */
const LINE_OF_DASHES = /-----(BEGIN|END) [A-Z0-9 ]{1,80}-----/;
/** Does not end a word. Only keys, private passages and matches of configured patterns go on after a word. */
const IN_WORD = /[^\s"'`<>]/;
const OPEN_KEY = /-----BEGIN [A-Z0-9 ]{0,60}PRIVATE KEY.*/s;

/**
 * The beginning of a text, cut after redaction.
 * @param chars how much is kept
 * @param isWhole the text does not end inside of something
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
 * The end of a text whose beginning is unknown: it may start inside of a key, a private passage or a token.
 * @param text its last `SEARCHED_CHARS` are searched
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

/** Without what may begin a secret that goes on after the end. */
function untilCut(redacted: string, margin: number): string {
  const text = redacted.slice(0, Math.max(0, redacted.length - margin));
  const sure = text.slice(0, text.length - wordAt(text, true));
  // A key whose end is missing, and too short to be recognised.
  return sure.replace(OPEN_KEY, '');
}

/** Length of the word at one end of a text, which may have been cut inside of it. */
function wordAt(text: string, isEnd: boolean): number {
  let chars = 0;
  while (chars < SECRET_CHARS_MAX && IN_WORD.test(text.at(isEnd ? -1 - chars : chars) ?? ' ')) {
    chars += 1;
  }
  return chars;
}

/** Where a key ends that began before the text: after its END line, or its last line. */
function keyEnd(text: string): number {
  const line = LINE_OF_DASHES.exec(text);
  const closed = line?.[1] === 'END' ? line.index + line[0].length : 0;
  const body = pemBodyEnd(text.slice(0, SECRET_CHARS_MAX), wordAt(text, false));
  return Math.max(closed, body ?? 0);
}
