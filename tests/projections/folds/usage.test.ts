import { expect, test } from 'vitest';
import type { Fact } from '../../../src/projections/contract.ts';
import { type UsageState, usage } from '../../../src/projections/folds/usage.ts';

const sample = (messageId: string, inputTokens: number, agent: string | null = null): Fact => ({
  seq: 1,
  id: 'f',
  type: 'usage.sampled',
  session: 's',
  agent,
  client: 'claude-code',
  source: 'transcript',
  at: 1,
  trace: undefined,
  data: { messageId, inputTokens, outputTokens: 1, cacheCreationTokens: 0, cacheReadTokens: 0 },
});

const fold = (facts: Fact[]): UsageState =>
  facts.reduce((state, fact) => usage.apply(state, fact), usage.initial());

test('what a message’s last line says is counted, once', () => {
  const state = fold([sample('a', 10), sample('a', 12), sample('b', 5)]);
  expect(state).toMatchObject({ messages: 2, total: { inputTokens: 17, outputTokens: 2 } });
});

test('a line that says the same again changes nothing, also where others stand between', () => {
  // The most that is remembered, and one more.
  const others = Array.from({ length: 64 }, (_, n) => sample(`b${n}`, n, 'agent'));
  for (const n of [0, 1, 63]) {
    const told = fold([sample('a', 10), ...others]);
    const again = fold([
      sample('a', 10),
      ...others.slice(0, n),
      sample('a', 10),
      ...others.slice(n),
    ]);
    expect(again).toEqual(told);
    expect(Object.keys(again.recent)).toEqual(Object.keys(told.recent));
  }
});
