import { expect, test } from 'vitest';
import { context } from '../../../src/projections/folds/context.ts';
import { factOf, foldOf } from '../support/telling.ts';

const prompt = (text: string, pos: number, rewoundTo?: number) => {
  const trace = { pos, ...(rewoundTo !== undefined && { rewoundTo }) };
  return factOf('prompt.submitted', { text, trace });
};
const report = (agent: string, text: string) =>
  factOf(
    'message.recorded',
    { role: 'assistant', kind: 'text', text, trace: { pos: 5 } },
    { agent },
  );

test('a rewind forgets the sub-agents that were started behind the place that it goes back to', () => {
  const facts = [
    prompt('First.', 10),
    report('kept', 'Found it.'),
    prompt('Second.', 20),
    report('left', 'Found nothing.'),
    report('kept', 'Found more.'),
  ];
  const agentsOf = (...more: ReturnType<typeof prompt>[]) =>
    foldOf(context, [...facts, ...more]).conversation.subagents.map(({ agent }) => agent);
  expect(agentsOf()).toEqual(['kept', 'left']);
  expect(agentsOf(prompt('Again.', 30, 15))).toEqual(['kept']);
  expect(agentsOf(prompt('Again.', 30, 25))).toEqual(['kept', 'left']);
});
