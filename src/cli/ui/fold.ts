import { columnsOf } from './columns.ts';

/** Lines of at most `width` columns; those after the first begin with `hang`. Only a word that is wider than a line is broken. */
export function fold(text: string, width: number, hang = ''): string[] {
  const room = width - hang.length;
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((one) => pieces(one, room))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (columnsOf(longer) <= (lines.length === 0 ? width : room)) line = longer;
    else {
      lines.push(line.trimEnd());
      line = word;
    }
  }
  return [...lines, line].map((one, index) => (index === 0 ? one : hang + one));
}

function pieces(word: string, room: number): string[] {
  if (columnsOf(word) <= room) return [word];
  const broken = [''];
  for (const char of word) {
    if (columnsOf(broken.at(-1)! + char) > room) broken.push('');
    broken[broken.length - 1] += char;
  }
  return broken;
}
