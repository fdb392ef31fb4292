import { onDemand, type Span } from './rule.ts';

/** In a text without one of these no sequence stands. Native searches: most texts hold none, and pay only for this. */
const RAW = ['\x1b[', '\x1b]'];
const ESCAPED = ['u001b', 'u001B', 'x1b', 'x1B', '\\e[', '\\033'];

/**
 * ECMA-48 §5.4: a control sequence, with which terminal programs colour and erase (`\x1b[01;31m\x1b[K` of grep), a character
 * set (`\x1b(B` of tput) and a link (OSC 8); raw or as the usual escapes of it.
 */
const SEQUENCE = onDemand(
  () =>
    /(?:\x1b|\\{1,8}(?:u001[bB]|x1[bB]|e|033))(?:\[[0-?]{0,64}[ -/]{0,4}[@-~]|\([0AB]|\][^\x07\x1b\\]{0,2048}(?:\x07|\\{1,8}u0007|\x1b\\|\\{4}u001b\\{8}|\\{2}u001b\\{4}|\\u001b\\{2}))/g,
);

/** Whether the text may hold sequences of a terminal. */
export function mayHoldEscapes(text: string): boolean {
  const isIn = (sign: string) => text.includes(sign);
  return RAW.some(isIn) || (isIn('\\') && ESCAPED.some(isIn));
}

/** A text without its sequences, and where what is found in it stands in the text itself. */
export interface Plain {
  text: string;
  /** The sequences at both ends of a stretch stay outside of it. Of one that is not empty. */
  original: (span: Span) => Span;
}

/** Undefined when there is no sequence. Linear in the text. */
export function withoutEscapes(text: string): Plain | undefined {
  if (!mayHoldEscapes(text)) return undefined;
  const pieces: string[] = [];
  /** Where each piece begins without the sequences, and how many characters of them stand before it. */
  const starts: number[] = [];
  const removed: number[] = [];
  let from = 0;
  let gone = 0;
  const keep = (to: number) => {
    starts.push(from - gone);
    removed.push(gone);
    pieces.push(text.slice(from, to));
  };
  for (const { 0: sequence, index } of text.matchAll(SEQUENCE())) {
    if (index > from) keep(index);
    from = index + sequence.length;
    gone += sequence.length;
  }
  if (gone === 0) return undefined;
  keep(text.length);
  const originalOf = (at: number): number => at + (removed[lastUpTo(starts, at)] ?? 0);
  return {
    text: pieces.join(''),
    original: ({ start, end }) => ({ start: originalOf(start), end: originalOf(end - 1) + 1 }),
  };
}

/** The last of the ordered numbers that is not above `value`. */
function lastUpTo(numbers: readonly number[], value: number): number {
  let low = 0;
  let high = numbers.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) > value) high = middle;
    else low = middle;
  }
  return low;
}
