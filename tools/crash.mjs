#!/usr/bin/env node
import { journalCoverage } from './harnesses/coverage.mjs';
import { optionsOf } from './harnesses/options.mjs';
// Runs everything that tries to break the journal, and prints one table with goals and budgets. Exit code 1 when a goal
// is missed, but for the time of all rows together; the output of its program, with the command that repeats what failed, is
// printed then.
//
//   npm run test:crash [-- --only NAME] [--quick] [--write]
//
// --quick is a minute of it, and says nothing about the goals' numbers. --write puts the table into
// journal-format/DURABILITY.md. What runs longer, and on and on: npm run soak.
import { aboutRun, commitOf, markdownTable, writeFigures } from './harnesses/page.mjs';
import { ROWS } from './harnesses/rows.mjs';
import { buildProgram, inTwoLanes, runProgram } from './harnesses/run.mjs';

const USAGE = `usage: npm run test:crash [-- --only NAME] [--quick] [--write]

  --only NAME  one row: ${ROWS.map(({ name }) => name).join(', ')}
  --quick      a minute of it, which says nothing about the goals' numbers
  --write      puts the table into journal-format/DURABILITY.md`;

const {
  quick: isQuick,
  only,
  write,
  help,
} = optionsOf(USAGE, {
  quick: { type: 'boolean', default: false },
  only: { type: 'string' },
  write: { type: 'boolean', default: false },
});
if (help) process.exit(0);
const wanted = ROWS.filter(({ name }) => only === undefined || name === only);
if (wanted.length === 0) {
  console.error(`no such row: ${only}\n\n${USAGE}`);
  process.exit(2);
}

/** All rows together, two at a time. */
const SECONDS_MAX = 480;
/** A row that has not ended by then goes round and round. */
const ROW_SECONDS_MAX = 1200;
/** The least of the journal's branches that tests go through, percent. */
const BRANCHES_MIN = 99;

const done = [];
const print = ({ name, goal, figure, ok, seconds, budget }) =>
  console.log(
    [
      ok ? 'ok    ' : 'FAILED',
      name.padEnd(8),
      `${String(seconds).padStart(4)} s of ${String(budget).padEnd(3)}`,
      figure + (seconds > budget ? ' (over its budget)' : ''),
      `goal: ${goal}`,
    ].join('  '),
  );

async function run(row) {
  const command = isQuick ? row.short : row.command;
  const { code, said, complained, seconds } = await runProgram(command, ROW_SECONDS_MAX * 1000);
  const counts = { bad: 0, ...row.counts(said) };
  const isMet = isQuick || row.isEnough(counts);
  const ok = code === 0 && counts.bad === 0 && isMet;
  const figure = `${row.figure(counts, said)}; ${counts.bad} wrong`;
  done.push({ ...row, figure, ok, seconds: Math.round(seconds) });
  print(done.at(-1));
  for (const line of row.lines?.(said) ?? []) console.log(`        ${line}`);
  if (ok) return;
  if (!isMet) console.log('the goal is not reached');
  console.log(`${said}\n${complained.slice(-8000)}\nrepeat: node ${command.join(' ')}`);
}

buildProgram();
const isWhole = only === undefined && !isQuick;
const coverage = isWhole ? await journalCoverage() : undefined;
const started = Date.now();
// The longest first, so that both lanes end at about the same time.
const waiting = wanted.toSorted((one, other) => other.budget - one.budget);
await inTwoLanes(() => {
  const row = waiting.shift();
  return row && (() => run(row));
});

if (isWhole) {
  const { covered, total, seconds } = coverage;
  const percent = total === 0 ? 0 : (100 * covered) / total;
  done.push({
    name: 'branches',
    what: 'branches of src/journal that the tests go through',
    goal: `≥ ${BRANCHES_MIN} %`,
    figure: `${covered} of ${total}, ${percent.toFixed(2)} %`,
    ok: percent >= BRANCHES_MIN,
    seconds,
    budget: 'none',
  });
  print(done.at(-1));
}
const took = Math.round((Date.now() - started) / 1000);
if (isWhole) {
  const late = done.filter(({ seconds, budget }) => seconds > budget).map(({ name }) => name);
  done.push({
    name: 'time',
    what: 'all of it, two rows at a time',
    goal: `≤ ${SECONDS_MAX} s`,
    figure: late.length === 0 ? 'every row within its budget' : `over budget: ${late.join(', ')}`,
    ok: took <= SECONDS_MAX,
    seconds: took,
    budget: SECONDS_MAX,
  });
  print(done.at(-1));
}
const failed = done.filter(({ ok }) => !ok);
console.log(`\n${done.length - failed.length} of ${done.length} goals met in ${took} s`);
// How long it took tells of the machine, not of the journal: it is printed as missed, and fails nothing.
if (failed.some(({ name }) => name !== 'time')) process.exitCode = 1;

if (write) {
  writeFigures('figures', [
    `${aboutRun(commitOf())}${isQuick ? ', the short run' : ''}; ${took} s in all.`,
    '',
    ...markdownTable([
      ['what', 'goal', 'found', 'seconds', 'budget'],
      ...done.map(({ what, goal, figure, ok, seconds, budget }) => [
        what,
        goal,
        `${ok ? '' : '**missed** '}${figure}`,
        seconds,
        budget,
      ]),
    ]),
  ]);
}
