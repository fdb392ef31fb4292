import { expect, test } from 'vitest';
import { taskSizes } from '../../../src/projections/folds/task-sizes.ts';
import { openTestProject } from '../../support.ts';
import { ran, saw, tell } from '../../tell.ts';

let calls = 0;

const used = (tokens: number, agent: string | null = null) => {
  calls += 1;
  return saw(
    'usage.sampled',
    {
      ...{ messageId: `m${calls}`, inputTokens: tokens, outputTokens: 1 },
      ...{ cacheCreationTokens: 0, cacheReadTokens: 0 },
    },
    { agent, fact: `usage ${calls}` },
  );
};

function todos(...list: [content: string, status: string][]) {
  calls += 1;
  const asked = list.map(([content, status]) => ({ content, status }));
  return ran(`t${calls}`, 'TodoWrite', { todos: asked }, { response: {} });
}

const said = (text: string) => saw('prompt.submitted', { text }, { fact: `prompt ${text}` });

test('a todo is as large as what the main context grew by while it was in work', () => {
  const project = openTestProject();
  tell(
    project,
    said('Make both'),
    used(10_000),
    ...todos(['one', 'in_progress'], ['two', 'pending']),
    used(13_000),
    used(90_000, 'a sub-agent'),
    used(17_000),
    ...todos(['one', 'completed'], ['two', 'in_progress']),
    used(19_000),
    // A compaction takes nothing back.
    used(6_000),
    used(7_000),
    ...todos(['one', 'completed'], ['two', 'completed']),
    used(30_000),
    ...todos(['three', 'completed']),
  );
  const { finished } = project.states.at(taskSizes, 's').state;
  expect(finished.map(({ kind, words, tokens }) => [kind, words, tokens])).toEqual([
    ['task', 'one', 7000],
    ['task', 'two', 3000],
  ]);
});

test('two in work at once share what came; a prompt without todos is a task of its own, a question is none', () => {
  const project = openTestProject();
  tell(
    project,
    said('Rename it'),
    used(10_000),
    used(15_000),
    said('Why?'),
    used(15_500),
    said('And now both'),
    ...todos(['one', 'in_progress'], ['two', 'in_progress']),
    used(25_500),
    ...todos(['one', 'completed'], ['two', 'completed']),
    said('Thanks'),
  );
  const { finished } = project.states.at(taskSizes, 's').state;
  expect(finished.map(({ kind, words, tokens }) => [kind, words, tokens])).toEqual([
    ['prompt', 'Rename it', 5000],
    ['task', 'one', 5000],
    ['task', 'two', 5000],
  ]);
});
