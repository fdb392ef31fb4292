#!/usr/bin/env node
// Draws README's picture of a compaction with and without ben10, from what `ben10 demo` prints.
//
//   node tools/build.mjs --bundles-only && node tools/picture.mjs
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
export const PICTURE = path.join(root, '.github/compaction.svg');

const COLUMNS = 104;
const [TITLE, END] = ['A compaction, without ben10 and with it', 'What next'];
const WIDTH = 900;
const MARGIN = 24;
const LEFT = MARGIN;
const RIGHT = WIDTH / 2 + 16;
const LINE = 19;
const BAR = { y: 72, height: 12, width: WIDTH - 2 * MARGIN };

const STYLE = `
  text { font: 12.5px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #c9d1d9; white-space: pre; }
  .title { font-size: 16px; font-weight: 700; fill: #ffffff; }
  .head { font-weight: 700; fill: #ffffff; }
  .no { fill: #ff8f87; } .yes { fill: #6fdd8b; } .less { fill: #8b949e; }
  .full { animation: shrink 1.5s 1s backwards; }
  @keyframes shrink { from { width: ${BAR.width}px; } }
  @media (prefers-reduced-motion: reduce) { .full { animation: none; } }`;

/** The end of the demo's output. */
export function endOfDemo() {
  const home = mkdtempSync(path.join(tmpdir(), 'ben10-picture-'));
  try {
    const { PATH } = process.env;
    const env = { PATH, HOME: home, TMPDIR: home, COLUMNS: String(COLUMNS), NO_COLOR: '1' };
    const program = [path.join(root, 'dist/ben10.cjs'), 'demo'];
    const printed = execFileSync(process.execPath, program, { cwd: home, env, encoding: 'utf8' });
    return printed.slice(printed.indexOf(TITLE), printed.indexOf(END)).trimEnd();
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** @param text the end of the demo's output */
export function pictureOf(text) {
  const [title, shrinks, , ...rest] = text.split('\n');
  const blank = rest.lastIndexOf('');
  const [pairs, notes] = [rest.slice(0, blank), rest.slice(blank + 1)];
  const top = BAR.y + BAR.height + 36;
  const bottom = top + pairs.length * LINE + 14;
  const height = bottom + notes.length * LINE + 6;
  const [before, after] = [...shrinks.matchAll(/\d[\d,]*/g)].map(([n]) =>
    Number(n.replaceAll(',', '')),
  );
  let kinds = ['head', 'head'];
  const lines = pairs.flatMap((line, index) => {
    const cells = line.split('│').map((cell) => cell.trim());
    if (cells[0].startsWith('✗')) kinds = ['no', 'yes'];
    else if (index === 1) kinds = ['', ''];
    return cells.flatMap((cell, side) => {
      if (cell === '') return [];
      const hang = kinds[side] === '' || kinds[side] === 'head' || /^[✗✓]/.test(cell) ? 0 : 15;
      return textAt([LEFT, RIGHT][side] + hang, top + index * LINE, kinds[side], cell);
    });
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(title)}">
<style>${STYLE}
</style>
<rect width="${WIDTH}" height="${height}" rx="10" fill="#0d1117"/>
${textAt(LEFT, 34, 'title', title)}
${textAt(LEFT, 58, '', shrinks)}
<rect x="${LEFT}" y="${BAR.y}" width="${BAR.width}" height="${BAR.height}" rx="4" fill="#30363d"/>
<rect class="full" x="${LEFT}" y="${BAR.y}" width="${Math.round((BAR.width * after) / before)}" height="${BAR.height}" rx="4" fill="#58a6ff"/>
<rect x="${WIDTH / 2}" y="${top - 14}" width="1" height="${pairs.length * LINE}" fill="#30363d"/>
${lines.join('\n')}
${notes.map((note, index) => textAt(LEFT, bottom + index * LINE, 'less', note)).join('\n')}
</svg>
`;
}

const textAt = (x, y, kind, text) =>
  `<text x="${x}" y="${y}"${kind === '' ? '' : ` class="${kind}"`}>${escaped(text)}</text>`;

const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(PICTURE, pictureOf(endOfDemo()));
