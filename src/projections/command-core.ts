/** Commands behind a pipe that only shape or keep an output. */
const SHAPES = /\s*\|\s*(?:head|tail|grep|cat|less|tee|sed|sort|uniq|wc|cut)\b[^;&|]*/g;
const REDIRECTS = /\s*(?:\d|&)?>{1,2}\s*(?:&\d|[^\s;&|]+)/g;
const BETWEEN = /\s*(?:&&|;|\n)\s*/;
/** Parts that only set a place or print something. */
const AROUND = /^(?:cd|echo|printf|pwd|set|export|sleep|clear)\b/;

/** What a shell command really runs, however its output is cut: two commands with the same core are tries of the same thing. */
export function coreOf(command: string): string {
  const parts = command.replace(REDIRECTS, '').replace(SHAPES, '').split(BETWEEN);
  const own = parts.map((part) => part.trim()).filter((part) => part !== '' && !AROUND.test(part));
  return own.length === 0 ? command : [...new Set(own)].join(' && ');
}

/** Whether exit code 0 means that all parts passed: with pipes, `;`, `||` or `&` only the last part's code counts. */
export const showsPass = (command: string): boolean =>
  !/[|;\n]|(?<![&>])&(?![&>\d])/.test(command.replace(REDIRECTS, ''));
