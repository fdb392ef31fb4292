import { expect, test } from 'vitest';
import { observation } from '../../src/capture/observation.ts';
import { withWaiting } from '../../src/capture/reconcile.ts';
import { fact } from '../../src/events/identity.ts';
import { cursors } from '../../src/projections/folds/cursors.ts';
import { World } from './support/world.ts';

const call = (id: string, session = 's') =>
  observation(
    'tool.called',
    fact.toolCall(id),
    { session, agent: null, at: 1 },
    {
      toolUseId: id,
      name: 'Bash',
      input: null,
    },
  );
const event = (id: string, session?: string) =>
  new World().recorder.event(call(id, session), 'hook');

test('what waits in the inbox of the session counts as told', () => {
  const state = Object.freeze(cursors.initial());
  const ended = new World().recorder.event(
    observation('turn.ended', null, { session: 's', agent: null, at: 1 }, {}),
    'hook',
  );
  const told = withWaiting(state, [event('t1'), event('t2', 'other'), ended], 's');
  expect(Object.values(told.untraced)).toEqual(['tool.called']);
  expect(state.untraced).toEqual({});
});

test('nothing waiting changes nothing', () => {
  const state = cursors.initial();
  expect(withWaiting(state, [], 's')).toBe(state);
  expect(withWaiting(state, [event('t2', 'other')], 's')).toBe(state);
});

test('what is no event is passed over, and so is what an append would leave', () => {
  const { id, typeTag, durability } = event('t1');
  const nonsense = { id, typeTag, durability, payload: Buffer.from('nonsense') };
  const many = Array.from({ length: 300 }, (_, n) => event(`t${n}`));
  const told = withWaiting(cursors.initial(), [nonsense, ...many], 's');
  expect(Object.keys(told.untraced)).toHaveLength(255);
});
