import { expect, it } from 'vitest';
import { context } from '../../../src/projections/folds/context.ts';
import { workOf } from '../../../src/workspace/collectors/work-state.ts';
import { factOf, foldOf } from '../../projections/support/telling.ts';
import { clean } from '../support.ts';

const asked = foldOf(context, [factOf('prompt.submitted', { text: 'What is the weather like?' })]);
const worked = foldOf(context, [
  factOf('prompt.submitted', { text: 'Port the invoices.' }),
  factOf('tool.called', { toolUseId: 'c', name: 'TaskCreate', input: { subject: 'port pdf.ts' } }),
  factOf('tool.succeeded', {
    toolUseId: 'c',
    name: 'TaskCreate',
    response: { task: { id: '1', subject: 'port pdf.ts' } },
  }),
]);
const work = (...contexts: (typeof asked)[]) =>
  workOf({ dir: '/app', clean, recorded: () => ({ worktree: undefined, contexts }) });

it('is of the newest session that holds work: a question asked since leaves open what was open', () => {
  const open = [{ todos: [{ content: 'port pdf.ts', status: 'pending' }] }];
  expect(work(worked, asked)).toMatchObject(open);
  expect(work(asked, worked)).toMatchObject(open);
  expect(work(asked, asked)).toEqual([]);
});
