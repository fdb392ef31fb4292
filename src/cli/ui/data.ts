import { cleanText, oneLine } from '../../projections/safe-text.ts';
import type { Colours } from './terminal.ts';

/** Without `--full`. */
const TEXT_LINES_MAX = 20;
/** Deeper structures are shown as JSON. */
const DEPTH_MAX = 6;

/** An event's data as indented lines. */
export function dataLines(value: unknown, colours: Colours, full: boolean): string[] {
  return linesOf(value, { colours, full }, '  ', 0);
}

interface How {
  colours: Colours;
  full: boolean;
}

function linesOf(value: unknown, how: How, indent: string, depth: number): string[] {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || depth > DEPTH_MAX)
    return textLines(plain(value), how, indent);
  const entries: [string, unknown][] = Array.isArray(value)
    ? value.map((item) => ['-', item])
    : Object.entries(value);
  if (entries.length === 0) return [`${indent}${Array.isArray(value) ? '[]' : '{}'}`];
  return entries.flatMap(([name, field]) => {
    const label = name === '-' ? '-' : how.colours.cyan(`${oneLine(name)}:`);
    const lines = linesOf(field, how, `${indent}  `, depth + 1);
    const [first = ''] = lines;
    const isShort = lines.length === 1 && !hasFields(field);
    if (isShort) return [`${indent}${label} ${first.trimStart()}`.trimEnd()];
    return [`${indent}${label}`, ...lines];
  });
}

const hasFields = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;

const plain = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');

function textLines(text: string, { colours, full }: How, indent: string): string[] {
  const lines = cleanText(text).trimEnd().split('\n');
  const shown = full ? lines : lines.slice(0, TEXT_LINES_MAX);
  const more = lines.length - shown.length;
  const rest = more === 0 ? [] : [colours.dim(`… ${more} more lines; --full shows them`)];
  return [...shown, ...rest].map((line) => `${indent}${line}`.trimEnd());
}
