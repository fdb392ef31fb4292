import { type Edit, edited, type Layer } from './layer.ts';
import { runsOf } from './runs.ts';

/** Characters of base64 in both alphabets, of which base32 is a part. */
const CODE = '[A-Za-z0-9+/_-]';
const NO_CODE = '[^A-Za-z0-9+/_=-]';
const NO_CODE_IN_LINE = '[^A-Za-z0-9+/_=\\r\\n-]';
const BREAK = '(?:\\r\\n?|\\n)';
/** What is shorter is a word: nothing is joined to it. */
const runsIn = runsOf(CODE, 12);
/** The last line alone may be shorter, behind one that words are not as long as. */
const NEXT = new RegExp(`${CODE}{12}`, 'y');
const LINE_CHARS_MIN = 40;

const BREAKS = /[\r\n]+/g;

/**
 * What may stand between the end of a line of base64 and the beginning of the next: each is read on its own, for a sign or a number
 * before a line may be base64 as well. All are of bounded length, and are asked only behind a run.
 */
const GAPS: readonly RegExp[] = [
  // Indents, quotes and signs that join strings, a backslash, marks of mail, comments and tables; also spaces alone.
  `(?:["'][ \\t]{0,4}[+.])?${NO_CODE}{1,64}`,
  // The sign of a diff; a comment that begins with slashes or dashes; the number that grep puts before a line around a match.
  `${NO_CODE_IN_LINE}{0,16}${BREAK}[ \\t]{0,32}(?:\\+|-|//|--|\\d{1,7}-)${NO_CODE_IN_LINE}{0,64}`,
  // Whatever stands before the last word of the line: numbers, paths, times, names of services.
  `(?:["'][ \\t]{0,4}[+.])?${NO_CODE_IN_LINE}{0,16}${BREAK}[^\\r\\n]{0,256}[^A-Za-z0-9+/_=\\r\\n-]`,
].map((gap) => new RegExp(`${gap}(?=${CODE})`, 'y'));

/** A text without its line breaks, in which base64 stands in one piece. */
function unbroken(layer: Layer): Layer {
  const text = layer.text.replace(BREAKS, '');
  if (text.length === layer.text.length) return layer;
  // Hardly any text holds what is looked for: the way back is made when somebody asks.
  let made: Layer | undefined;
  const whole = () => {
    made ??= edited(
      layer,
      Array.from(layer.text.matchAll(BREAKS), ({ 0: found, index }) => removed(index, found)),
    );
    return made;
  };
  return { text, origin: (span) => whole().origin(span) };
}

/** The same without what stands between its lines, once for each way in which that can be. */
export function* unwrapped(layer: Layer): Generator<Layer> {
  const known = [layer.text];
  const first = unbroken(layer);
  known.push(first.text);
  yield first;
  const runs = Array.from(runsIn(layer.text), ({ 0: run, index }): [number, number] => [
    index,
    run.length,
  ]);
  if (runs.length === 0) return;
  for (const gap of GAPS) {
    const joined = edited(layer, between(layer.text, runs, gap));
    if (known.includes(joined.text)) continue;
    known.push(joined.text);
    yield joined;
  }
}

function* between(
  text: string,
  runs: readonly [at: number, length: number][],
  gap: RegExp,
): Generator<Edit> {
  let done = 0;
  for (const [index, length] of runs) {
    const end = index + length;
    // One within what was taken away before; the sign before a line is taken for a part of one, too.
    if (end <= done) continue;
    gap.lastIndex = end;
    const found = gap.exec(text)?.[0];
    if (found === undefined) continue;
    NEXT.lastIndex = end + found.length;
    if (length < LINE_CHARS_MIN && !NEXT.test(text)) continue;
    done = end + found.length;
    yield removed(end, found);
  }
}

const removed = (start: number, found: string): Edit => ({
  start,
  end: start + found.length,
  by: '',
});
