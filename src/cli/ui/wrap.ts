export const TEXT_WIDTH = 80;

/**
 * Wraps ASCII text at `width`. Empty lines separate paragraphs; a line that starts with `- ` is a list item. For text with wide
 * characters see `columns.ts`.
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
