import { ERASED } from './finder.ts';
import { SECRET_CHARS_MIN } from './forms.ts';

/** What a fold writes behind a text that it cut. */
const CUT = '…';
/** A plain word stands in a state for something else, whatever secret has it. */
const WORD = /^[a-z]{1,11}$/;

/**
 * A text of a state without what a fold left of a secret: its beginning where the text was cut in it, its end where only the
 * end of a text is kept, and names that were taken out of it, a line each. The very same string where there is none.
 */
export function withoutPieces(text: string, secrets: readonly string[]): string {
  const end = text.endsWith(CUT) ? CUT : '';
  const body = text.slice(0, text.length - end.length);
  const left = secrets.reduce(withoutEnds, body);
  const kept = left
    .split('\n')
    .map((line) => (isPiece(line, secrets) ? ERASED : line))
    .join('\n');
  return kept === body ? text : kept + end;
}

const isPiece = (line: string, secrets: readonly string[]): boolean =>
  line.length >= SECRET_CHARS_MIN && !WORD.test(line) && secrets.some((one) => one.includes(line));

function withoutEnds(text: string, secret: string): string {
  const [first, last] = [secret.slice(0, SECRET_CHARS_MIN), secret.slice(-SECRET_CHARS_MIN)];
  let end = text.indexOf(first, Math.max(0, text.length - secret.length + 1));
  while (end !== -1 && !secret.startsWith(text.slice(end))) end = text.indexOf(first, end + 1);
  const left = end === -1 ? text : text.slice(0, end) + ERASED;
  let start = left.lastIndexOf(last, secret.length - 1 - last.length);
  while (start > 0 && !secret.endsWith(left.slice(0, start + last.length)))
    start = left.lastIndexOf(last, start - 1);
  const isEnd = start !== -1 && secret.endsWith(left.slice(0, start + last.length));
  return isEnd ? ERASED + left.slice(start + last.length) : left;
}
