import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './program.mjs';
import { aboutOf, escaped } from './svg.mjs';

const [WIDTH, HEIGHT] = [640, 300];
const [LEFT, RIGHT, TOP, BOTTOM] = [70, 130, 40, 56];
const COLOURS = ['#2f7ed8', '#d8702f', '#3a9a5b', '#9b59b6', '#b8860b', '#c0392b'];

/**
 * A line chart against the journal's length, both scales logarithmic, into `bench/results/`: one that grows as the
 * journal does is a slope, one that does not is flat. Its words are grey, to be read on light and on dark.
 * @param lines name → [events, value] points
 * @param about what it was measured on: `machine()`
 */
export function growthChart(name, title, unit, lines, about) {
  const points = Object.values(lines).flat();
  const xs = scale(points.map(([x]) => x));
  const ys = scale(points.map(([, y]) => y));
  const at = ([x, y]) => [
    LEFT + xs.at(x) * (WIDTH - LEFT - RIGHT),
    HEIGHT - BOTTOM - ys.at(y) * (HEIGHT - TOP - BOTTOM),
  ];
  const grid = [
    ...xs.ticks.map((x) => tick(at([x, ys.ticks[0]]), at([x, ys.ticks.at(-1)]), x, 'x')),
    ...ys.ticks.map((y) => tick(at([xs.ticks[0], y]), at([xs.ticks.at(-1), y]), y, 'y')),
  ];
  const drawn = Object.entries(lines).map(([label, list], index) => {
    const colour = COLOURS[index % COLOURS.length];
    const places = list.map(at);
    const path = places.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
    const dots = places.map(
      ([x, y]) => `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="3" fill="${colour}"/>`,
    );
    const [x, y] = [WIDTH - RIGHT + 10, TOP + 10 + index * 18];
    return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>${dots.join('')}
<text x="${x}" y="${y}" fill="${colour}">${label}</text>`;
  });
  const { date, node, cpu, commit, versions } = about;
  const { ben10 } = versions;
  const measured = aboutOf({ date, node, cpu, commit, versions: { ben10 } });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">
<title>${title}, ${unit}, by events in the journal</title>
<text x="${LEFT}" y="20" fill="#808080" font-size="14">${title}, ${unit}, by events in the journal</text>
${[...grid, ...drawn].join('\n')}
<text x="${LEFT}" y="${HEIGHT - 8}" fill="#808080" font-size="10">${escaped(measured)}</text>
</svg>
`;
  const dir = path.join(root, 'bench', 'results');
  mkdirSync(dir, { recursive: true });
  writeFileSync(path.join(dir, `${name}.svg`), svg);
}

/** From the power of ten below the least to the one above the largest. */
function scale(values) {
  const low = Math.floor(Math.log10(Math.min(...values)) + 1e-9);
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values)) - 1e-9));
  const ticks = Array.from({ length: high - low + 1 }, (_, n) => 10 ** (low + n));
  return { ticks, at: (value) => (Math.log10(value) - low) / (high - low) };
}

function tick([x1, y1], [x2, y2], value, axis) {
  const place =
    axis === 'x'
      ? `x="${x1}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle"`
      : `x="${LEFT - 8}" y="${y1 + 4}" text-anchor="end"`;
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="#808080" stroke-opacity="0.25"/>
<text ${place} fill="#808080">${short(value)}</text>`;
}

function short(value) {
  if (value >= 1e6) return `${value / 1e6} M`;
  return value >= 1e3 ? `${value / 1e3} k` : String(Number(value.toPrecision(2)));
}
