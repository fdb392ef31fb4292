import { describe, expect, it } from 'vitest';
import { context } from '../../../src/projections/folds/context.ts';
import { openTestProject } from '../../support.ts';
import { playTurns, SESSION } from '../session.ts';
import { call, connect, dataOf, eventsOf, textOf } from '../support.ts';

describe('ben10_checkpoint', () => {
  it('marks a point that can be asked for, and stores the state', async () => {
    const server = await connect();
    await playTurns(server, 1);
    const stored = () =>
      openTestProject(server.dir).states.newerThanStored(context, SESSION).stored;
    expect(stored()).toBe(0);
    const made = await dataOf(server, 'ben10_checkpoint');
    expect(made).toMatchObject({ seq: 5, projections: expect.arrayContaining(['context']) });
    expect(eventsOf(server.dir).at(-1)).toMatchObject({
      type: 'checkpoint.created',
      source: 'tool',
    });
    expect(stored()).toBeGreaterThan(0);
    await playTurns(server, 2);
    const { point } = await dataOf<{ point: object }>(server, 'ben10_replay', {
      point: '@checkpoint:-1',
    });
    expect(point).toMatchObject({ seq: 5 });
  });

  it('says that there is nothing to mark yet', async () => {
    const server = await connect();
    const answer = await call(server, 'ben10_checkpoint');
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toMatch(/^CONTEXT_NOT_FOUND: .*\nNext: /);
  });
});
