import { expect, test } from 'vitest';
import type { Level } from '../../src/events/types.ts';
import { alertText } from '../../src/monitor/advice.ts';
import { defer } from '../../src/monitor/defer.ts';
import { compactAt, levelOf, thresholds } from '../../src/monitor/levels.ts';
import { look } from '../../src/monitor/look.ts';
import { readView } from '../../src/monitor/view.ts';
import type { Project } from '../../src/project/open.ts';
import { segmentFrom } from '../../src/projections/growth.ts';
import { openTestProject } from '../support.ts';
import { saw, tell, used } from '../tell.ts';
import { SETTINGS } from './settings.ts';

const AT = { l1: 70, l2: 85, l3: 95 };
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

test('a level begins at its threshold and ends three points below it', () => {
  const steps: [number, Level, Level][] = [
    [69, 'L0', 'L0'],
    [70, 'L0', 'L1'],
    [67, 'L1', 'L1'],
    [66, 'L1', 'L0'],
    [96, 'L0', 'L3'],
    [92, 'L3', 'L3'],
    [91, 'L3', 'L2'],
  ];
  for (const [percent, before, after] of steps)
    expect(levelOf(percent, AT, before), `${percent} after ${before}`).toBe(after);
});

test('a known compaction point brings the levels forward, and one that was passed is dropped', () => {
  const known = { session: 's', window: 200_000, tokens: 150_000, compacting: null };
  const compacted = (session: string, compactedAt: number) => ({
    ...segmentFrom(session, { message: 'm', model: 'claude-opus-4-6', at: 0, tokens: 20_000 }),
    compactedAt,
  });
  const segments = [167_094, 170_251, 167_731, 167_117].map((at, n) => compacted(`s${n}`, at));
  const found = compactAt(SETTINGS, { ...known, segments });
  expect(found).toEqual({ at: Math.round(167_094 * 0.99), isKnown: true });
  expect(thresholds(SETTINGS, { at: 165_000, isKnown: true }, 200_000, 5_000)).toEqual({
    ...{ l1: 70, l2: 78, l3: 80 },
  });
  expect(compactAt(SETTINGS, { ...known, segments, tokens: 175_000 }).isKnown).toBe(false);
  const own = [compacted('s', 155_000), ...segments];
  expect(compactAt(SETTINGS, { ...known, segments: own }).at).toBe(155_000 * 0.99);
  expect(compactAt({ compactAt: 'off' }, { ...known, segments })).toMatchObject({ at: null });
});

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
  use(project, 172_000);
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
