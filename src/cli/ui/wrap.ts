const TEXT_WIDTH_MAX = 80;
let width = TEXT_WIDTH_MAX;

/** Of texts for people: the terminal's, but no more than is good to read. */
export const textWidth = (): number => width;
export function setTextWidth(columns: number): void {
  width = Math.min(columns, TEXT_WIDTH_MAX);
}

/**
 * Wraps ASCII text, at the width of texts by default. Empty lines separate paragraphs; a line that starts with `- ` is a list item. For text with wide
 * characters see `columns.ts`.
 */
export function wrap(text: string, columns: number = textWidth(), indent = ''): string {
  const paragraphs = text.trim().split(/\n\s*\n/);
  const room = columns - indent.length;
  return paragraphs
    .flatMap((paragraph, index) => [...(index === 0 ? [] : ['']), ...linesOf(paragraph, room)])
    .map((line) => (line === '' ? line : indent + line))
    .join('\n');
}

function linesOf(paragraph: string, room: number): string[] {
  const items = paragraph.trim().split(/\n\s*(?=- )/);
  return items.flatMap((item) => {
    const hang = item.startsWith('- ') ? '  ' : '';
    return fill(item.replace(/\s+/g, ' '), room, hang);
  });
}

function fill(text: string, room: number, hang: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length <= room || line === '') line = longer;
    else {
      lines.push(line);
      line = hang + word;
    }
  }
  return [...lines, line];
}
