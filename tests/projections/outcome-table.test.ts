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

const FILE = path.join(import.meta.dirname, '../fixtures/outcomes/tune.jsonl');
const CASES = readFileSync(FILE, 'utf8')
  .trim()
  .split('\n')
  .map((line): Case => JSON.parse(line));

const judged = CASES.map(({ command, exitCode, isInterrupted, output, ...said }) => {
  const isError = exitCode !== null && exitCode !== 0;
  const outcome = judge({
    command,
    output,
    exitCode,
    isError,
    isUnfinished: isInterrupted === true,
  });
  return { ...said, command, exitCode, outcome };
});

const told = ({ id, command, verdict, outcome }: (typeof judged)[number]): string =>
  `${id}: ${verdict}, not ${outcome.verdict}: ${JSON.stringify(command.slice(0, 80))} [${outcome.line.slice(0, 80)}]`;

const isLine = (
  { line: said }: Outcome,
  { line, also = [] }: Pick<Case, 'line' | 'also'>,
): boolean =>
  said !== '' && [line!, ...also].some((one) => said.includes(one) || one.includes(said));

/** The share that must be right at least. */
const LEAST: Record<Verdict, number> = {
  passed: 0.97,
  failed: 0.98,
  partial: 0.8,
  'nothing ran': 0.97,
  unknown: 0.95,
};

describe('real outputs of runners', () => {
  it('are many, of many runners', () => {
    expect(CASES.length).toBeGreaterThanOrEqual(120);
    expect(new Set(CASES.map(({ runner }) => runner)).size).toBeGreaterThanOrEqual(25);
  });

  it('are never a pass where something failed, nothing ran or nothing tells', () => {
    const wrong = judged.filter(
      ({ verdict, outcome }) =>
        outcome.verdict === 'passed' && verdict !== 'passed' && verdict !== 'partial',
    );
    expect(wrong.map(told)).toEqual([]);
  });

  it.each(Object.entries(LEAST))('are told apart: %s, at least %d of them', (verdict, least) => {
    const all = judged.filter((one) => one.verdict === verdict);
    const wrong = all.filter(({ outcome }) => outcome.verdict !== verdict);
    const share = 1 - wrong.length / all.length;
    expect(share, wrong.map(told).join('\n')).toBeGreaterThanOrEqual(least);
  });

  it('are quoted by a line that tells it, at least nine of ten', () => {
    const all = judged.filter(
      ({ line, verdict, outcome }) => line !== null && outcome.verdict === verdict,
    );
    const wrong = all.filter((one) => !isLine(one.outcome, one));
    const list = wrong.map(({ id, line, outcome }) => `${id}: ${line} | ${outcome.line}`);
    expect(1 - wrong.length / all.length, list.join('\n')).toBeGreaterThanOrEqual(0.9);
  });
});
