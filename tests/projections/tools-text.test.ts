import { describe, expect, test } from 'vitest';
import { aboutOf, isOwnTool } from '../../src/projections/tools-text.ts';

describe('what a call is about', () => {
  test.each([
    ['a command', { command: 'npm test', description: 'Run the tests' }, 'npm test'],
    ['a file', { file_path: '/a/b.ts', old_string: 'x' }, '/a/b.ts'],
    ['a pattern before where it is looked for', { pattern: 'x+', path: '/a' }, 'x+'],
    ['a sub-agent’s task', { description: 'Look', prompt: 'Look at it all.' }, 'Look'],
    ['a long text by how it starts', { command: { $blob: 'b', bytes: 9, head: 'cat' } }, 'cat'],
    ['the next field where one is empty', { command: '', path: '/a' }, '/a'],
    ['nothing that it knows', { other: 'x' }, ''],
    ['no object', 'x', ''],
    ['nothing', null, ''],
  ])('is %s', (_, input, about) => {
    expect(aboutOf(input)).toBe(about);
  });

  test.each([
    ['a new task', { subject: 'Sort', description: 'By due date.', activeForm: 'Sorting' }, 'Sort'],
    ['a task’s new status', { taskId: '2', status: 'in_progress' }, '#2 in_progress'],
    ['a task’s new subject', { taskId: '2', subject: 'Sort' }, '#2 Sort'],
    ['both', { taskId: '2', subject: 'Sort', status: 'completed' }, '#2 completed Sort'],
    ['a task alone', { taskId: '2', addBlockedBy: ['1'] }, '#2'],
  ])('is %s', (_, input, about) => {
    expect(aboutOf(input)).toBe(about);
  });

  test('is how far a list of todos is, and what is done now', () => {
    const todo = (content: string, status: string) => ({ content, status });
    const done = todo('Read', 'completed');
    const open = todo('Sort', 'pending');
    const now = todo('Write', 'in_progress');
    expect(aboutOf({ todos: [done, now, open] })).toBe('1 of 3 done, now: Write');
    expect(aboutOf({ todos: [done, open] })).toBe('1 of 2 done');
    expect(aboutOf({ todos: [] })).toBe('0 of 0 done');
    expect(aboutOf({ todos: [null, 'x', {}, { status: 'in_progress', content: 5 }] })).toBe(
      '0 of 2 done',
    );
  });
});

test.each([
  ['mcp__ben10__ben10_log', true],
  ['mcp__plugin_ben10_ben10__ben10_log', true],
  ['mcp__ben100__log', false],
  ['mcp__other__mcp__ben10__log', false],
  ['Bash', false],
])('%s is a tool of ben10’s own: %s', (name, own) => {
  expect(isOwnTool(name)).toBe(own);
});
