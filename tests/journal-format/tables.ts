/** A row of a Markdown table by its column names, without the code marks around values. */
export type Row = Record<string, string>;

/** The first table below a heading of the given text. */
export function tableUnder(markdown: string, heading: string): Row[] {
  const lines = markdown.split('\n');
  const start = lines.findIndex(
    (line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading,
  );
  if (start < 0) throw new Error(`no heading "${heading}"`);
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => /^#+ /.test(line));
  const section = end < 0 ? rest : rest.slice(0, end);
  const first = section.findIndex((line) => line.startsWith('|'));
  if (first < 0) throw new Error(`no table under "${heading}"`);
  const after = section.slice(first).findIndex((line) => !line.startsWith('|'));
  const rows = after < 0 ? section.slice(first) : section.slice(first, first + after);
  const names = cells(rows[0]!);
  return rows
    .slice(2)
    .map((line) => Object.fromEntries(cells(line).map((cell, index) => [names[index], cell])));
}

const cells = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('`', ''));
