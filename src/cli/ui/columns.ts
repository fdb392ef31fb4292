import stringWidth from 'string-width';

/** Characters of one column. The tables for others take milliseconds to load. */
const PLAIN = /^[\x20-\x7e]*$/;

/** Width in a terminal: wide characters take two columns, colours none. */
export const columnsOf = (text: string): number =>
  PLAIN.test(text) ? text.length : stringWidth(text);

let segmenter: Intl.Segmenter | undefined;

/** Cuts a text without colours to `width` columns. */
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

export const pad = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - columnsOf(text)));

export const padLeft = (text: string, width: number): string =>
  ' '.repeat(Math.max(0, width - columnsOf(text))) + text;
