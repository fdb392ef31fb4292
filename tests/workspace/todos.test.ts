import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTodos } from '../../src/workspace/todos.ts';

const todo = (content: string, status = 'pending') => ({ content, status });

describe('todos', () => {
  it('are read of text, a line each, with marks or without', () => {
    expect(parseTodos('- [ ] open\n- [x] done\n* [~] now\n2. next\n\nplain\n')).toEqual([
      todo('open'),
      todo('done', 'completed'),
      todo('now', 'in_progress'),
      todo('next'),
      todo('plain'),
    ]);
  });

  it('are read of a list of texts, and of objects', () => {
    expect(parseTodos(['a', '- [x] b\nand more'])).toEqual([
      todo('a'),
      todo('b and more', 'completed'),
    ]);
    expect(
      parseTodos([
        { content: 'a' },
        { content: 'b', status: 'DONE' },
        { title: 'c', status: 'doing' },
      ]),
    ).toEqual([todo('a'), todo('b', 'completed'), todo('c', 'in_progress')]);
  });

  it('are read of the client’s own task lists, old and new, and of both as JSON', () => {
    const old = [{ content: 'a', status: 'in_progress', activeForm: 'Doing a' }];
    const tasks = [
      { id: '1', subject: 'a', description: 'd', status: 'completed' },
      { id: '2', subject: 'gone', status: 'deleted' },
    ];
    expect(parseTodos({ todos: old })).toEqual([todo('a', 'in_progress')]);
    expect(parseTodos(JSON.stringify({ todos: old }))).toEqual([todo('a', 'in_progress')]);
    expect(parseTodos(JSON.stringify(tasks))).toEqual([todo('a', 'completed')]);
  });

  it('are none of what says none, and never an error', () => {
    expect(parseTodos([1, null, {}, '', { content: ' ' }, []])).toEqual([]);
    expect(parseTodos('["broken')).toEqual([todo('["broken')]);
    fc.assert(fc.property(fc.anything(), (given) => Array.isArray(parseTodos(given))));
  });
});
