import stringWidth from 'string-width';

/** Columns that a text takes in a terminal: wide characters take two, colours none. */
export const columnsOf = (text: string): number => stringWidth(text);

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The text, cut with an ellipsis where it would take more than `width` columns. Text without colours only. */
export function cutTo(text: string, width: number): string {
  // No character takes more than two columns.
  if (text.length * 2 <= width || columnsOf(text) <= width) return text;
  let taken = 0;
  let kept = '';
  for (const { segment } of graphemes.segment(text.slice(0, width * 4))) {
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
