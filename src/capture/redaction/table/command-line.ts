import type { Span } from '../rule.ts';
import { isPlaceholder } from '../values.ts';
import { behindLead } from './signed-rule.ts';

/** What stands on a command line before a secret, and where that ends. */

/** How far before an option its command may stand, characters. */
export const COMMAND_CHARS_MAX = 400;
/** A value on a command line, in quotation marks or not: `ownValue` says where it ends. */
export const VALUE = '[^\\s`\\\\]{1,256}';
/** The next option is no value. */
export const NO_OPTION = '(?:(?<=["\'])|(?![\\s-]))';
/** The shortest secret. */
const VALUE_CHARS_MIN = 3;
/** What ends a value that is in no marks. */
const OPERATOR = /[;|&<>()"']/;
/** The longest value in marks. */
const QUOTED_CHARS_MAX = 256;
export const QUOTE = '\\\\{0,3}["\']?';

/** What stands between the command and its option: no other command. */
const commandBefore = (text: string, at: number): string => {
  const before = text.slice(Math.max(0, at - COMMAND_CHARS_MAX), at);
  return before.slice(
    Math.max(
      before.lastIndexOf('\n'),
      before.lastIndexOf('&&'),
      before.lastIndexOf('| '),
      before.lastIndexOf('; '),
    ) + 1,
  );
};

/** The value behind the lead: up to the mark that closes the one in the lead, or as far as a bare word goes. */
export function ownValue(text: string, match: RegExpExecArray): Span | undefined {
  const { start, end } = behindLead(text, match);
  const open = /(\\{0,3})(["'])[^"']*$/.exec(match[1] ?? '');
  const line = text.slice(start, start + QUOTED_CHARS_MAX).split(/[\r\n]/, 1)[0] ?? '';
  const close = open === null ? -1 : line.indexOf(`${open[1]}${open[2]}`);
  const operator = text.slice(start, end).search(OPERATOR);
  const chars = close >= 0 ? close : operator;
  const until = chars < 0 ? end : start + chars;
  const isLong = until - start >= VALUE_CHARS_MIN;
  return isLong && !isPlaceholder(text.slice(start, until)) ? { start, end: until } : undefined;
}

/** The value behind an option, when the command before it is one of these. */
export const of =
  (commands: Pick<RegExp, 'test'>) =>
  (text: string, match: RegExpExecArray): Span | undefined => {
    const line = continued(text, match.index);
    const isOne = commands.test(line) || (line.includes('\\') && commands.test(unescaped(line)));
    return isOne ? ownValue(text, match) : undefined;
  };

/** What stands on a line before the last `login`. */
const BEFORE_LOGIN = /^.*(?=\slogin\b)/gm;

/** One of the commands, and `login` behind it on its line: as one expression each of them would look for that anew. */
export const loggingIn = (commands: RegExp): Pick<RegExp, 'test'> => ({
  test: (line) => (line.match(BEFORE_LOGIN) ?? []).some((before) => commands.test(before)),
});

/** Inside JSON a command at the beginning of a line has the letter of an escape before it. */
const unescaped = (line: string): string => line.replace(/\\{1,7}[nrt]/g, '\n');

/** A command may go on over lines that end in a backslash. */
function continued(text: string, at: number): string {
  const own = commandBefore(text, at);
  const start = at - own.length;
  const isContinued = start > 1 && /\\\s{0,2}$/.test(text.slice(Math.max(0, start - 3), start));
  return isContinued ? commandBefore(text, start - 1).concat(own) : own;
}
