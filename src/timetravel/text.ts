import { headOf } from '../projections/bounds.ts';
import { oneLine } from '../projections/safe-text.ts';

/** What of a journal is shown goes through here: cleaned, on one line, cut. */
export const shown = (text: string, chars: number): string => headOf(oneLine(text), chars);

/** `1 file`, `2 files`. */
export const count = (n: number, one: string, many = `${one}s`): string =>
  `${n} ${n === 1 ? one : many}`;

const two = (n: number): string => String(n).padStart(2, '0');

/** A time as points take it: local, to the second. */
export function timeText(at: number | null): string {
  if (at === null || !Number.isFinite(at)) return 'no time';
  const d = new Date(at);
  const day = `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())}`;
  return `${day}T${two(d.getHours())}:${two(d.getMinutes())}:${two(d.getSeconds())}`;
}

/** Rows as lines with aligned columns, two spaces between them. The last column is left as long as it is. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) {
      widths[index] = Math.max(widths[index] ?? 0, cell.length);
    }
  }
  return rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index]!))
      .join('  ')
      .trimEnd(),
  );
}

export const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);
