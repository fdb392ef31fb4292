/** Where Claude Code has a hunk of a diff line by line, each with its sign. */
const LINES = 'lines';
const SIGNED = /^[-+ \\]/;

/**
 * The text of an array that holds one line by line: a key, or a name and its value, goes over several of them. Without the
 * signs of a diff, so that it reads as in its file. Undefined of any other array.
 */
export function linesIn(value: readonly unknown[], key: string | undefined): string | undefined {
  if (key !== LINES || value.length === 0 || !isTexts(value)) return undefined;
  return (isSigned(value) ? value.map((line) => line.slice(1)) : value).join('\n');
}

/** The lines of such a text when it was changed. What stands for several lines has the sign of the first. */
export function withSigns(text: string, before: readonly unknown[]): string[] {
  const lines = text.split('\n');
  if (!isTexts(before) || !isSigned(before)) return lines;
  const bodies = before.map((line) => line.slice(1));
  let next = 0;
  return lines.map((line) => {
    const same = bodies.indexOf(line, next);
    const at = same === -1 ? Math.min(next, before.length - 1) : same;
    next = at + 1;
    return before[at]!.slice(0, 1) + line;
  });
}

const isTexts = (value: readonly unknown[]): value is readonly string[] =>
  value.every((line) => typeof line === 'string');

const isSigned = (lines: readonly string[]): boolean => lines.every((line) => SIGNED.test(line));
