/** Longer than the paths that programs print before a line. */
const PREFIX_CHARS_MAX = 1024;

/** Line breaks, raw and as escapes. */
export const LINE_BREAK = /[\r\n]|\\{1,8}[nr]/g;
const RAW_LINE_BREAK = /[\r\n]/g;

/**
 * Where the line begins that `at` is in; undefined when that is too far away.
 * @param raw only raw line breaks count: in `C:\new\key.pem` there is none
 */
export function lineStart(text: string, at: number, raw: boolean): number | undefined {
  const from = Math.max(0, at - PREFIX_CHARS_MAX);
  const before = text.slice(from, at);
  const last = [...before.matchAll(raw ? RAW_LINE_BREAK : LINE_BREAK)].at(-1);
  if (last === undefined) return from === 0 ? 0 : undefined;
  return from + last.index + last[0].length;
}

const isDigit = (char: string | undefined) => char !== undefined && char >= '0' && char <= '9';
const isSpace = (char: string | undefined) => char === ' ' || char === '\t';
const isSeparator = (char: string | undefined) => char === ':' || char === '-';

/**
 * Where a prefix ends that stands at `at` as it stood before another line: numbers may differ (a line's, a time), and grep
 * puts `-` after the name and the number of a line around a match where it puts `:` in the match. Undefined when it does not.
 */
export function prefixEnd(text: string, at: number, prefix: string): number | undefined {
  let to = at;
  for (let index = 0; index < prefix.length; ) {
    const char = prefix[index];
    const run = isDigit(char) ? isDigit : isSpace(char) ? isSpace : undefined;
    const same = run ?? (isSeparator(char) ? isSeparator : (other?: string) => other === char);
    if (!same(text[to])) return undefined;
    do index += 1;
    while (run?.(prefix[index]));
    do to += 1;
    while (run?.(text[to]));
  }
  return to;
}
