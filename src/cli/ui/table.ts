import Table from 'cli-table3';

const NO_BORDERS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: ' ',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

/** A table without borders; its cells must be safe already. @param heads with a leading `>` for right-aligned columns */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const grid = new Table({
    head: heads.map((head) => head.replace(/^>/, '')),
    colAligns: heads.map((head) => (head.startsWith('>') ? 'right' : 'left')),
    chars: NO_BORDERS,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
  });
  for (const row of rows) grid.push([...row]);
  return grid
    .toString()
    .split('\n')
    .map((line) => ` ${line}`.trimEnd());
}
