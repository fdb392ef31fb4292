import { describe, expect, test } from 'vitest';
import { clear } from '../../src/timetravel/clear.ts';
import { diffPoints } from '../../src/timetravel/diff.ts';
import { renderDiff } from '../../src/timetravel/render-diff.ts';
import { resolvePoint } from '../../src/timetravel/resolve.ts';
import { restore } from '../../src/timetravel/restore.ts';
import { sessionsAt } from '../../src/timetravel/sessions.ts';
import { ran, saw, tell } from '../tell.ts';
import { lived } from './lived.ts';
import { imported, testProject, transcript } from './project.ts';

const todo = () =>
  imported(testProject(), transcript('claude-2.1.329-real-todo-app/transcript.jsonl'));

describe('diffPoints', () => {
  test('tells what was said, run, touched and stated between two points', () => {
    const diff = diffPoints(todo(), '@prompt:2', undefined);
    expect(diff).toMatchObject({
      kind: 'states',
      from: { point: '@prompt:2' },
      to: { point: '@head' },
    });
    expect(diff.messages.added.map((one) => one.role)).toEqual([
      'user',
      'assistant',
      'assistant',
      'assistant',
      'assistant',
    ]);
    expect(diff.messages.removed).toEqual([]);
    expect(diff.messages.count.to - diff.messages.count.from).toBe(5);
    expect(diff.tools.added.map((run) => run.name)).toEqual(['Read', 'Edit', 'Bash']);
    expect(diff.tools.count).toEqual({ from: 8, to: 11 });
    expect(diff.files.changed.map(({ from, to }) => [to.path, from.edits, to.edits])).toEqual([
      ['/home/dev/todo-app/src/todo.js', 1, 2],
    ]);
    expect(diff.tokens.to.input).toBeGreaterThan(diff.tokens.from.input);
  });

  test('without a start it is from the very beginning', () => {
    const diff = diffPoints(todo(), undefined, undefined);
    expect(diff.from).toEqual({ point: '@0', seq: 0, at: null, session: diff.to.session });
    expect(diff.rules.added.map((one) => one.text)).toEqual([
      'Keep dates as ISO strings and never use a library for them.',
    ]);
    expect(diff.decisions.added).toHaveLength(1);
    expect(diff.tasks.added.map((task) => task.subject)).toEqual([
      'Add due dates',
      'Overdue filter',
    ]);
    expect(diff.files.added).toHaveLength(2);
    expect(diff.tokens.from.context).toBeNull();
  });

  test('backwards, what was added is removed', () => {
    const project = lived(testProject(), 'working-session');
    const there = diffPoints(project, '@compaction:-1', '@head', {
      session: sessionsAt(project)[1]!.session,
    });
    const back = diffPoints(project, '@head', '@compaction:-1', {
      session: sessionsAt(project)[1]!.session,
    });
    for (const kind of ['messages', 'files', 'tools', 'tasks', 'decisions', 'rules'] as const) {
      expect(back[kind].removed).toEqual(there[kind].added);
      expect(back[kind].added).toEqual(there[kind].removed);
      expect(back[kind].changed).toEqual(
        there[kind].changed.map(({ from, to }) => ({ from: to, to: from })),
      );
    }
    expect(there.tasks.changed.map(({ from, to }) => [from.status, to.status])).toContainEqual([
      'pending',
      'in_progress',
    ]);
  });

  test('a point is no different from itself', () => {
    const project = lived(testProject(), 'working-session');
    const diff = diffPoints(project, '@compaction:-1', '@compaction:-1');
    for (const kind of ['messages', 'files', 'tools', 'tasks', 'decisions', 'rules'] as const) {
      expect(diff[kind]).toMatchObject({ added: [], removed: [], changed: [] });
    }
    expect(renderDiff(diff)).toContain('There is no difference.');
  });

  test('both ends are in the session that one of them names', () => {
    const project = lived(testProject(), 'working-session');
    const [newest, older] = sessionsAt(project).map((one) => one.session);
    const diff = diffPoints(project, '@compaction:-1', '@head');
    expect([diff.from.session, diff.to.session]).toEqual([older, older]);
    const other = diffPoints(project, '@10', '@head');
    expect([other.from.session, other.to.session]).toEqual([newest, newest]);
    const both = diffPoints(project, `@session:${older}`, `@session:${newest}:end`);
    expect([both.from.session, both.to.session]).toEqual([older, newest]);
  });

  test('a call that came back in between has changed', () => {
    const project = testProject();
    const end = { error: 'Exit code 2', exitCode: 2 };
    tell(project, ...ran('t', 'Bash', { command: 'npm test' }, end));
    const diff = diffPoints(project, '@1', '@2');
    expect(diff.tools.changed.map(({ from, to }) => [from.outcome, to.outcome])).toEqual([
      ['open', 'failed'],
    ]);
    expect(renderDiff(diff)).toMatch(/~ +@1 +failed \(exit 2\) +npm test +\(was: open +npm test\)/);
  });

  test('a message that is only too old for the newer state is not removed', () => {
    const project = testProject();
    const prompts = Array.from({ length: 500 }, (_, n) =>
      saw('prompt.submitted', { text: `Prompt number ${n + 1}` }, { at: n + 1 }),
    );
    tell(project, ...prompts.slice(0, 250));
    tell(project, ...prompts.slice(250));
    const diff = diffPoints(project, '@250', '@500');
    expect(diff.messages.count).toEqual({ from: 250, to: 500 });
    expect(diff.messages.added).toHaveLength(250);
    expect(diff.messages.removed).toEqual([]);
    const back = diffPoints(project, '@500', '@250');
    expect(back.messages.added).toEqual([]);
    expect(back.messages.removed).toHaveLength(250);
  });
});

describe('renderDiff', () => {
  test('shows both ends, the counts, and each difference with its event', () => {
    const project = todo();
    const text = renderDiff(diffPoints(project, '@prompt:2', undefined));
    const { seq } = resolvePoint(project, '@prompt:2');
    expect(text).toContain(`from @prompt:2 (event @${seq})`);
    expect(text).toContain('messages 11 → 16, tool calls 8 → 11, failures 1, compactions 1');
    expect(text).toMatch(/\n {2}\+ +@\d+ +user: Now the overdue filter please\n/);
    expect(text).toMatch(/\n {2}~ +@\d+ +\/home\/dev\/todo-app\/src\/todo\.js +changed, 2 edits/);
    expect(text).toMatch(/input +146000 → 178000/);
    expect(text).not.toContain('Tasks');
  });

  test('says that a context was cleared, where else nothing would seem to have happened', () => {
    const project = todo();
    expect(renderDiff(diffPoints(project, undefined, undefined))).not.toContain('cleared');
    const { seq } = clear(project);
    const diff = diffPoints(project, undefined, undefined);
    expect(diff.to.cleared).toBe(seq);
    expect(renderDiff(diff)).toMatch(
      new RegExp(`^to .*, only what came after the clear \\(before it: @${seq}\\)$`, 'm'),
    );
    restore(project, { mode: 'summary', point: `@${seq}`, source: 'tool' });
    expect(diffPoints(project, undefined, undefined).to).not.toHaveProperty('cleared');
  });

  test('of many differences it shows some and says how many there are', () => {
    const project = imported(testProject(), transcript('claude-v1.0.17-long-edit-session.jsonl'));
    expect(renderDiff(diffPoints(project, undefined, undefined))).toContain('… and 19 more');
  });

  test('what was said cannot write on the terminal', () => {
    const project = testProject();
    tell(project, saw('prompt.submitted', { text: 'Never\x1b[2J do\u202e that.\nEver' }));
    const text = renderDiff(diffPoints(project, undefined, undefined));
    expect(text).toContain('user: Never do that. Ever');
    expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\u202e]/);
  });
});
