/*
 * `.gitignore`: the journal is private to one machine. Our line stands under a comment of ours, so that an uninstall
 * can tell it from a line that somebody else wrote.
 */

const COMMENT = '# ben10: what an agent did here stays on this machine';
const LINE = '.ben10/';

/** The ways to write that line by hand. A wider pattern (`.*`) is not seen, and ours beside it does no harm. */
const FORMS = /^!?(\*\*\/|\/)?\.ben10(\/|\/\*{1,2})?$/;

export type IgnoreState = 'ignored' | 'missing' | 'allowed';

/** What the file says of `.ben10`: the last line that names it counts; `!` takes it back in (gitignore(5)). */
export function ignoreState(text: string): IgnoreState {
  const last = linesOf(text).findLast((line) => FORMS.test(line));
  if (last === undefined) return 'missing';
  return last.startsWith('!') ? 'allowed' : 'ignored';
}

/** The file that is made where there is none. */
export const NEW_IGNORE_FILE = `${COMMENT}\n${LINE}\n`;

/** The file with our line at its end, unless it names `.ben10` already. */
export function addIgnoreLine(text: string): string {
  if (ignoreState(text) !== 'missing') return text;
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n';
  const ours = `${COMMENT}${eol}${LINE}`;
  // A file without a last line break goes on without one.
  return text.endsWith('\n') ? `${text}${ours}${eol}` : `${text}${eol}${ours}`;
}

/** The file without what `addIgnoreLine` added: its lines end as the break before them does. */
export function removeIgnoreLine(text: string): string {
  return ['\r\n', '\n'].reduce((left, eol) => {
    const ours = literally(`${COMMENT}${eol}${LINE}`);
    return left
      .replace(new RegExp(`(?<=^|\n)${ours}${eol}`), '')
      .replace(new RegExp(`(?:^|${eol})${ours}$`), '');
  }, text);
}

/** The same, of the whole file: undefined for one that was made for our line. */
export const withoutIgnoreLine = (text: string): string | undefined =>
  text === NEW_IGNORE_FILE ? undefined : removeIgnoreLine(text);

/** Git drops trailing spaces of a pattern. */
const linesOf = (text: string) =>
  text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .map((line) => line.replace(/ +$/, ''));

const literally = (literal: string) => literal.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
