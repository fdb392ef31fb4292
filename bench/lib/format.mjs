/** Rows as a table for people. */
export function text({ rows, quick, ...about }) {
  const { date, node, cpu, system, commit: head, loadBefore } = about;
  const where = `${date} · node ${node} · ${cpu} · ${system} · ${head ?? 'no commit'}`;
  return `${where} · load ${loadBefore.join(' ')}\n\n${table(rows, quick)}\n`;
}

function table(rows, quick) {
  const head = ['figure', 'value', 'spread', 'ours', 'peer', 'goal', ''];
  const lines = rows.map((row) => {
    const spread = row.p25 === null ? '' : `${number(row.p25)}–${number(row.p75)}`;
    const ours = row.theirs === null ? '' : `${number(row.ours.median)} ms`;
    const peer = row.theirs === null ? row.peer : `${row.peer} ${number(row.theirs.median)} ms`;
    return [
      row.figure,
      figureOf(row),
      spread,
      ours,
      peer ?? '',
      goalOf(row),
      verdictOf(row, quick),
    ];
  });
  const widths = head.map((title, i) => Math.max(title.length, ...lines.map((l) => l[i].length)));
  const row = (cells) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i]))
      .join('  ')
      .trimEnd();
  return [row(head), ...lines.map(row)].join('\n');
}

/** A row's goal, and the one before it where that was met easily. */
export function goalOf({ goal, was, least }) {
  if (goal === null) return '';
  return `${least ? '≥' : '≤'} ${goal}${was === undefined ? '' : ` (was ${was})`}`;
}

/** A row's figure with its unit. */
export function figureOf({ unit, value }) {
  if (value === null) return '–';
  return unit === 'ratio' ? `${number(value)} ×` : `${number(value)} ${unit}`;
}

export function verdictOf({ value, pass, recorded }, quick) {
  if (value === null) return 'NO PEER';
  if (pass === null) return '';
  if (quick && recorded) return 'as recorded';
  if (quick) return pass ? 'near' : 'OFF';
  return pass ? 'pass' : 'MISSED';
}

export function number(value) {
  if (value === 0) return '0';
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 0.1 ? 2 : 4;
  return value.toFixed(digits);
}
