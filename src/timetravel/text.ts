import { headOf } from '../projections/bounds.ts';
import { oneLine, withVisible } from '../projections/safe-text.ts';

/** Recorded text for display: cleaned, on one line, cut. */
export const shown = (text: string, chars: number): string => headOf(oneLine(text), chars);

export const count = (n: number, one: string, many = `${one}s`): string =>
  `${n} ${n === 1 ? one : many}`;

const two = (n: number): string => String(n).padStart(2, '0');

/** Local time to the second, as points accept it. */
export function timeText(at: number | null): string {
  if (at === null || !Number.isFinite(at)) return 'no time';
  const d = new Date(at);
  const day = `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())}`;
  return `${day}T${two(d.getHours())}:${two(d.getMinutes())}:${two(d.getSeconds())}`;
}

/** Rows as lines with aligned columns, except the last. */
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

const PATH_CHARS = 400;

/** Relative to the folder if inside. */
export function pathWithin(path: string, directory: string | null): string {
  const prefix = directory === null || directory.length < 2 ? undefined : `${directory}/`;
  return prefix !== undefined && path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

/** A path for people; different paths look different, whatever characters they contain. */
export const pathFrom = (path: string, directory: string | null): string =>
  headOf(withVisible(pathWithin(path, directory)), PATH_CHARS);
