import { describe, expect, test } from 'vitest';
import type { Project } from '../../src/project/open.ts';
import { recallText } from '../../src/recall/recall.ts';
import { preferences, retract } from '../../src/timetravel/preferences.ts';
import { restore } from '../../src/timetravel/restore.ts';
import { testProject } from './project.ts';

let facts = 0;

function told(project: Project, ...prompts: [session: string, text: string][]): void {
  const { recorder, ports } = project;
  for (const [session, text] of prompts) {
    facts += 1;
    const where = { fact: `f${facts}`, session, agent: null, at: ports.clock.now() };
    recorder.append([
      recorder.event({ type: 'prompt.submitted', ...where, data: { text } }, 'hook'),
    ]);
  }
}

const textsOf = (project: Project) => preferences(project).map(({ kind, text }) => [kind, text]);
const restored = (project: Project, point?: string): string =>
  restore(project, { mode: 'selective', parts: ['preferences'], point }).text;

describe('preferences', () => {
  test('are those of all sessions, counted together', () => {
    const project = testProject();
    told(
      project,
      ['one', 'Never use globals.'],
      ['two', 'Always use pnpm.'],
      ['two', 'never use globals'],
    );
    expect(preferences(project)).toMatchObject([
      {
        kind: 'rule',
        text: 'never use globals',
        count: 2,
        seqs: [1, 3],
        sessions: ['one', 'two'],
      },
      { kind: 'tool', text: 'Always use pnpm.', count: 1, seqs: [2], sessions: ['two'] },
    ]);
    expect(preferences(project, { session: 'one' })).toMatchObject([{ count: 1 }]);
  });

  test('one that was retracted is not listed, restored or given back, but at points before', () => {
    const project = testProject();
    told(project, ['one', 'Never use globals.'], ['two', 'Never use globals. Keep dates in UTC.']);
    const [rule] = preferences(project);
    expect(restored(project)).toContain('- Never use globals.');
    const { sessions } = retract(project, rule!.key.slice(0, 6));
    expect(sessions).toEqual(['one', 'two']);
    expect(textsOf(project)).toEqual([['rule', 'Keep dates in UTC.']]);
    expect(restored(project)).not.toContain('- Never use globals.');
    expect(restored(project, '@2')).toContain('- Never use globals.');
    const given = recallText(project, { source: 'startup', session: 'three' }).text;
    expect(given).toContain('Keep dates in UTC.');
    expect(given).not.toContain('- Never use globals. [');
    told(project, ['two', 'I told you: never use globals!'], ['two', 'Never use globals.']);
    expect(textsOf(project)).toContainEqual(['rule', 'Never use globals.']);
  });

  test('a key that is none, too short, or of several is refused', () => {
    const project = testProject();
    told(project, ['one', 'Never use globals.']);
    const [rule] = preferences(project);
    for (const given of ['ffff', '', rule!.key.slice(0, 3)])
      expect(() => retract(project, given)).toThrow(expect.objectContaining({ code: 'USAGE' }));
  });
});
