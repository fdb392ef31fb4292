import { expect, test } from 'vitest';
import { alertText } from '../../src/monitor/advice.ts';
import { defer } from '../../src/monitor/defer.ts';
import { look } from '../../src/monitor/look.ts';
import { readView } from '../../src/monitor/view.ts';
import type { Project } from '../../src/project/open.ts';
import { openTestProject } from '../support.ts';
import { saw, tell, used } from '../tell.ts';
import { SETTINGS } from './settings.ts';

let n = 0;

function use(project: Project, tokens: number, agent: string | null = null): void {
  n += 1;
  tell(project, used(`m${n}`, tokens, { agent, at: n }));
}

function compact(project: Project): void {
  n += 1;
  const data = { trigger: 'auto', summary: 'x', preTokens: 166_000, postTokens: 30_000 };
  tell(project, saw('compaction.finished', data, { fact: `compaction ${n}`, at: n }));
}

const give = (project: Project, carrier?: string) => look(project, 's', SETTINGS, carrier).text;

test('a level is told once an epoch, by whoever comes first, and again after a compaction', () => {
  const project = openTestProject();
  const other = openTestProject(project.dir);
  use(project, 138_000);
  expect(give(project, 'UserPromptSubmit')).toBeUndefined();
  use(project, 142_000);
  expect(give(project)).toBeUndefined();
  const text = give(project, 'UserPromptSubmit');
  expect(text).toContain('⚠️ Context at 71%');
  expect(text!.length).toBeLessThanOrEqual(600);
  expect(give(other, 'PostToolUse')).toBeUndefined();
  use(project, 130_000);
  expect(give(project, 'UserPromptSubmit')).toBeUndefined();
  use(project, 172_000);
  use(project, 190_000, 'a-sub-agent');
  expect(give(other, 'PostToolUse')).toContain('🔶 Context at 86%');
  expect(readView(project.root, 's')).toMatchObject({
    ...{ level: 'L2', percent: 86, alerted: ['L1', 'L2'], checkpoint: { state: 'due' } },
  });
  compact(project);
  expect(give(project, 'UserPromptSubmit')).toBeUndefined();
  expect(readView(project.root, 's')).toMatchObject({ level: 'L0', tokens: 30_000, alerted: [] });
  use(project, 150_000);
  expect(give(project, 'UserPromptSubmit')).toContain('⚠️ Context at 75%');
});

test('what is put off is told some points later, twice an epoch at most, and never at L3', () => {
  const project = openTestProject();
  const put = (points = 5) => defer(project, 's', SETTINGS, points, 'cli');
  expect(() => put()).toThrow(/not known yet/);
  use(project, 172_000);
  expect(put()).toEqual({ level: 'L2', percent: 86, until: 91, left: 1 });
  expect(give(project, 'UserPromptSubmit')).toBeUndefined();
  expect(readView(project.root, 's')?.checkpoint.state).toBe('deferred');
  use(project, 182_000);
  expect(give(project, 'UserPromptSubmit')).toContain('🔶 Context at 91%');
  expect(put(2)).toMatchObject({ until: 93, left: 0 });
  expect(() => put()).toThrow(/twice already/);
  use(project, 192_000);
  expect(() => put()).toThrow(/at L3/);
  expect(give(project, 'UserPromptSubmit')).toContain('🔴 Context at 96%');
  compact(project);
  use(project, 153_000);
  expect(put()).toMatchObject({ left: 1 });
});

test('at L2 the issue is named that will be told of it, where there is a tracker', () => {
  const project = openTestProject();
  use(project, 172_000);
  const view = { ...look(project, 's', SETTINGS).view, issue: 'ANV-123' };
  const line = 'Linear issue ANV-123 will be updated with progress.';
  const text = alertText(view, 'L2', 'linear');
  expect(text.split('\n').slice(2, 4)).toEqual([
    'Completing current edit, then generating handoff document.',
    line,
  ]);
  expect(text).toMatch(/Void if the context was cleared since\.\n<\/ben10-context-L2>$/);
  for (const other of [
    alertText(view, 'L2'),
    alertText(view, 'L3', 'linear'),
    alertText({ ...view, issue: null }, 'L2', 'linear'),
  ])
    expect(other).not.toContain('will be updated');
});
