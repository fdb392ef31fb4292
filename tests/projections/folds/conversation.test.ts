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

test('a message has the ids of the tasks that its calls made, changed or deleted, of each once', () => {
  let calls = 0;
  const said = (text: string, pos: number) =>
    factOf('message.recorded', { role: 'assistant', kind: 'text', text, trace: { pos } });
  const task = (
    name: string,
    input: object,
    response: object = {},
    agent: string | null = null,
  ) => {
    calls += 1;
    const call = { toolUseId: `t${calls}`, name };
    return [
      factOf('tool.called', { ...call, input }, { agent }),
      factOf('tool.succeeded', { ...call, response }, { agent }),
    ];
  };
  const refused = task('TaskUpdate', { taskId: '8', status: 'completed' });
  const facts = [
    prompt('Plan it.', 10),
    said('I plan.', 20),
    ...task('TaskCreate', { subject: 'Sort' }, { task: { id: '7' } }),
    ...task('TaskUpdate', { taskId: '7', status: 'in_progress' }),
    ...task('TaskUpdate', { taskId: '4', status: 'deleted' }),
    refused[0]!,
    factOf('tool.failed', { toolUseId: `t${calls}`, error: 'no such task' }),
    prompt('And the list.', 30),
    said('The list.', 40),
    ...task('TodoWrite', {
      todos: [
        { content: 'Filter', status: 'pending' },
        { id: 'b', content: 'Group', status: 'pending' },
      ],
    }),
    ...task('TaskUpdate', { taskId: '5', status: 'completed' }, {}, 'a sub-agent'),
    ...task('Bash', { command: 'ls', taskId: '9' }),
  ];
  const referred = foldOf(context, facts).conversation.messages.map(
    ({ metadata }) => metadata.taskReferences,
  );
  expect(referred).toEqual([[], ['7', '4'], [], ['1', 'b']]);
});
