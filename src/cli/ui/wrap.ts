/** Of what we say in sentences: fits every terminal, and is easy to read in wide ones. */
export const TEXT_WIDTH = 80;

/**
 * Breaks text into lines of at most `width` characters, indentation included. Paragraphs are parted by empty lines;
 * a line that starts with `- ` is an item of its own, and its further lines are indented to its text.
 * Meant for our own words; text of others goes through `columns.ts`, which knows wide characters.
 */
export function wrap(text: string, width: number, indent = ''): string {
  const paragraphs = text.trim().split(/\n\s*\n/);
  const room = width - indent.length;
  return paragraphs
    .flatMap((paragraph, index) => [...(index === 0 ? [] : ['']), ...linesOf(paragraph, room)])
    .map((line) => (line === '' ? line : indent + line))
    .join('\n');
}

function linesOf(paragraph: string, width: number): string[] {
  // A line break in the source that does not begin an item is only a space.
  const items = paragraph.trim().split(/\n\s*(?=- )/);
  return items.flatMap((item) => {
    const hang = item.startsWith('- ') ? '  ' : '';
    return fill(item.replace(/\s+/g, ' '), width, hang);
  });
}

function fill(text: string, width: number, hang: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length <= width || line === '') line = longer;
    else {
      lines.push(line);
      line = hang + word;
    }
  }
  return [...lines, line];
}
