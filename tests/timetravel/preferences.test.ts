import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Project } from '../../src/project/open.ts';
import { readEvents } from '../../src/projections/events.ts';
import { recallText } from '../../src/recall/recall.ts';
import { preferences, retract } from '../../src/timetravel/preferences.ts';
import { restore } from '../../src/timetravel/restore.ts';
import { at, Script } from '../capture/support/script.ts';
import { World } from '../capture/support/world.ts';
import { saw, tell } from '../tell.ts';
import { testProject } from './project.ts';

function told(project: Project, ...prompts: [session: string, text: string][]): void {
  for (const [session, text] of prompts)
    tell(project, saw('prompt.submitted', { text }, { session, at: project.ports.clock.now() }));
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
    expect(restored(project)).toMatch(/^@\d+ Never use globals\.$/m);
    const { sessions } = retract(project, rule!.key);
    expect(sessions).toEqual(['one', 'two']);
    expect(textsOf(project)).toEqual([['rule', 'Keep dates in UTC.']]);
    expect(restored(project)).not.toMatch(/^@\d+ Never use globals\.$/m);
    expect(restored(project, '@2')).toMatch(/^@\d+ Never use globals\.$/m);
    const given = recallText(project, { source: 'startup', session: 'three' }).text;
    expect(given).toContain('Keep dates in UTC.');
    // That it was said stays on record; it is no rule.
    const [rules] = given.split('The user said:');
    expect(rules).not.toMatch(/^@\d+ Never use globals\.$/m);
    told(project, ['two', 'I told you: never use globals!'], ['two', 'Never use globals.']);
    expect(textsOf(project)).toContainEqual(['rule', 'Never use globals.']);
  });

  test('is named by its event, and by that alone where it states nothing else', () => {
    const project = testProject();
    told(project, ['one', 'Never use globals. Keep dates in UTC.'], ['one', 'Always use pnpm.']);
    expect(preferences(project).map(({ key }) => key)).toEqual(['1.1', '1.2', '2.1']);
    for (const given of ['9', '', '1', '1.', '.1', 'ffff'])
      expect(() => retract(project, given)).toThrow(expect.objectContaining({ code: 'USAGE' }));
    expect(retract(project, '@2').text).toBe('Always use pnpm.');
    expect(retract(project, '1.2').text).toBe('Keep dates in UTC.');
  });

  test('keeps its key when it is said again', () => {
    const project = testProject();
    told(project, ['one', 'Never use globals.'], ['one', 'Go on.'], ['one', 'never use globals']);
    expect(preferences(project)).toMatchObject([{ key: '1.1', seqs: [1, 3] }]);
  });

  test('a retraction of an earlier version, which names a digest of words, is passed over', () => {
    const project = testProject();
    told(project, ['one', 'Never use globals.']);
    tell(project, saw('preference.retracted', { key: '5f3a91c05f3a' }, { session: 'one' }));
    expect(textsOf(project)).toEqual([['rule', 'Never use globals.']]);
  });
});

describe('a retraction', () => {
  const script = new Script('older');
  const prompts = (...said: [text: string, seconds: number][]): string[] =>
    said.map(([text, seconds], n) => script.prompt(text, `p${n}`, { timestamp: at(seconds) }));

  function world(lines: string[], takenBackAt = 100) {
    const made = new World();
    made.now = Date.parse(at(50));
    const project = testProject({ dir: path.dirname(made.root), ports: made.ports });
    told(project, ['one', 'Never use globals. Keep dates in UTC.']);
    made.now = Date.parse(at(takenBackAt));
    retract(project, preferences(project)[0]!.key);
    made.now = Date.parse(at(1000));
    const file = made.put('older.jsonl', lines.join(''));
    return { project, made, file };
  }

  test('stands when a session is imported later in which it was said before', () => {
    const { project, made, file } = world(prompts(['Never use globals.', 10], ['Go on.', 20]));
    made.import(file);
    expect(textsOf(project)).toEqual([['rule', 'Keep dates in UTC.']]);
    expect(restore(project, { mode: 'full', session: 'older' }).text).not.toMatch(
      /^- Never use globals/m,
    );
    const before = [...made.reader.entries()].length;
    made.import(file);
    expect([...made.reader.entries()].length).toBe(before);
  });

  test('stands when such a session is taken up again in the client', () => {
    const { project, made, file } = world(prompts(['Never use globals.', 10]));
    made.reconcile({ path: file, session: 'older' });
    expect(textsOf(project)).toEqual([['rule', 'Keep dates in UTC.']]);
  });

  test('does not hold what was said after it, by the time of the session', () => {
    const { project, made, file } = world(
      prompts(['Never use globals.', 10], ['Never use globals!', 200]),
    );
    made.import(file);
    expect(preferences(project)).toMatchObject([
      { text: 'Keep dates in UTC.' },
      { text: 'Never use globals!', count: 1, sessions: ['older'] },
    ]);
  });

  test('says nothing in a session in which nothing of it was said', () => {
    const { made, file } = world(prompts(['Always write tests.', 10]));
    made.import(file);
    const retractions = [
      ...readEvents(made.reader, made.ports.xxh64, { types: ['preference.retracted'] }),
    ];
    expect(retractions.map(({ session }) => session)).toEqual(['one']);
  });
});
