// What is in bench/results/, as one picture (overview.svg) and one page (README.md): measures nothing. `all.mjs --save` runs it at its end;
// alone it is for figures that were saved one script at a time.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { figureOf, goalOf, number, verdictOf } from './lib/format.mjs';
import { overviewChart } from './lib/overview-chart.mjs';
import { SCRIPTS, savedName } from './lib/scripts.mjs';
import { aboutOf } from './lib/svg.mjs';

const at = (name) => fileURLToPath(new URL(`results/${name}`, import.meta.url));

const results = Object.entries(SCRIPTS).flatMap(([script, title]) => {
  const name = savedName(script);
  if (!existsSync(at(`${name}.json`))) return [];
  const result = JSON.parse(readFileSync(at(`${name}.json`), 'utf8'));
  return result.quick ? [] : [{ ...result, script, name, title }];
});

writeFileSync(at('overview.svg'), overviewChart(results));
writeFileSync(at('README.md'), page());

function page() {
  const lacking = Object.keys(SCRIPTS).filter((one) =>
    results.every(({ script }) => script !== one),
  );
  const growth = existsSync(at('growth-time.svg'))
    ? [
        '![time by the length of the journal](growth-time.svg)',
        '![disk by the length of the journal](growth-disk.svg)',
        '![memory by the length of the journal](growth-memory.svg)',
        '',
      ]
    : [];
  return `${[
    '# Results',
    '',
    'Written by `node bench/all.mjs --save`, or by `node bench/NAME.mjs --save` and `node bench/overview.mjs`; why a goal is missed stands in',
    '[bench/README.md](../README.md#missed-and-why). Each script says on what it was measured. A spread is the quartiles of the rounds, of three rounds the least and the',
    'most; a figure without one was measured once.',
    '',
    ...(lacking.length === 0 ? [] : [`Not measured: ${lacking.join(', ')}.`, '']),
    '![every figure and its goal](overview.svg)',
    '',
    ...growth,
    ...results.flatMap(section),
  ].join('\n')}`;
}

function section({ script, name, title, rows, ...measured }) {
  const { system, loadBefore } = measured;
  const lines = rows.map((row) => {
    const spread = row.p25 === null ? '' : `${number(row.p25)}–${number(row.p75)}`;
    const verdict = row.pass === false ? `**${verdictOf(row, false)}**` : verdictOf(row, false);
    const cells = [row.figure, row.peer ?? '', figureOf(row), spread, goalOf(row), verdict];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  return [
    `## ${title[0].toUpperCase()}${title.slice(1)}`,
    '',
    `\`node bench/${script}.mjs\` · ${aboutOf(measured)} · ${system} · load ${loadBefore[0]} · [chart](${name}.svg)`,
    '',
    '| figure | beside | value | spread | goal | |',
    '|---|---|---|---|---|---|',
    ...lines,
    '',
  ];
}
