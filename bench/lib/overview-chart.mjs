import { figureOf, number, verdictOf } from './format.mjs';
import { escaped, STYLE } from './svg.mjs';

const [WIDTH, LABELS, COUNTS] = [960, 250, 110];
const PLOT = { from: LABELS + 20, to: WIDTH - COUNTS };
const [ROW, TOP] = [24, 84];
/** A figure that is further from its goal stands at the edge, as an arrow. */
const FURTHEST = 8;

/**
 * Every figure that has a goal, on one scale: how far it is from that goal, one line for each script. To the left is
 * better; twice as good and half as good are equally far from the goal's line.
 * @param results what the scripts saved: `{ title, rows, … }`
 */
export function overviewChart(results) {
  const shown = results.filter(({ rows }) => rows.some(hasGoal));
  const height = TOP + shown.length * ROW + 34;
  const all = shown.flatMap(({ rows }) => rows.filter(hasGoal));
  const met = all.filter(({ pass }) => pass).length;
  const ticks = [1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8].map((factor) => {
    const x = place(factor);
    const name =
      factor === 1 ? 'goal' : factor < 1 ? `${1 / factor} × better` : `${factor} × worse`;
    const kind = factor === 1 ? 'goal' : 'line';
    return `<line class="${kind}" x1="${x}" x2="${x}" y1="${TOP - 8}" y2="${height - 30}"/>
<text class="less" x="${x}" y="${TOP - 14}" text-anchor="middle">${name}</text>`;
  });
  const dates = results.map(({ date }) => date.slice(0, 10)).sort();
  const [{ cpu, node, versions }] = results;
  const commits = [...new Set(results.map(({ commit }) => commit))].join(', ');
  const lines = shown.map(({ title, rows }, index) =>
    line(title, rows.filter(hasGoal), TOP + index * ROW),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${met} of ${all.length} goals met">
<style>${STYLE}</style>
<text class="title" x="10" y="22">ben10's figures and their goals: ${met} of ${all.length} met</text>
<text class="less" x="10" y="42">each dot is one figure of a script; point at it for its name · ${dates[0]} to ${dates.at(-1)} · ${escaped(cpu)} · node ${node} · ben10 ${versions.ben10} at ${escaped(commits)}</text>
${[...ticks, ...lines].join('\n')}
<text class="less" x="10" y="${height - 8}">green: met · red: missed · an arrow: further off than ${FURTHEST} × · every row, with machine and date: bench/results/README.md</text>
</svg>
`;
}

const hasGoal = ({ goal, value }) => goal !== null && value !== null;

function place(factor) {
  const half = (PLOT.to - PLOT.from) / 2;
  return Math.round(PLOT.from + half + (Math.log2(factor) / Math.log2(FURTHEST)) * (half - 14));
}

function line(title, rows, y) {
  const middle = y + ROW / 2;
  const dots = rows.map((row) => dot(row, middle));
  const met = rows.filter(({ pass }) => pass).length;
  return `<line class="line" x1="${PLOT.from}" x2="${PLOT.to}" y1="${middle}" y2="${middle}" opacity="0.25"/>
<text x="${LABELS}" y="${middle + 4}" text-anchor="end">${escaped(title)}</text>
${dots.join('\n')}
<text class="less" x="${WIDTH - 10}" y="${middle + 4}" text-anchor="end">${met} of ${rows.length} met</text>`;
}

function dot(row, y) {
  const factor = factorOf(row);
  const kind = row.pass ? 'pass' : 'missed';
  const words = `${row.figure}${row.peer === null ? '' : ` / ${row.peer}`}: ${figureOf(row)} (${row.least ? '≥' : '≤'} ${number(row.goal)}) ${verdictOf(row, false)}`;
  const name = `<title>${escaped(words)}</title>`;
  const x = place(Math.min(FURTHEST, Math.max(1 / FURTHEST, factor)));
  if (factor <= FURTHEST && factor >= 1 / FURTHEST)
    return `<circle class="${kind}" cx="${x}" cy="${y}" r="5" fill-opacity="0.8">${name}</circle>`;
  const way = factor > 1 ? 7 : -7;
  return `<path class="${kind}" d="M${x - way} ${y - 6} L${x + way} ${y} L${x - way} ${y + 6} Z">${name}</path>`;
}

/** Above 1 is worse than the goal, whichever way round it counts. */
function factorOf({ value, goal, least }) {
  if (least) return value === 0 ? Number.POSITIVE_INFINITY : goal / value;
  return value / goal;
}
