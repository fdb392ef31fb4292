#!/usr/bin/env node
// The rows of npm run test:crash that chance or a long list drives, on and on with other inputs, until the time is over.
//
//   npm run soak [-- --minutes 20] [--only NAME] [--write] [--fresh]
//
// What was reached is kept in node_modules/.cache/ben10 and the next run of the same commit goes on from there; --fresh
// begins anew. --write puts the totals into journal-format/DURABILITY.md. Exit code 1 when something was wrong.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { optionsOf } from './harnesses/options.mjs';
import { aboutRun, commitOf, markdownTable, root, writeFigures } from './harnesses/page.mjs';
import { ROWS } from './harnesses/rows.mjs';
import { buildProgram, inTwoLanes, runProgram } from './harnesses/run.mjs';

const USAGE = `usage: npm run soak [-- --minutes 20] [--only NAME] [--write] [--fresh]

  --minutes N  how long
  --only NAME  one row: ${ROWS.flatMap(({ name, piece }) => (piece ? [name] : [])).join(', ')}
  --write      puts the totals into journal-format/DURABILITY.md
  --fresh      begins anew instead of going on where the last run of this commit was`;

const {
  help,
  minutes: given,
  only,
  write,
  fresh: isFresh,
} = optionsOf(USAGE, {
  minutes: { type: 'string', default: '20' },
  only: { type: 'string' },
  write: { type: 'boolean', default: false },
  fresh: { type: 'boolean', default: false },
});
if (help) process.exit(0);
const minutes = Number(given);
if (!(minutes > 0)) {
  console.error(`--minutes takes a number above 0\n\n${USAGE}`);
  process.exit(2);
}

buildProgram();
const cache = path.join(root, 'node_modules/.cache/ben10');
const file = path.join(cache, 'soak.json');
const commit = commitOf();

function begun() {
  const fresh = { commit, seconds: 0, rows: {} };
  if (isFresh) return fresh;
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8'));
    return kept.commit === commit ? kept : fresh;
  } catch {
    return fresh; // there was none
  }
}

function keep() {
  mkdirSync(cache, { recursive: true });
  writeFileSync(`${file}.tmp`, `${JSON.stringify(soak, undefined, 2)}\n`);
  renameSync(`${file}.tmp`, file);
}

const soak = begun();
const before = soak.seconds;
if (before > 0) console.log(`going on from ${Math.round(before / 60)} minutes`);
const started = Date.now();
const elapsed = () => (Date.now() - started) / 1000;
const rows = ROWS.filter(({ piece }) => piece !== undefined);
const wanted = rows.filter(({ name }) => only === undefined || name === only);
if (wanted.length === 0) {
  console.error(`no such row: ${only}\n\n${USAGE}`);
  process.exit(2);
}
let turn = 0;

async function runPiece(row) {
  soak.rows[row.name] ??= { state: { round: 0 }, seconds: 0, counts: { bad: 0 } };
  const { state, counts } = soak.rows[row.name];
  const command = row.piece(state);
  state.round += 1; // the other lane may come by the same row meanwhile
  const { code, said, complained, seconds } = await runProgram(command);
  const found = row.counts(said);
  for (const [name, count] of Object.entries(found)) counts[name] = (counts[name] ?? 0) + count;
  row.next?.(said, state);
  soak.rows[row.name].seconds += seconds;
  soak.seconds = before + elapsed();
  keep();
  const isRight = code === 0 && found.bad === 0;
  console.log(
    `${isRight ? 'ok    ' : 'FAILED'}  ${row.name.padEnd(8)}  ${row.figure(counts, undefined, state)}; ${counts.bad} wrong so far`,
  );
  if (isRight) return;
  if (found.bad === 0) counts.bad += 1; // it died
  process.exitCode = 1;
  console.log(`${said}\n${complained.slice(-8000)}\nrepeat: node ${command.join(' ')}`);
}

await inTwoLanes(() => {
  if (elapsed() >= minutes * 60) return undefined;
  const row = wanted[turn % wanted.length];
  turn += 1;
  return () => runPiece(row);
});

const total = Math.round(soak.seconds / 60);
console.log(`\n${total} minutes in all, commit ${commit}`);
if (write) {
  writeFigures('soak', [
    `${aboutRun(commit)}; ${total} minutes on two cores.`,
    '',
    ...markdownTable([
      ['what', 'tried', 'wrong', 'seconds'],
      ...rows
        .filter(({ name }) => soak.rows[name] !== undefined)
        .map(({ name, what, figure }) => {
          const { counts, seconds, state } = soak.rows[name];
          return [what, figure(counts, undefined, state), counts.bad, Math.round(seconds)];
        }),
    ]),
  ]);
}
