import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { reconcile } from '../../src/capture/reconcile.ts';
import { readEvents } from '../../src/projections/events.ts';
import { cursors } from '../../src/projections/folds/cursors.ts';
import { Script } from '../capture/support/script.ts';
import { openTestProject, scratch } from '../support.ts';
import { hooked } from './run-hook.ts';

/** More than one batch. */
const MESSAGES = 600;

it('what the end of a session had no time to read is read at the next start', async () => {
  const dir = scratch();
  const script = new Script();
  const transcript = path.join(dir, 'long.jsonl');
  const lines = Array.from({ length: MESSAGES }, (_, n) => script.says(`message ${n}`));
  writeFileSync(transcript, lines.join(''));
  const project = openTestProject(dir);
  const { recorder } = project;
  const about = { fact: null, session: 's', agent: null, at: Date.now() };
  const started = { source: 'startup', transcriptPath: transcript, worktree: dir };
  const record = (type: 'session.started' | 'session.ended', data: object) =>
    recorder.append([recorder.event({ type, ...about, data: data as never }, 'hook')]);
  record('session.started', started);
  const { ports, reader, states } = project;
  const source = { path: transcript, session: 's', agent: null, source: 'transcript' as const };
  const known = states.at(cursors, 's').state;
  // It has to stop after the first batch.
  reconcile({ ports, reader, recorder, cursors: known, ...source, hasToStop: () => true });
  record('session.ended', { reason: 'other' });
  const recorded = () =>
    [
      ...readEvents(project.reader, project.ports.xxh64, {
        types: ['message.recorded'],
        session: 's',
      }),
    ].length;
  expect(recorded()).toBeGreaterThan(0);
  expect(recorded()).toBeLessThan(MESSAGES);
  await hooked(dir, 'SessionStart', { source: 'startup', session_id: 'next' });
  expect(recorded()).toBe(MESSAGES);
});

/** A session that went on without ben10 for more than is read while somebody waits. Its last part tells what is on the disk. */
function goneOn() {
  const dir = scratch();
  const script = new Script();
  const file = path.join(dir, 'a.txt');
  const wrote = (id: string, content: string) =>
    script.calls(id, 'Write', { file_path: file, content }) + script.result(id, 'File written');
  const long = Array.from({ length: MESSAGES }, (_, n) => script.says(`${n} ${'x'.repeat(4000)}`));
  const transcript = path.join(dir, 'long.jsonl');
  writeFileSync(transcript, wrote('w1', 'before') + long.join('') + wrote('w2', 'after, as it is'));
  writeFileSync(file, 'after, as it is');
  const project = openTestProject(dir);
  const recorded = () => {
    const query = { types: ['message.recorded'], session: 's' };
    return [...readEvents(project.reader, project.ports.xxh64, query)].length;
  };
  const hook = (event: string, fields = {}) =>
    hooked(dir, event, { transcript_path: transcript, ...fields });
  return { file, recorded, hook };
}

it('of a session that went on for long without ben10 a start reads the first part, and the end of the turn the rest', {
  tags: 'long',
}, async () => {
  const { recorded, hook } = goneOn();
  await hook('SessionStart', { source: 'resume' });
  const first = recorded();
  expect(first).toBeGreaterThan(200);
  expect(first).toBeLessThan(400);
  await hook('UserPromptSubmit', { prompt: 'Go on.', prompt_id: 'p' });
  expect(recorded()).toBeLessThan(MESSAGES);
  await hook('Stop');
  expect(recorded()).toBe(MESSAGES);
});

it('a start that has not read all says nothing of the disk; one that has says what is otherwise', {
  tags: 'long',
}, async () => {
  const { file, hook } = goneOn();
  expect(await hook('SessionStart', { source: 'resume' })).not.toContain('a.txt');
  await hook('Stop');
  expect(await hook('SessionStart', { source: 'resume' })).not.toContain('a.txt');
  writeFileSync(file, 'by somebody else');
  expect(await hook('SessionStart', { source: 'resume' })).toContain('a.txt changed');
});

it('a start after a compaction reads all of it: it is answered with what was held before', async () => {
  const { recorded, hook } = goneOn();
  await hook('SessionStart', { source: 'compact' });
  expect(recorded()).toBe(MESSAGES);
});
