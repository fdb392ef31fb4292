import stringWidth from 'string-width';

/** One column each; nearly every line is made of these alone, and the rest takes its tables milliseconds to load. */
const PLAIN = /^[\x20-\x7e]*$/;

/** Columns that a text takes in a terminal: wide characters take two, colours none. */
export const columnsOf = (text: string): number =>
  PLAIN.test(text) ? text.length : stringWidth(text);

let segmenter: Intl.Segmenter | undefined;

/** The text, cut with an ellipsis where it would take more than `width` columns. Text without colours only. */
export function cutTo(text: string, width: number): string {
  // No character takes more than two columns.
  if (text.length * 2 <= width || columnsOf(text) <= width) return text;
  const head = text.slice(0, width * 4);
  if (PLAIN.test(head)) return `${head.slice(0, width - 1).trimEnd()}…`;
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  let taken = 0;
  let kept = '';
  for (const { segment } of segmenter.segment(head)) {
    const columns = columnsOf(segment);
    if (taken + columns > width - 1) break;
    taken += columns;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** Filled with spaces to `width` columns. */
export const pad = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - columnsOf(text)));

/** The same, with the text at the right. */
export const padLeft = (text: string, width: number): string =>
  ' '.repeat(Math.max(0, width - columnsOf(text))) + text;
