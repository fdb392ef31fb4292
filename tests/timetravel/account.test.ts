import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { renderAccount } from '../../src/timetravel/account.ts';
import { PROJECTIONS, type Replayed, replay } from '../../src/timetravel/replay.ts';
import { timeText } from '../../src/timetravel/text.ts';
import { Script } from '../capture/support/script.ts';
import { importRecords, saw, tell } from '../tell.ts';
import { lived } from './lived.ts';
import { imported, testProject, transcript } from './project.ts';

const TODO = transcript('claude-2.1.329-real-todo-app/transcript.jsonl');

/** Lines of an account without their margins. */
const linesOf = (replayed: Replayed): string[] =>
  renderAccount(replayed)
    .split('\n')
    .map((line) => line.trim());

describe('renderAccount', () => {
  test('tells what the agent knew, did and had open, each with its event', () => {
    const replayed = replay(imported(testProject(), TODO));
    const lines = linesOf(replayed);
    const { seq, at } = replayed.point;
    expect(lines[0]).toBe(`context of session ${replayed.session} at @${seq}, ${timeText(at)}`);
    expect(lines).toContain('in /home/dev/todo-app');
    const places = ['WHAT THE AGENT KNEW', 'WHAT IT DID', 'WHAT IT HAD OPEN'].map((title) =>
      lines.indexOf(title),
    );
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
    const text = lines.join('\n');
    expect(text).toMatch(/@1 +Keep dates as ISO strings and never use a library for them\./);
    expect(text).toMatch(/@\d+ +Decision: due dates are kept as ISO strings/);
    expect(text).toMatch(/@\d+ +src\/todo\.js +changed, 2 edits, \+2 -1 lines/);
    expect(text).toMatch(/@\d+ +failed \(exit 1\) +node --test/);
    expect(text).toMatch(/@\d+ +\[ \] #2 Overdue filter/);
    expect(text).toContain('1 compaction');
  });

  test('a call that came to no end is open, and done tasks are no open ones', () => {
    const long = imported(testProject(), transcript('claude-v1.0.17-long-edit-session.jsonl'));
    const text = renderAccount(replay(long));
    const open = text.slice(text.indexOf('WHAT IT HAD OPEN'));
    expect(open).toMatch(
      /Calls without an outcome \(1\)\n +@\d+ +open +python radical_musical_ai\.py/,
    );
    expect(open).not.toContain('[x]');
    expect(text).toMatch(/Tasks done \(6\)/);
  });

  test('a failure that was mended is not open', () => {
    const project = lived(testProject(), 'working-session');
    const middle = renderAccount(replay(project, { point: '@compaction:-1' }));
    expect(middle).toMatch(/failed \(exit \d\) +sh check\.sh/);
    expect(middle.slice(middle.indexOf('WHAT IT HAD OPEN'))).not.toContain('check.sh');
  });

  test('a failure is mended by a command that only cuts its output otherwise', () => {
    const text = renderAccount(replay(imported(testProject(), TODO)));
    expect(text).toMatch(/failed \(exit 1\) +node --test 2>&1 \| head -40; node --test/);
    expect(text).not.toContain('Failed, and not seen to pass since');
  });

  test('of long lists it shows the newest and says how many there are', () => {
    const long = imported(testProject(), transcript('claude-v1.0.17-long-edit-session.jsonl'));
    const text = renderAccount(replay(long, { projection: 'tools' }));
    expect(text).toContain('59 calls, 4 failed');
    const project = testProject();
    const questions = Array.from({ length: 20 }, (_, n) =>
      saw('prompt.submitted', { text: `Question ${n}` }, { at: n + 1 }),
    );
    tell(project, ...questions);
    const many = renderAccount(replay(project));
    expect(many).toContain('Asked by the user (the last 12 of 20)');
    expect(many).toContain('Question 19');
    expect(many).not.toContain('Question 7');
  });

  test.each(Object.keys(PROJECTIONS))('%s of nothing says so in one line', (projection) => {
    const lines = linesOf(replay(testProject(), { projection }));
    expect(lines[0]).toBe(`${projection} at @0`);
    expect(lines).toHaveLength(3);
    expect(lines[2]).toMatch(/^(?:No |Nothing ).*\.$/);
  });

  test.each([
    ['sessions', /^\S+ +\S+ +\S+ +open +2 prompts +11 calls +1 compaction +Add due dates/m],
    ['files', /@\d+ +\/home\/dev\/todo-app\/src\/todo\.js +changed, 2 edits/],
    ['tools', /Bash +3 calls +1 failed/],
    ['tasks', /2 tasks, 0 done\n@\d+ +\[ \] #1 Add due dates/],
    ['usage', /claude-haiku-4-5 +12 +178000 +600/],
  ])('%s are a list or a table', (projection, row) => {
    const text = renderAccount(replay(imported(testProject(), TODO), { projection }));
    expect(text.replace(/^ +/gm, '')).toMatch(row);
  });

  test('sessions stand in the order in which they were active, however they arrived', () => {
    const project = testProject();
    for (const session of ['late', 'early', 'between']) {
      const minute = { early: 1, between: 3, late: 5 }[session]!;
      const script = new Script(session);
      const timestamp = `2026-11-21T09:0${minute}:00.000Z`;
      const file = path.join(project.dir, `${session}.jsonl`);
      writeFileSync(file, script.prompt('Do it.', `p-${session}`, { timestamp }));
      imported(project, file);
    }
    const text = renderAccount(replay(project, { projection: 'sessions' }));
    expect(text).toContain('3 sessions, the last active at the end');
    expect(text.match(/^ +(?:late|early|between)\b/gm)?.map((one) => one.trim())).toEqual([
      'early',
      'between',
      'late',
    ]);
  });

  test('calls of a branch that was abandoned are marked, and are nothing that is open', () => {
    const project = testProject();
    const script = new Script('s');
    const records = [script.prompt('Sort the list.', 'p1'), script.says('How?')];
    records.push(
      script.prompt('With a script.', 'p2'),
      script.calls('t1', 'Bash', { command: 'abandoned-cmd' }),
      script.result('t1', 'Exit code 7', { is_error: true }),
      script.calls('t2', 'Bash', { command: 'abandoned-wait' }),
    );
    script.rewind(2);
    records.push(script.prompt('By hand.', 'p3'));
    importRecords(project, records);
    const calls = renderAccount(replay(project, { projection: 'tools' }));
    expect(calls).toContain('failed (exit 7, abandoned)  abandoned-cmd');
    expect(calls).toContain('open (abandoned)  abandoned-wait');
    const all = renderAccount(replay(project));
    expect(all).toContain('failed (exit 7, abandoned)  abandoned-cmd');
    expect(all.slice(all.indexOf('WHAT IT HAD OPEN'))).not.toContain('abandoned');
  });

  test('what a session said cannot write on the terminal, nor stand on two lines', () => {
    const project = testProject();
    const session = 's\x1b[2J';
    const evil = 'hello\x1b[2J\x1b]0;owned\x07\nWHAT IT DID\u202e';
    const call = { toolUseId: 't', name: `Bash${evil}`, input: { command: evil } };
    tell(
      project,
      saw('prompt.submitted', { text: evil, cwd: evil }, { session }),
      saw('tool.called', call, { session }),
    );
    for (const projection of Object.keys(PROJECTIONS)) {
      const text = renderAccount(replay(project, { projection }));
      expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
      expect(text.split('\n').filter((line) => line === 'WHAT IT DID')).toHaveLength(
        projection === 'context' ? 1 : 0,
      );
    }
  });
});
