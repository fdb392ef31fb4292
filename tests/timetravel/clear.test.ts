import { describe, expect, test } from 'vitest';
import { Ben10Error } from '../../src/platform/errors.ts';
import type { Project } from '../../src/project/open.ts';
import { clear, whatClears } from '../../src/timetravel/clear.ts';
import { contextAt } from '../../src/timetravel/replay.ts';
import { resolvePoint } from '../../src/timetravel/resolve.ts';
import { restore } from '../../src/timetravel/restore.ts';
import { imported, testProject, transcript } from './project.ts';

const todo = () =>
  imported(testProject(), transcript('claude-2.1.329-real-todo-app/transcript.jsonl'));
const now = (project: Project) => contextAt(project, resolvePoint(project, '@head')).state;
const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

describe('clear', () => {
  test('leaves an empty context, in the same folder', () => {
    const project = todo();
    const { directory } = now(project);
    const cleared = clear(project);
    expect(cleared.messages).toBeGreaterThan(3);
    const state = now(project);
    expect(state).toMatchObject({ directory, decisions: [], preferences: { rules: [] } });
    expect(state.conversation.messageCount).toBe(0);
    expect(state.tools.total).toBe(0);
    expect(Object.keys(state.files.files)).toEqual([]);
  });

  test('takes nothing away: every earlier point is what it was', () => {
    const project = todo();
    const points = ['@prompt:2', '@10', '@compaction:1'];
    const at = () =>
      points.map((point) => plain(contextAt(project, resolvePoint(project, point)).state));
    const before = at();
    clear(project);
    expect(at()).toEqual(before);
  });

  test('is undone by restoring an earlier point: the context is whole again, with what came since', () => {
    const project = todo();
    const before = plain(now(project));
    const { seq } = clear(project);
    clear(project);
    restore(project, { mode: 'summary', point: `@${seq}`, source: 'tool' });
    expect(plain(now(project))).toEqual(before);
  });

  test('says that it is undone, and is not by looking at some parts of an earlier point', () => {
    const project = todo();
    const { seq } = clear(project);
    const parts = { mode: 'selective', parts: ['tasks'], point: '@5', source: 'tool' } as const;
    expect(restore(project, parts).text).not.toContain('undoes');
    expect(now(project).conversation.messageCount).toBe(0);
    const whole = restore(project, { mode: 'full', point: '@5', source: 'tool' });
    expect(whole.text).toContain(`This undoes the clear after event @${seq}.`);
    expect(now(project).conversation.messageCount).toBeGreaterThan(0);
  });

  test('is told of by a restore that finds nothing else, with how it is undone', () => {
    const project = todo();
    const { seq } = clear(project);
    const told = `The context was cleared; restore @${seq} to bring back what was before.`;
    expect(restore(project, { mode: 'summary' }).notes).toEqual([told]);
    restore(project, { mode: 'summary', point: `@${seq}`, source: 'tool' });
    expect(restore(project, { mode: 'summary' }).notes).toEqual([]);
  });

  test('a second one, of a context that is empty, still names the point that brings all of it back', () => {
    const project = todo();
    const { seq, messages } = clear(project);
    expect(clear(project)).toMatchObject({ seq, messages: 0 });
    expect(restore(project, { mode: 'summary' }).notes).toEqual([
      `The context was cleared; restore @${seq} to bring back what was before.`,
    ]);
    expect(restore(project, { mode: 'full', point: `@${seq}` }).text).toContain(
      `${messages} messages`,
    );
  });

  test('is not undone by looking at what came behind it', () => {
    const project = todo();
    clear(project);
    restore(project, { mode: 'summary', source: 'tool' });
    expect(now(project).conversation.messageCount).toBe(0);
  });

  test('says beforehand what it would leave behind, and then changes nothing', () => {
    const project = todo();
    const { conversation } = now(project);
    const would = whatClears(project);
    expect(would.messages).toBe(conversation.messageCount);
    expect(now(project).conversation.messageCount).toBe(conversation.messageCount);
    expect(clear(project)).toEqual(would);
  });

  test('needs something that was recorded', () => {
    expect(() => clear(testProject())).toThrow(
      expect.objectContaining({ constructor: Ben10Error, code: 'CONTEXT_NOT_FOUND' }),
    );
  });
});
