import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Fact } from '../../../src/projections/contract.ts';
import { tasks } from '../../../src/projections/folds/tasks.ts';
import { factOf, foldOf, T0 } from '../support/telling.ts';

let calls = 0;

/** A call and its answer, at a place of the transcript. */
function call(
  name: string,
  input: Record<string, unknown>,
  pos: number,
  { agent = null, response = {} }: { agent?: string | null; response?: unknown } = {},
): Fact[] {
  calls += 1;
  const toolUseId = `t${calls}`;
  const fields = { agent, at: T0 + pos, seq: pos };
  return [
    factOf('tool.called', { toolUseId, name, input, trace: { pos } }, fields),
    factOf('tool.succeeded', { toolUseId, name, response, trace: { pos: pos + 1 } }, fields),
  ];
}
const create = (id: string, pos: number): Fact[] =>
  call('TaskCreate', { subject: `Task ${id}` }, pos, { response: { task: { id } } });
const update = (taskId: string, status: string, pos: number): Fact[] =>
  call('TaskUpdate', { taskId, status }, pos);
const todos = (contents: string[], pos: number, agent: string | null = null): Fact[] => {
  const list = contents.map((content) => ({ content, status: 'pending' }));
  return call('TodoWrite', { todos: list }, pos, { agent });
};
const rewound = (pos: number, rewoundTo: number): Fact =>
  factOf('prompt.submitted', { text: 'Again.', trace: { pos, rewoundTo } });

const listOf = (facts: Fact[]): string[] =>
  Object.values(foldOf(tasks, facts).tasks).map(({ id, subject, status }) =>
    [id, subject, status].join(' '),
  );

describe('the list of tasks', () => {
  test('has what was created as it was changed last, without what was deleted', () => {
    const made = [...create('1', 10), ...create('2', 12), ...create('3', 14)];
    const started = [...update('1', 'in_progress', 20), ...update('2', 'deleted', 22)];
    expect(listOf([...made, ...started])).toEqual(['1 Task 1 in_progress', '3 Task 3 pending']);
    const done = [...started, ...update('1', 'completed', 30)];
    expect(listOf([...made, ...done])).toEqual(['1 Task 1 completed', '3 Task 3 pending']);
  });

  test('is the newest list of todos, whole', () => {
    const lists = [...todos(['Sort', 'Filter'], 10), ...todos(['Filter', 'Group'], 20)];
    expect(listOf(lists)).toEqual(['1 Filter pending', '2 Group pending']);
  });
});

describe('a rewind of the conversation', () => {
  test('takes the tasks of the abandoned branch from the list', () => {
    const facts = [...create('1', 10), ...create('2', 30)];
    expect(listOf([...facts, rewound(50, 20)])).toEqual(['1 Task 1 pending']);
    expect(listOf([...facts, rewound(50, 40)])).toHaveLength(2);
    expect(listOf([...facts, rewound(50, 20), ...create('3', 60)])).toEqual([
      '1 Task 1 pending',
      '3 Task 3 pending',
    ]);
  });

  test('puts back the list of todos that stood before', () => {
    const before = todos(['Sort', 'Filter'], 10);
    const branch = [...todos(['Abandon'], 30), ...todos(['Abandon', 'More'], 34)];
    expect(listOf([...before, ...branch, rewound(50, 20)])).toEqual(listOf(before));
    expect(listOf([...before, rewound(50, 20), ...todos(['Sort'], 60)])).toEqual([
      '1 Sort pending',
    ]);
  });

  const change = fc.oneof(
    fc.record({ is: fc.constant('create' as const), id: fc.integer({ min: 1, max: 5 }) }),
    fc.record({
      is: fc.constantFrom('pending' as const, 'completed' as const, 'deleted' as const),
      id: fc.integer({ min: 1, max: 5 }),
    }),
    fc.record({ is: fc.constant('todos' as const), id: fc.integer({ min: 0, max: 4 }) }),
  );
  const factsOf = (changes: { is: string; id: number }[], from: number): Fact[] =>
    changes.flatMap(({ is, id }, n) => {
      const pos = from + n * 2;
      if (is === 'create') return create(String(id), pos);
      if (is === 'todos') return todos(Array(id).fill(`Todo ${pos}`), pos);
      return update(String(id), is, pos);
    });

  test('leaves the list as if the branch had never been', () => {
    fc.assert(
      fc.property(fc.array(change), fc.array(change), (live, branch) => {
        const before = factsOf(live, 0);
        const facts = [...before, ...factsOf(branch, 1000), rewound(5000, 999)];
        expect(foldOf(tasks, facts).tasks).toEqual(foldOf(tasks, before).tasks);
        expect(listOf(facts)).toEqual(listOf(before));
      }),
    );
  });
});

describe('the changes that can be taken back', () => {
  test('are the newest 200', () => {
    const facts = Array.from({ length: 201 }, (_, n) => create('1', n * 2)).flat();
    expect(foldOf(tasks, facts.slice(0, 400)).changes).toHaveLength(200);
    expect(foldOf(tasks, facts).changes).toHaveLength(200);
  });

  test('hold little, however large the tasks are', () => {
    const large = Array.from({ length: 100 }, (_, n) => `${n} ${'x'.repeat(190)}`);
    const facts = Array.from({ length: 50 }, (_, n) => todos(large, n * 2)).flat();
    const { changes } = foldOf(tasks, facts);
    expect(changes.length).toBeGreaterThan(1);
    expect(JSON.stringify(changes).length).toBeLessThan(100_000);
  });
});

test('a sub-agent’s todos are a list of its own, and its tasks are not', () => {
  const own = [...todos(['Sort'], 10), ...todos(['Look for callers'], 20, 'agent1')];
  expect(listOf(own)).toEqual(['1 Sort pending']);
  const shared = call('TaskUpdate', { taskId: '1', status: 'completed' }, 20, { agent: 'agent1' });
  expect(listOf([...create('1', 10), ...shared])).toEqual(['1 Task 1 completed']);
});
