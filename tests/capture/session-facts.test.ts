import { expect, test, vi } from 'vitest';
import { observation } from '../../src/capture/observation.ts';
import { SessionFacts } from '../../src/capture/session-facts.ts';
import { fact, factId } from '../../src/events/identity.ts';
import { World } from './support/world.ts';

const call = (id: string, session: string) =>
  observation(
    'tool.called',
    fact.toolCall(id),
    { session, agent: null, at: 1 },
    { toolUseId: id, name: 'Bash', input: null },
  );
const idOf = (id: string, session: string): string =>
  factId(session, fact.toolCall(id)).toString('hex');

test('a session is looked for among the events that lie between its own, however long the journal is', () => {
  const world = new World();
  const { recorder, reader, states } = world;
  const others = Array.from({ length: 300 }, (_, n) =>
    recorder.event(call(`t${n}`, `other-${n % 7}`), 'hook'),
  );
  recorder.append(others);
  recorder.append([recorder.event(call('mine', 's'), 'hook')]);
  states.boundsOf('s');
  const entries = vi.spyOn(reader, 'entries');
  const facts = new SessionFacts(reader, states);
  expect(facts.of('s').isReported(idOf('mine', 's'))).toBe(true);
  expect(facts.of('nobody').isReported(idOf('mine', 's'))).toBe(false);
  expect(facts.of('other-0').isReported(idOf('t7', 'other-0'))).toBe(true);
  const ranges = entries.mock.calls.map(([from, to]) => [from, to]);
  expect(ranges.slice(0, 2)).toEqual([
    [301, 301],
    [301, 301],
  ]);
  expect(ranges.slice(2, 4)).toEqual([
    [1, 0],
    [1, 0],
  ]);
});

test('what was added to a fact that is gone does not stand for it', () => {
  const { recorder, reader, states } = new World();
  const seen = call('lost', 's');
  recorder.append([recorder.enrichment(seen, idOf('lost', 's'), {}, 'transcript')]);
  const enriched = factId('s', fact.enriched(idOf('lost', 's'))).toString('hex');
  expect(new SessionFacts(reader).of('s').isTraced(enriched)).toBe(true);
  expect(new SessionFacts(reader, states).of('s').isTraced(enriched)).toBe(false);
});

test('what the user took back is known whatever session it was in, once one was asked for', () => {
  const { recorder, reader, states } = new World();
  const where = { session: 'old', agent: null, at: 5 };
  const taken = observation('preference.retracted', null, where, {
    key: '1.1',
    text: 'Never use globals.',
  });
  recorder.append([recorder.event(taken, 'cli')]);
  for (const facts of [new SessionFacts(reader), new SessionFacts(reader, states)]) {
    expect(facts.retractions).toEqual([]);
    facts.of('new');
    expect(facts.retractions).toMatchObject([{ text: 'Never use globals.', at: 5 }]);
  }
});
