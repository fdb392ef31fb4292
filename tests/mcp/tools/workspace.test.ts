import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { QUOTED } from '../../../src/mcp/answer.ts';
import { estimateTokens } from '../../../src/projections/bounds.ts';
import { scratch } from '../../support.ts';
import { git, put, repository } from '../../workspace/support.ts';
import { call, connect, eventsOf, hookArgs, textOf } from '../support.ts';

const project = (): string =>
  repository(path.join(scratch(), 'shop'), { 'a.txt': 'a', '.gitignore': '.ben10\n' });

const saved = (dir: string) =>
  eventsOf(dir)
    .filter(({ type }) => type === 'work.saved')
    .map(({ data }) => data);

describe('get_dev_context', () => {
  it('gives the level that is asked for, normal where none is, apart from the word that it is quoted', {
    tags: 'long',
  }, async () => {
    const dir = project();
    put(dir, { 'a.txt': 'other' });
    const server = await connect(dir);
    await call(server, 'save_work_state', { task_summary: 'Implementing feature X' });
    const [word, text] = (await call(server, 'get_dev_context')).content;
    expect(word!.text).toBe(QUOTED);
    expect(text!.text).toBe(`# Development Context

## Saved Work State
- **Task:** Implementing feature X
- **Working files:** a.txt

## Git Status (changes only)
| Repository | Branch | Status |
|------------|--------|--------|
| shop | main | 1M |`);
    for (const [level, title, tokens] of [
      ['minimal', '# Context Recovery (Minimal)', 200],
      ['normal', '# Development Context', 400],
      ['full', '# Development Context (Full)', 1000],
    ] as const) {
      const given = (await call(server, 'get_dev_context', { level })).content[1]!.text;
      expect(given.split('\n')[0]).toBe(title);
      expect(estimateTokens(given)).toBeLessThanOrEqual(tokens);
    }
  });

  it('gives the context as it was at a point of the past, and says what is not recorded of it', {
    tags: 'long',
  }, async () => {
    const dir = project();
    put(dir, { 'package.json': '{"scripts":{"dev":"vite"}}' });
    const server = await connect(dir);
    await call(server, 'save_work_state', { task_summary: 'The first task' });
    expect(textOf(await call(server, 'get_dev_context', { level: 'full' }))).toContain('vite');
    const before = eventsOf(dir).at(-1)!.seq;
    git(dir, 'checkout', '-q', '-b', 'other');
    await call(server, 'save_work_state', { task_summary: 'The second task' });
    expect(textOf(await call(server, 'get_dev_context', { level: 'full' }))).toContain('| other |');
    const at = async (args: Record<string, unknown>) =>
      (await call(server, 'get_dev_context', args)).content.map(({ text }) => text!);
    const [word, then, note] = await at({ level: 'full', point: `@${before}` });
    expect(word).toBe(QUOTED);
    expect(then).toContain('- **Task:** The first task');
    expect(then).toContain('| shop | main |');
    expect(then).not.toContain('vite');
    expect(note).toMatch(/^Which scripts, .* is not recorded/);
    expect(await at({ point: '@head' })).toEqual([QUOTED, expect.stringContaining('second task')]);
    // It only reads, and finds no point that there is not.
    const count = eventsOf(dir).length;
    expect(textOf(await call(server, 'get_dev_context', { point: '@99999' }))).toMatch(
      /^POINT_NOT_FOUND: [\s\S]*\nNext: /,
    );
    expect(eventsOf(dir)).toHaveLength(count);
  });

  it('refuses another level, by a code and a next step', { tags: 'long' }, async () => {
    const answer = await call(await connect(project()), 'get_dev_context', { level: 'huge' });
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toMatch(/^USAGE: .*level[\s\S]*\nNext: /);
  });
});

describe('save_work_state', () => {
  it('saves what it is given, and the trigger', async () => {
    const dir = project();
    const server = await connect(dir);
    const answer = await call(server, 'save_work_state', {
      task_summary: 'Implementing rate limiter',
      working_files: ['src/main.rs', 'src/lib.rs'],
      notes: 'Token bucket implementation in progress',
      todos: '- [ ] Add unit tests\n- [~] Update documentation',
    });
    expect(textOf(answer)).toBe('Work state saved successfully: 2 files, 2 todos.');
    expect(saved(dir)).toEqual([
      {
        worktree: '.',
        trigger: 'manual',
        taskSummary: 'Implementing rate limiter',
        workingFiles: ['src/main.rs', 'src/lib.rs'],
        notes: 'Token bucket implementation in progress',
        todos: [
          { content: 'Add unit tests', status: 'pending' },
          { content: 'Update documentation', status: 'in_progress' },
        ],
      },
    ]);
  });

  it('takes todos as text, as a list, and where they are left out the client’s own task list', {
    tags: 'long',
  }, async () => {
    const dir = project();
    const server = await connect(dir);
    const todosOf = async (todos?: unknown) => {
      await call(server, 'save_work_state', {
        task_summary: 'X',
        ...(todos !== undefined && { todos }),
      });
      return (saved(dir).at(-1) as { todos?: unknown }).todos;
    };
    expect(await todosOf('one\n[x] two')).toEqual([
      { content: 'one', status: 'pending' },
      { content: 'two', status: 'completed' },
    ]);
    expect(await todosOf(['one', { content: 'two', status: 'completed' }])).toEqual([
      { content: 'one', status: 'pending' },
      { content: 'two', status: 'completed' },
    ]);
    const own = { todos: [{ content: 'mine', status: 'in_progress', activeForm: 'Doing mine' }] };
    const todo = { cwd: dir, tool_name: 'TodoWrite', tool_input: JSON.stringify(own) };
    await call(server, 'ben10_record', hookArgs('PreToolUse', 1, todo));
    await call(server, 'ben10_record', hookArgs('PostToolUse', 1, todo));
    expect(await todosOf()).toEqual([{ content: 'mine', status: 'in_progress' }]);
  });

  it('takes files from git where none are given', { tags: 'long' }, async () => {
    const dir = project();
    put(dir, { 'a.txt': 'other', 'src/new.ts': 'n' });
    execFileSync('git', ['add', 'src'], { cwd: dir });
    await call(await connect(dir), 'save_work_state', { task_summary: 'X' });
    expect(saved(dir)).toMatchObject([{ workingFiles: ['a.txt', 'src/new.ts'] }]);
  });
});
