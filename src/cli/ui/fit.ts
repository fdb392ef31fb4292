import { columnsOf } from './columns.ts';

/**
 * Breaks lines that are too long for the terminal, between words; the rest is indented to where the text of the line begins. A word
 * that is too long, such as a path, stays whole.
 */
export const fitted = (text: string, columns: number): string =>
  Number.isFinite(columns)
    ? text
        .split('\n')
        .map((line) => (columnsOf(line) <= columns ? line : broken(line, columns)))
        .join('\n')
    : text;

function broken(line: string, columns: number): string {
  const indent = columnsOf(/^\s*/.exec(line)![0]);
  // Behind a name and two spaces, as in a table.
  const text = columnsOf(/^\s*\S.*?\s{2,}(?=\S)/.exec(line)?.[0] ?? '');
  const hang = ' '.repeat(
    text > 0 && text <= columns / 2 ? text : Math.min(indent + 2, columns / 4),
  );
  let last = '';
  let done = '';
  for (const part of line.match(/\s*\S+/g) ?? []) {
    if (last.trim() === '' || columnsOf(last + part) <= columns) last += part;
    else {
      done += `${last}\n`;
      last = hang + part.trimStart();
    }
  }
  return done + last;
}
