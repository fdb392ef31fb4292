import { describe, expect, test } from 'vitest';
import type { ContextState } from '../../src/projections/folds/context.ts';
import type { SessionsState } from '../../src/projections/folds/sessions.ts';
import { PROJECTIONS, replay, replaying } from '../../src/timetravel/replay.ts';
import { sessionsAt } from '../../src/timetravel/sessions.ts';
import { errorOf } from '../support.ts';
import { lived } from './lived.ts';
import { imported, testProject, transcript } from './project.ts';

const TODO = transcript('claude-2.1.329-real-todo-app/transcript.jsonl');

describe('replay', () => {
  test('says the point, the projection with its version, the session and the state', () => {
    const project = imported(testProject(), TODO);
    const { session } = sessionsAt(project)[0]!;
    const found = replay(project, { point: '@20', projection: 'tasks' });
    expect(Object.keys(found)).toEqual(['point', 'projection', 'version', 'session', 'state']);
    expect(found).toMatchObject({
      point: { seq: 20 },
      projection: 'tasks',
      version: PROJECTIONS.tasks!.version,
      session,
    });
    expect(found.point.at).toBeGreaterThan(0);
    expect(JSON.parse(JSON.stringify(found))).toEqual(found);
  });

  test('goes in short steps for who is waited for, and comes to the same', () => {
    const project = imported(testProject(), TODO);
    const steps = replaying(project, { point: '@-1' });
    let count = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) {
      count += 1;
      // Somebody else asks meanwhile.
      replay(project, { point: `@${10 + count}` });
    }
    expect(count).toBeGreaterThan(5);
    expect(step.value).toEqual(replay(imported(testProject(), TODO), { point: '@-1' }));
  });

  test('is the context of everything when nothing is said', () => {
    const project = imported(testProject(), TODO);
    const found = replay(project);
    expect(found.projection).toBe('context');
    expect((found.state as ContextState).conversation.compactionCount).toBe(1);
  });

  test('each part of a context is the projection of that name', () => {
    const project = lived(testProject(), 'working-session');
    const whole = replay(project, { point: '@compaction:-1' }).state as ContextState;
    for (const projection of ['files', 'tools', 'tasks', 'usage'] as const) {
      const { state, version } = replay(project, { point: '@compaction:-1', projection });
      expect(state).toEqual(whole[projection]);
      expect(version).toBe(PROJECTIONS[projection]!.version);
    }
  });

  test('without a session it is about the one that was active last at the point', () => {
    const project = lived(testProject(), 'working-session');
    const [newest, older] = sessionsAt(project).map((one) => one.session);
    expect(replay(project).session).toBe(newest);
    expect(replay(project, { point: '@20' }).session).toBe(older);
    expect(replay(project, { session: older!.slice(0, 8) }).session).toBe(older);
  });

  test('sessions are of the whole project', () => {
    const project = lived(testProject(), 'two-sessions');
    const found = replay(project, { projection: 'sessions' });
    expect(found.session).toBeNull();
    expect((found.state as SessionsState).count).toBe(2);
    expect(
      (replay(project, { projection: 'sessions', point: '@0' }).state as SessionsState).count,
    ).toBe(0);
  });

  test('an empty project has an empty context', () => {
    const found = replay(testProject());
    expect(found).toMatchObject({ point: { seq: 0, at: null }, session: null });
    expect(found.state).toEqual(PROJECTIONS.context!.initial());
  });

  test.each(['contexts', '__proto__', 'toString', ''])(
    'there is no projection %j, and the error says which there are',
    (projection) => {
      const { code, next } = errorOf(() => replay(testProject(), { projection }));
      expect([code, next]).toEqual(['USAGE', expect.stringContaining('context, sessions, files')]);
    },
  );
});
