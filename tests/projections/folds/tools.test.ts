import { describe, expect, test } from 'vitest';
import type { Fact } from '../../../src/projections/contract.ts';
import { tools } from '../../../src/projections/folds/tools.ts';
import { factOf, foldOf } from '../support/telling.ts';

const called = (toolUseId: string, pos: number | null, agent: string | null = null): Fact => {
  const data = { toolUseId, name: 'Bash', input: { command: `run ${toolUseId}` } };
  return factOf('tool.called', { ...data, ...(pos !== null && { trace: { pos } }) }, { agent });
};
const prompt = (pos: number, rewoundTo?: number, agent: string | null = null): Fact => {
  const trace = { pos, ...(rewoundTo !== undefined && { rewoundTo }) };
  return factOf('prompt.submitted', { text: 'Again.', trace }, { agent });
};

const abandoned = (...facts: Fact[]): string[] =>
  foldOf(tools, facts)
    .runs.filter((run) => run.abandoned)
    .map((run) => run.toolUseId);

describe('a rewind', () => {
  test('abandons the calls behind the place that it goes back to, and only those', () => {
    const calls = [called('a', 10), called('b', 20), called('c', 30)];
    expect(abandoned(...calls, prompt(40))).toEqual([]);
    expect(abandoned(...calls, prompt(40, 19))).toEqual(['b', 'c']);
    expect(abandoned(...calls, prompt(40, 20))).toEqual(['c']);
    expect(abandoned(...calls, prompt(40, -1))).toEqual(['a', 'b', 'c']);
    expect(abandoned(...calls, prompt(40, 15), called('d', 50))).toEqual(['b', 'c']);
  });

  test('says nothing of calls whose place is not known, and of sub-agents, who have places of their own', () => {
    const calls = [called('a', null), called('b', 500, 'agent1')];
    expect(abandoned(...calls, prompt(600, 10))).toEqual([]);
    expect(abandoned(called('a', 20), prompt(600, 10, 'agent1'))).toEqual([]);
  });

  test('abandons what the sub-agents did that were started behind it, then and later', () => {
    const before = [called('a', 10), called('x1', 7, 'x'), called('b', 20)];
    const behind = [called('y1', 3, 'y'), called('x2', 9, 'x')];
    expect(abandoned(...before, ...behind, prompt(40, 15), called('y2', 8, 'y'))).toEqual([
      'b',
      'y1',
      'y2',
    ]);
  });

  test('does not undo that they were made: they are counted', () => {
    expect(foldOf(tools, [called('a', 10), prompt(20, 5)])).toMatchObject({ total: 1 });
  });
});

describe('the text of an outcome', () => {
  const textOf = (chars: number): string => {
    const error = Array.from({ length: chars / 10 }, (_, n) => `${n}`.padStart(10, '.')).join('');
    const failed = factOf('tool.failed', { toolUseId: 'a', error });
    const { head, tail } = foldOf(tools, [called('a', 10), failed]).runs[0]!;
    return head.replace('…', '') + tail;
  };

  test('has no part of it twice, and all of it where there is room', () => {
    for (const chars of [100, 400, 420, 800]) expect(textOf(chars)).toHaveLength(chars);
    expect(textOf(830)).toHaveLength(800);
  });
});
