import { figureOf, number, verdictOf } from './format.mjs';
import { aboutOf, escaped, STYLE } from './svg.mjs';

const WIDTH = 960;
const LABELS = 470;
const VALUES = 140;
const ROW = 30;
const TOP = 64;
const PLOT = { from: LABELS + 10, to: WIDTH - VALUES };
/** Characters of a label that fit beside the bars. */
const LABEL_CHARS = 74;

/**
 * A script's rows as a drawing. Ratios are bars from the peer's line, on a scale where twice as much and half as much
 * are equally far; their goals are dashed, their quartiles a whisker. Figures without a peer are words only.
 * @param result what `--json` prints
 */
export function chart({ name, quick, rows, ...measured }) {
  const place = scale(
    rows.filter(isDrawn).flatMap((row) => [row.value, row.p25, row.p75, row.goal]),
  );
  const height = TOP + rows.length * ROW + 30;
  const about = aboutOf(measured);
  const parts = rows.map((row, index) => drawn(row, TOP + index * ROW, place, quick));
  const peer = place(1);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(name)}">
<style>${STYLE}</style>
<text class="title" x="10" y="22">${escaped(name)}</text>
<text class="less" x="10" y="42">${escaped(about)}${quick ? ' · a first look' : ''}</text>
<text class="less" x="${peer}" y="${TOP - 6}" text-anchor="middle">the peer</text>
<line class="line" x1="${peer}" x2="${peer}" y1="${TOP}" y2="${height - 26}"/>
${parts.join('\n')}
<text class="less" x="10" y="${height - 8}">bar: ratio to the peer · dashed: goal · whisker: quartiles of the rounds, of three the least and the most · to the left is less</text>
</svg>
`;
}

const isDrawn = ({ unit, value }) => unit === 'ratio' && value !== null;

/** Ratios to pixels, with the peer's 1 always in sight. */
function scale(values) {
  const logs = [0.5, 1, 2, ...values].filter((value) => value > 0).map(Math.log2);
  const [least, most] = [Math.min(...logs), Math.max(...logs)];
  const perLog = (PLOT.to - PLOT.from - 20) / (most - least);
  return (ratio) => Math.round(PLOT.from + 10 + (Math.log2(ratio) - least) * perLog);
}

function drawn(row, y, place, quick) {
  const { figure, peer, p25, p75, goal, least } = row;
  const label = `${figure}${peer === null ? '' : ` / ${peer}`}`;
  const sign = least ? '≥' : '≤';
  const aim = goal === null ? '' : ` (${sign} ${number(goal)}) ${verdictOf(row, quick)}`;
  const middle = y + ROW / 2;
  const words = `<text x="${LABELS}" y="${middle + 4}" text-anchor="end"><title>${escaped(label)}</title>${escaped(short(label))}</text>
<text x="${WIDTH - VALUES + 6}" y="${middle + 4}">${escaped(figureOf(row) + aim)}</text>`;
  if (!isDrawn(row)) return words;
  const [from, to] = [place(1), place(row.value)].sort((a, b) => a - b);
  const kind = row.pass === null ? 'free' : row.pass ? 'pass' : 'missed';
  const bar = `<rect class="${kind}" x="${from}" y="${y + 7}" width="${Math.max(1, to - from)}" height="${ROW - 14}"/>`;
  const spread =
    p25 === null
      ? ''
      : `<line class="spread" x1="${place(p25)}" x2="${place(p75)}" y1="${middle}" y2="${middle}"/>`;
  const at = goal === null ? 0 : place(goal);
  const mark =
    goal === null
      ? ''
      : `<line class="goal" x1="${at}" x2="${at}" y1="${y + 2}" y2="${y + ROW - 2}"/>`;
  return [words, bar, spread, mark].join('\n');
}

/** The end tells rows apart: which peer it is. */
function short(label) {
  if (label.length <= LABEL_CHARS) return label;
  const half = Math.floor(LABEL_CHARS / 2);
  return `${label.slice(0, half)}…${label.slice(-half)}`;
}
