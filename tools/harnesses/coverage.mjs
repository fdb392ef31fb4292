// Which branches of the journal its tests go through.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { root } from './page.mjs';
import { runProgram } from './run.mjs';

/** What covers `src/journal`; the rest of the tests adds nothing to it. */
const TESTS = [
  'tests/journal',
  'tests/journal-format',
  'tests/safety',
  'tests/damage',
  'tests/erasure',
  'tests/project',
  'tests/faults/faults.test.ts',
  'tests/capture/import.test.ts',
];
const DIR = 'coverage';
const SUMMARY = path.join(root, DIR, 'coverage-summary.json');

/**
 * From the summary that `npm test -- --coverage` left; where there is none, or `src/journal` was changed since, the tests that
 * cover it are run now, which takes minutes.
 * @returns {Promise<{ covered: number, total: number, seconds: number }>} 0 of 0 when they left no summary; `seconds` they took
 */
export async function journalCoverage() {
  const known = summed();
  if (known !== undefined) return { ...known, seconds: 0 };
  console.log('no coverage of these sources: running the tests of src/journal first');
  const { code, said, complained, seconds } = await runProgram([
    'node_modules/vitest/vitest.mjs',
    'run',
    ...TESTS,
    '--coverage',
    '--coverage.include=src/journal/**',
    '--coverage.reporter=json-summary',
    `--coverage.reportsDirectory=${DIR}`,
  ]);
  if (code !== 0) console.log(`${said.slice(-8000)}\n${complained.slice(-2000)}`);
  return { covered: 0, total: 0, ...summed(), seconds: Math.round(seconds) };
}

/** Undefined where it is of another journal than this one. */
function summed() {
  if (!existsSync(SUMMARY)) return undefined;
  const dir = path.join(root, 'src/journal');
  const changed = readdirSync(dir, { recursive: true }).map(
    (name) => statSync(path.join(dir, name)).mtimeMs,
  );
  if (Math.max(...changed) > statSync(SUMMARY).mtimeMs) return undefined;
  const files = Object.entries(JSON.parse(readFileSync(SUMMARY, 'utf8')));
  const own = files.filter(([name]) => name.includes('/src/journal/'));
  const sum = (key) => own.reduce((total, [, { branches }]) => total + branches[key], 0);
  return { covered: sum('covered'), total: sum('total') };
}
