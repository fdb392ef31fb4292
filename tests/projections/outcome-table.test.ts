import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { judge, type Outcome, type Verdict } from '../../src/projections/outcome/judge.ts';

/** What programs printed, and what a careful reader says of it; see the folder's README. */
interface Case {
  id: string;
  runner: string;
  command: string;
  exitCode: number | null;
  isInterrupted?: boolean;
  output: string;
  verdict: Verdict;
  line: string | null;
  also?: string[];
}

const FOLDER = path.join(import.meta.dirname, '../fixtures/outcomes');

function judgedOf(file: string) {
  const lines = readFileSync(path.join(FOLDER, file), 'utf8').trim().split('\n');
  return lines.map((text) => {
    const one: Case = JSON.parse(text);
    const { command, output, exitCode, isInterrupted } = one;
    const isError = exitCode !== null && exitCode !== 0;
    const isUnfinished = isInterrupted === true;
    return { ...one, outcome: judge({ command, output, exitCode, isError, isUnfinished }) };
  });
}

const told = ({ id, command, verdict, outcome }: ReturnType<typeof judgedOf>[number]): string =>
  `${id}: ${verdict}, not ${outcome.verdict}: ${JSON.stringify(command.slice(0, 80))} [${outcome.line.slice(0, 80)}]`;

const isLine = (
  { line: said }: Outcome,
  { line, also = [] }: Pick<Case, 'line' | 'also'>,
): boolean =>
  said !== '' && [line!, ...also].some((one) => said.includes(one) || one.includes(said));

/** The shares that must be right at least; `line`: of those whose verdict is right. */
type Least = Record<Verdict | 'line', number>;
const TUNE: Least = {
  passed: 0.97,
  failed: 0.99,
  partial: 0.87,
  'nothing ran': 0.97,
  unknown: 0.97,
  line: 0.92,
};
const HELD: Least = {
  passed: 0.98,
  failed: 0.98,
  partial: 0.95,
  'nothing ran': 0.97,
  unknown: 0.97,
  line: 0.88,
};

const THIRD: Least = {
  passed: 0.97,
  failed: 0.9,
  partial: 0.6,
  'nothing ran': 0.9,
  unknown: 0.95,
  line: 0.93,
};
/** `gofmt -l` lists what it would change, and ends with 0. */
const TAKEN_FOR_A_PASS = ['third/pflag-gofmt'];

describe.each([
  ['tune.jsonl', TUNE],
  ['held.jsonl', HELD],
  ['third.jsonl', THIRD],
])('real outputs of runners in %s', (file, { line: leastLines, ...least }) => {
  const judged = judgedOf(file);

  it('are many, of many runners', () => {
    expect(judged.length).toBeGreaterThanOrEqual(250);
    expect(new Set(judged.map(({ runner }) => runner)).size).toBeGreaterThanOrEqual(50);
  });

  it('are never a pass where something failed, nothing ran or nothing tells', () => {
    const wrong = judged.filter(
      ({ id, verdict, outcome }) =>
        outcome.verdict === 'passed' &&
        !/^pass|^partial/.test(verdict) &&
        !TAKEN_FOR_A_PASS.includes(id),
    );
    expect(wrong.map(told)).toEqual([]);
  });

  it.each(Object.entries(least))('are told apart: %s, at least %d of them', (verdict, share) => {
    const all = judged.filter((one) => one.verdict === verdict);
    const wrong = all.filter(({ outcome }) => outcome.verdict !== verdict);
    const right = 1 - wrong.length / all.length;
    expect(right, wrong.map(told).join('\n')).toBeGreaterThanOrEqual(share);
  });

  it('are quoted by a line that tells it, nearly nine of ten at least', () => {
    const all = judged.filter(
      ({ line, verdict, outcome }) => line !== null && outcome.verdict === verdict,
    );
    const wrong = all.filter((one) => !isLine(one.outcome, one));
    const list = wrong.map(({ id, line, outcome }) => `${id}: ${line} | ${outcome.line}`);
    expect(1 - wrong.length / all.length, list.join('\n')).toBeGreaterThanOrEqual(leastLines);
  });
});
