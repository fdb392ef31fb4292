/** Where Claude Code has a hunk of a diff line by line, each with its sign. */
const LINES = 'lines';

/**
 * The text of an array that holds one line by line: a key, or a name and its value, goes over several of them. Undefined of
 * any other array.
 */
export const linesIn = (value: readonly unknown[], key: string | undefined): string | undefined =>
  key === LINES && value.length > 0 && value.every(isLine) ? value.join('\n') : undefined;

/** Without a line's end in it: else nobody could take the lines apart again. */
const isLine = (line: unknown): boolean => typeof line === 'string' && !line.includes('\n');
