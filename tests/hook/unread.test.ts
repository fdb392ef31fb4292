import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { reconcile } from '../../src/capture/reconcile.ts';
import { readEvents } from '../../src/projections/events.ts';
import { cursors } from '../../src/projections/folds/cursors.ts';
import { Script } from '../capture/support/script.ts';
import { openTestProject, scratch } from '../support.ts';
import { runHook } from './run-hook.ts';

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
  // Its time is over after the first batch.
  reconcile({ ports, reader, recorder, cursors: known, ...source, deadline: 0 });
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
  const start = (session: string) =>
    runHook(dir, 'SessionStart', {
      hook_event_name: 'SessionStart',
      source: 'startup',
      session_id: session,
      cwd: dir,
    });
  expect(await start('next')).toMatchObject({ code: 0, stderr: '' });
  expect(recorded()).toBe(MESSAGES);
});
