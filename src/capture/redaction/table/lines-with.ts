/*
 * A table as one text of lines: each begins with its signs, a space before every one, and then has, behind tabs, an id and more.
 */

/** The lines, without what ends them, of which a sign begins so; in their order. */
export function linesWith(table: string, start: string): string[] {
  const lines: string[] = [];
  const sign = ` ${start}`;
  for (let at = table.indexOf(sign); at >= 0; at = table.indexOf(sign, at)) {
    const from = table.lastIndexOf('\n', at) + 1;
    const end = table.indexOf('\n', at);
    const line = table.slice(from, end < 0 ? table.length : end);
    if (at - from < line.indexOf('\t')) lines.push(line);
    at = from + line.length;
  }
  return lines;
}

/** Each id once. */
export const idsOf = (table: string): string[] => [
  ...new Set(
    table
      .slice(1)
      .split('\n')
      .map((line) => line.split('\t', 2)[1] ?? ''),
  ),
];
