/** A text without its line breaks, and where in the text each of its characters stands. */
interface Unwrapped {
  text: string;
  at: Int32Array;
}

const BREAKS = /[\r\n]|\\[rn]/g;

/** Whether one of the pieces stands in a text that is broken into lines, with breaks inside the piece. */
export function isWrapped(text: string, pieces: readonly string[]): boolean {
  if (pieces.length === 0 || text.search(BREAKS) === -1) return false;
  const whole = text.replace(BREAKS, '');
  return pieces.some((piece) => whole.includes(piece));
}

/** The text with each such piece replaced, breaks included. */
export function replaceWrapped(text: string, pieces: readonly string[], by: string): string {
  if (!isWrapped(text, pieces)) return text;
  const { text: whole, at } = unwrapped(text);
  const spans: [start: number, end: number][] = [];
  for (const piece of pieces) {
    for (let from = whole.indexOf(piece); from !== -1; from = whole.indexOf(piece, from + 1)) {
      spans.push([at[from]!, at[from + piece.length - 1]! + 1]);
    }
  }
  spans.sort((a, b) => a[0] - b[0]);
  let result = '';
  let done = 0;
  for (const [start, end] of spans) {
    if (start >= done) result += text.slice(done, start) + by;
    done = Math.max(done, end);
  }
  return result + text.slice(done);
}

function unwrapped(text: string): Unwrapped {
  const at = new Int32Array(text.length);
  let length = 0;
  let from = 0;
  for (const { index, 0: found } of [...text.matchAll(BREAKS), { index: text.length, 0: '' }]) {
    for (let place = from; place < index; place += 1) {
      at[length] = place;
      length += 1;
    }
    from = index + found.length;
  }
  return { text: text.replace(BREAKS, ''), at };
}
