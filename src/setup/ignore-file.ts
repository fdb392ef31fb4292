// `.gitignore`: the journal stays on one machine. A comment above our line lets an uninstall recognise it.

const COMMENT = '# ben10: what an agent did here stays on this machine';
const LINE = '.ben10/';

/** Forms of that line. Wider patterns such as `.*` are not recognised, which does no harm. */
const FORMS = /^!?(\*\*\/|\/)?\.ben10(\/|\/\*{1,2})?$/;

export type IgnoreState = 'ignored' | 'missing' | 'allowed';

/** The last line that names `.ben10` counts; `!` includes it again (gitignore(5)). */
export function ignoreState(text: string): IgnoreState {
  const last = linesOf(text).findLast((line) => FORMS.test(line));
  if (last === undefined) return 'missing';
  return last.startsWith('!') ? 'allowed' : 'ignored';
}

export const NEW_IGNORE_FILE = `${COMMENT}\n${LINE}\n`;

export function addIgnoreLine(text: string): string {
  if (ignoreState(text) !== 'missing') return text;
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n';
  const ours = `${COMMENT}${eol}${LINE}`;
  // A file without a final line break stays without one.
  return text.endsWith('\n') ? `${text}${ours}${eol}` : `${text}${eol}${ours}`;
}

/** Removes what `addIgnoreLine` added. */
export function removeIgnoreLine(text: string): string {
  return ['\r\n', '\n'].reduce((left, eol) => {
    const ours = literally(`${COMMENT}${eol}${LINE}`);
    return left
      .replace(new RegExp(`(?<=^|\n)${ours}${eol}`), '')
      .replace(new RegExp(`(?:^|${eol})${ours}$`), '');
  }, text);
}

/** The same; undefined for a file that only has our line. */
export const withoutIgnoreLine = (text: string): string | undefined =>
  text === NEW_IGNORE_FILE ? undefined : removeIgnoreLine(text);

/** Git ignores trailing spaces. */
const linesOf = (text: string) =>
  text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .map((line) => line.replace(/ +$/, ''));

const literally = (literal: string) => literal.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
