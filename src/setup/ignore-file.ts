// `.gitignore`: earlier versions added a line, which an uninstall removes. Now `.ben10/.gitignore` does it.

const COMMENT = '# ben10: what an agent did here stays on this machine';
const LINE = '.ben10/';

/** A file's text without what earlier versions added; undefined for a file that only has that. */
export function withoutIgnoreLine(text: string): string | undefined {
  if (text === `${COMMENT}\n${LINE}\n`) return undefined;
  return ['\r\n', '\n'].reduce((left, eol) => {
    const ours = literally(`${COMMENT}${eol}${LINE}`);
    return left
      .replace(new RegExp(`(?<=^|\n)${ours}${eol}`), '')
      .replace(new RegExp(`(?:^|${eol})${ours}$`), '');
  }, text);
}

const literally = (literal: string) => literal.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
