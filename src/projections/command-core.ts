/** What only shapes or keeps an output, behind a pipe. */
const SHAPES = /\s*\|\s*(?:head|tail|grep|cat|less|tee|sed|sort|uniq|wc|cut)\b[^;&|]*/g;
const REDIRECTS = /\s*(?:\d|&)?>{1,2}\s*(?:&\d|[^\s;&|]+)/g;
const BETWEEN = /\s*(?:&&|;|\n)\s*/;
/** Where a command is run, and what it says of itself. */
const AROUND = /^(?:cd|echo|printf|pwd|set|export|sleep|clear)\b/;

/**
 * What a shell command runs, however its output is cut and wherever it starts: two of the same core are tries of the same.
 * @returns the command itself where nothing else is left of it
 */
export function coreOf(command: string): string {
  const parts = command.replace(REDIRECTS, '').replace(SHAPES, '').split(BETWEEN);
  const own = parts.map((part) => part.trim()).filter((part) => part !== '' && !AROUND.test(part));
  return own.length === 0 ? command : [...new Set(own)].join(' && ');
}

/**
 * Whether a command that ended with 0 shows that all it runs passed: the exit code of a pipe is that of its last part, and so is
 * that of commands behind each other, in the background, or of which one is enough.
 */
export const showsPass = (command: string): boolean =>
  !/[|;\n]|(?<![&>])&(?![&>\d])/.test(command.replace(REDIRECTS, ''));
