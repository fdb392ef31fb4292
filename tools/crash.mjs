#!/usr/bin/env node
// Runs everything that tries to break the journal, at length, and prints one table. Two at a time: most of them use one
// core. Exit code 1 when a row fails; its output, with the command that repeats it, is printed then.
//
//   node tools/crash.mjs [--only NAME] [--quick] [--write]
//
// --write puts the table into journal-format/DURABILITY.md.
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const quick = process.argv.includes('--quick');
const only = process.argv[process.argv.indexOf('--only') + 1];
const isOnly = process.argv.includes('--only');

/** The last line of the output that begins so. */
const lastLine = (start) => (said) =>
  said
    .split('\n')
    .findLast((line) => line.startsWith(start))
    ?.slice(start.length)
    .trim() ?? '';

/** Of the simulation: what every harness recovered. */
const statesOf = (said) =>
  [...said.matchAll(/^(\w+) +\| (\d+) states recovered \| (\d+) violations/gm)]
    .map(([, name, states, violations]) => `${name} ${states}: ${violations} violations`)
    .join('; ');

const HARNESSES = [
  {
    name: 'kill',
    what: 'processes killed with -9, and everybody at once',
    command: [
      'tools/run-typescript.mjs',
      'tests/crash/driver.ts',
      ...(quick ? ['--kills', '60', '--points', '6', '--seconds', '10'] : []),
    ],
    figure: (said) =>
      said
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line))
        .map(({ name, figure }) => `${name}: ${figure}`)
        .join('; '),
  },
  {
    name: 'power',
    what: 'simulated power cuts and kills, every call, both profiles',
    command: ['tests/sim/run.mjs', `--seconds=${quick ? 10 : 75}`],
    figure: statesOf,
  },
  {
    name: 'damage',
    what: 'flipped bits, sectors, cut files, pasted frames',
    command: quick
      ? ['tests/damage/run.mjs', '--seconds', '10', '--bits', '1000', '--some']
      : ['tests/damage/run.mjs'],
    figure: lastLine('damage:'),
  },
  {
    name: 'faults',
    what: 'every call of the file system fails, 9 errors, once and from then on',
    command: ['tests/faults/run.mjs', '--step', quick ? '5' : '1'],
    figure: lastLine('faults:'),
  },
  {
    name: 'fuzz',
    what: 'inputs that are nearly right',
    command: ['tests/fuzz/run.mjs', '--inputs', quick ? '20000' : '1000000', '--seconds', '110'],
    figure: lastLine('fuzz:'),
  },
];

function run({ command }) {
  const started = Date.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, command, { cwd: root });
    let said = '';
    let complained = '';
    child.stdout.on('data', (data) => {
      said += data;
    });
    child.stderr.on('data', (data) => {
      complained += data;
    });
    child.on('close', (code) =>
      resolve({ ok: code === 0, said, complained, seconds: (Date.now() - started) / 1000 }),
    );
  });
}

const rows = [];
const waiting = HARNESSES.filter(({ name }) => !isOnly || name === only);
async function lane() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { ok, said, complained, seconds } = await run(next);
    const { name, what, figure } = next;
    rows.push({ name, what, figure: figure(said), ok, seconds: Math.round(seconds) });
    process.stdout.write(
      `${ok ? 'ok    ' : 'FAILED'}  ${name.padEnd(7)} ${String(Math.round(seconds)).padStart(4)} s  ${figure(said)}\n`,
    );
    if (!ok) {
      process.stdout.write(`${said}\n${complained.slice(-8000)}\n`);
      process.stdout.write(`repeat: node ${next.command.join(' ')}\n`);
    }
  }
}
await Promise.all([lane(), lane()]);

if (process.argv.includes('--write')) {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root }).toString();
  const file = path.join(root, 'journal-format/DURABILITY.md');
  const about = `${new Date().toISOString().slice(0, 10)}, commit ${commit.trim()}, Node ${process.versions.node}, ${cpus().length} × ${cpus()[0].model.trim()}, ${process.platform}${quick ? ', the short run' : ''}`;
  const table = [
    `${about}.`,
    '',
    '| what | found | seconds |',
    '|---|---|---|',
    ...rows.map(
      ({ what, figure, ok, seconds }) =>
        `| ${what} | ${ok ? '' : '**FAILED** '}${figure} | ${seconds} |`,
    ),
  ];
  const text = readFileSync(file, 'utf8').replace(
    /(<!-- figures -->\n)[\s\S]*(<!-- \/figures -->)/,
    (_, start, end) => `${start}\n${table.join('\n')}\n\n${end}`,
  );
  writeFileSync(file, text);
}
if (rows.some(({ ok }) => !ok)) process.exitCode = 1;
