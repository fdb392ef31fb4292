// `.git/info/exclude`: ignores what is on this machine only, without a change that others see.

const COMMENT = "# ben10's part of the client's settings, on this machine only";

/** Adds lines at the end, under a comment. @param files in the working tree */
export function addExcluded(text: string, files: readonly string[]): string {
  if (files.length === 0) return text;
  const gap = text === '' || text.endsWith('\n') ? '' : '\n';
  return `${text}${gap}${[COMMENT, ...files.map(lineFor)].join('\n')}\n`;
}

/** Removes what `addExcluded` added for these files. */
export function removeExcluded(text: string, files: readonly string[]): string {
  const lines = text.split('\n');
  const ours = new Set(files.map(lineFor));
  const isOurs = lines.map((line, at) => ours.has(line) && isUnderComment(lines, at));
  const left = lines.filter((_, at) => !isOurs[at]);
  // A comment with nothing of ours below it.
  return left.filter((line, at) => line !== COMMENT || left[at + 1]?.startsWith('/')).join('\n');
}

const isUnderComment = (lines: readonly string[], at: number): boolean => {
  const above = lines.slice(0, at).findLastIndex((line) => !line.startsWith('/'));
  return lines[above] === COMMENT;
};

/** From the top of the working tree; characters of patterns are literal. */
const lineFor = (file: string): string => `/${file.replace(/[\\*?[\]]/g, '\\$&')}`;
