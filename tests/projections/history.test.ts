import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JournalEvent } from '../../src/events/types.ts';
import { ArrivalHistory } from '../../src/projections/arrival-history.ts';
import { foldAll } from '../../src/projections/folding.ts';
import { sessions } from '../../src/projections/folds/sessions.ts';
import { SessionHistory } from '../../src/projections/history.ts';
import { LAG_MS } from '../../src/projections/settling.ts';
import { event, idOf as id, T0 } from './support/telling.ts';

const prompt = (seq: number, text: string, fields: object = {}) =>
  event(seq, 'prompt.submitted', { text }, fields);
const traced = (seq: number, text: string, pos: number, fields: object = {}) =>
  event(seq, 'prompt.submitted', { text, trace: { pos } }, { source: 'transcript', ...fields });
const enriched = (seq: number, of: string, data: object, fields: object = {}): JournalEvent =>
  event(seq, 'fact.enriched', { of, type: 'prompt.submitted', ...data }, fields);
const read = (seq: number, fields: object = {}, data: object = {}): JournalEvent =>
  event(
    seq,
    'transcript.read',
    { path: '/t', from: 0, to: 1, tail: '', records: 0, malformed: 0, unknown: {}, ...data },
    fields,
  );

function historyOf(...events: JournalEvent[]): SessionHistory {
  const history = new SessionHistory();
  for (const one of events) history.add(one);
  return history;
}
const texts = (history: SessionHistory): unknown[] =>
  history.ordered().map(({ fact }) => (fact.data as { text: unknown }).text);

describe('what several witnesses say of one fact', () => {
  test('is one fact, with what the later one knows better, at the transcript’s place and time', () => {
    const history = historyOf(
      prompt(1, 'Go'),
      enriched(2, id(1), { trace: { pos: 40 }, more: { text: 'Go on.' } }, { at: T0 - 7 }),
    );
    expect(history.ordered().map(({ fact }) => fact)).toEqual([
      expect.objectContaining({
        seq: 1,
        source: 'hook',
        at: T0 - 7,
        trace: { pos: 40 },
        data: { text: 'Go on.' },
      }),
    ]);
  });

  test('keeps the hook’s time where the transcript says none', () => {
    const history = historyOf(
      prompt(1, 'Go'),
      enriched(2, id(1), { trace: { pos: 4 } }, { at: null }),
    );
    expect(history.ordered()[0]?.fact.at).toBe(T0 + 1);
  });

  test('says whose it was where the hook did not', () => {
    const history = historyOf(
      prompt(1, 'Go'),
      enriched(2, id(1), { trace: { pos: 4 } }, { agent: 'sidechain-1' }),
    );
    expect(history.ordered()[0]?.fact.agent).toBe('sidechain-1');
  });

  test('does not make it something else', () => {
    const history = historyOf(prompt(1, 'Go'), enriched(2, id(1), { more: { text: 5 } }));
    expect(texts(history)).toEqual(['Go']);
  });

  test('is told twice under one id: the first stands, at the place that only the second knows', () => {
    const twice = historyOf(prompt(1, 'hook'), traced(2, 'transcript', 40, { id: id(1) }));
    expect(twice.ordered()).toHaveLength(1);
    expect(twice.ordered()[0]?.fact).toMatchObject({ data: { text: 'hook' }, trace: { pos: 40 } });
    const other = historyOf(traced(1, 'transcript', 40), prompt(2, 'hook', { id: id(1) }));
    expect(other.ordered()[0]?.fact).toMatchObject({ seq: 1, trace: { pos: 40 }, at: T0 + 1 });
  });

  test('is passed over when nobody has told the fact', () => {
    expect(historyOf(enriched(2, id(1), { trace: { pos: 4 } })).ordered()).toEqual([]);
  });
});

test('events that are not what their type says are passed over', () => {
  const broken = [
    event(1, 'prompt.submitted', null as never),
    event(2, 'prompt.submitted', { text: 5 } as never),
    event(3, 'fact.enriched', { of: 5 } as never),
    event(4, 'prompt.submitted', { text: 'later' }, { version: 99 }),
    event(5, 'transcript.read', 'x' as never),
  ];
  expect(historyOf(...broken).ordered()).toEqual([]);
  const arrival = new ArrivalHistory();
  for (const one of broken) arrival.add(one);
  expect(arrival.ordered()).toEqual([]);
});

test('events of unknown types have a place, whatever is in them', () => {
  const odd = { ...prompt(1, 'x'), type: 'later.thing', data: null };
  expect(historyOf(odd).ordered()[0]?.place).toEqual({
    time: T0 + 1,
    rank: 1,
    thread: '',
    position: 1,
  });
  const arrival = new ArrivalHistory();
  arrival.add(odd);
  expect(arrival.ordered()).toHaveLength(1);
});

test('the order of arrival does not matter once a transcript has told the place', () => {
  const positions = fc.uniqueArray(fc.nat(500), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(positions, fc.infiniteStream(fc.nat()), (list, chance) => {
      const shuffled = [...list]
        .map((pos) => ({ pos, at: chance.next().value as number }))
        .sort((a, b) => a.at - b.at);
      const events = shuffled.map(({ pos }, n) => traced(n + 1, `${pos}`, pos, { at: T0 + pos }));
      expect(texts(historyOf(...events))).toEqual([...list].sort((a, b) => a - b).map(String));
    }),
  );
});

describe('how far a history is settled', () => {
  const settled = (...events: JournalEvent[]): unknown[] => {
    const history = historyOf(...events);
    const placed = history.ordered();
    const { count } = history.settled(placed);
    return placed.slice(0, count).map(({ fact }) => (fact.data as { text?: unknown }).text);
  };
  /** So much later that nothing can be lagging behind any more. */
  const later = { at: T0 + 10 * LAG_MS };

  test('is up to what a transcript has told, when nothing can come in before any more', () => {
    expect(settled(traced(1, 'a', 10), traced(2, 'b', 20), read(3, later))).toEqual(['a', 'b']);
  });

  test('is not up to what was told just now where there are several threads: they write late', () => {
    const near = { at: T0 + LAG_MS, agent: 'a9' };
    expect(settled(traced(1, 'a', 10), traced(2, 'b', 20), read(3, near))).toEqual([]);
    const next = { at: T0 + LAG_MS + 1, agent: 'a9' };
    expect(settled(traced(1, 'a', 10), traced(2, 'b', 20), read(3, next))).toEqual(['a']);
  });

  test('is up to what a thread told just now that is the only one', () => {
    expect(settled(traced(1, 'a', 10), traced(2, 'b', 20), read(3))).toEqual(['a', 'b']);
  });

  test('is not beyond what a hook told and the transcript did not confirm yet', () => {
    const told = prompt(2, 'hook');
    const events = [traced(1, 'a', 10), told, traced(3, 'b', 20)];
    expect(settled(...events, read(4, later))).toEqual(['a']);
    const again = enriched(4, id(2), { trace: { pos: 15 } }, { at: T0 + 2 });
    expect(settled(...events, again, read(5, later))).toEqual(['a', 'hook', 'b']);
  });

  test('is beyond it when two readings to the end did not find it', () => {
    const events = [traced(1, 'a', 10), prompt(2, 'hook'), traced(3, 'b', 20), read(4, later)];
    expect(settled(...events)).toEqual(['a']);
    expect(settled(...events, read(5, later, { partial: true }))).toEqual(['a']);
    expect(settled(...events, read(5, { ...later, agent: 'a9' }))).toEqual(['a']);
    expect(settled(...events, read(5, later))).toEqual(['a', 'hook', 'b']);
    // Readings from before it was told have not looked for it.
    expect(settled(read(1, later), read(2, later), prompt(3, 'hook'), read(4, later))).toEqual([]);
  });

  test('is beyond what no transcript carries', () => {
    const ended = event(2, 'turn.ended', {});
    expect(settled(traced(1, 'a', 10), ended, traced(3, 'b', 20), read(4, later))).toEqual([
      'a',
      undefined,
      'b',
    ]);
  });

  const ended = (seq: number, fields: object = later) => event(seq, 'turn.ended', {}, fields);

  test('is beyond it when two turns ended behind it, where there is no transcript that could carry it', () => {
    const told = [prompt(1, 'one'), ended(2), prompt(3, 'two', later)];
    expect(settled(...told)).toEqual([]);
    expect(settled(...told, ended(4))).toEqual(['one', undefined]);
    // One end that is told twice is one, and that of a sub-agent is none.
    const twice = [prompt(1, 'one'), ended(2), ended(3), ended(4, { ...later, agent: 'a9' })];
    expect(settled(...twice)).toEqual([]);
  });

  test('is beyond it when two prompts came behind it: a turn that was interrupted has no end', () => {
    const told = [prompt(1, 'one'), prompt(2, 'two', later)];
    expect(settled(...told)).toEqual([]);
    expect(settled(...told, prompt(3, 'three', later))).toEqual(['one']);
    // What a transcript tells in one piece is no end of anything.
    expect(settled(...told, traced(3, 'three', 30, later))).toEqual([]);
  });

  test('is beyond what a sub-agent’s hooks told, of which there is no transcript, when two turns of the main thread ended', () => {
    const main = (seq: number) => traced(seq, `${seq}`, seq, { at: T0 + seq });
    const told = [main(1), prompt(2, 'of a9', { agent: 'a9' }), main(3), read(4, later)];
    expect(settled(...told, ended(5))).toEqual(['1']);
    expect(settled(...told, ended(5), main(6), read(7, later))).toEqual(['1']);
    const next = { at: T0 + 20 * LAG_MS };
    expect(settled(...told, ended(5), prompt(6, 'next', next), ended(7, next))).toEqual([
      '1',
      'of a9',
      '3',
      undefined,
    ]);
  });

  test('is not beyond it while a transcript is read in parts: it may be in the rest', () => {
    const turn = (seq: number) => [prompt(seq, `${seq}`, later), ended(seq + 1)];
    const part = (seq: number, agent: string | null = null) =>
      read(seq, { ...later, agent }, { partial: true });
    const told = [prompt(1, 'one'), ...turn(2)];
    expect(settled(...told, ...turn(4))).not.toEqual([]);
    expect(settled(...told, part(4), ...turn(5))).toEqual([]);
    // The main thread’s is read first, and until that is done no other.
    const of = prompt(1, 'of a9', { agent: 'a9' });
    expect(settled(of, ...turn(2), part(4), ...turn(5))).toEqual([]);
    expect(settled(of, ...turn(2), part(4, 'a9'), ...turn(5))).toEqual([]);
    expect(settled(of, ...turn(2), part(4, 'a8'), ...turn(5))).not.toEqual([]);
    // Nobody has read on since: it is gone.
    expect(settled(...told, part(4), ...turn(5), ...turn(7))).not.toEqual([]);
  });

  test('is not waited for any longer in a thread that is alone, however fast its turns are', () => {
    const turn = (seq: number) => [prompt(seq, `${seq}`), ended(seq + 1, { at: T0 + seq + 1 })];
    const turns = [...turn(1), ...turn(3), ...turn(5)];
    expect(settled(...turns)).toEqual(['1', undefined, '3', undefined]);
    const beside = prompt(7, 'of a9', { agent: 'a9' });
    expect(settled(...turns, beside)).toEqual([]);
  });

  test('is beyond anything that 2,000 facts came after', () => {
    const many = Array.from({ length: 2001 }, (_, n) =>
      traced(n + 2, `${n}`, n, { at: T0 + 10 + n }),
    );
    expect(settled(prompt(1, 'hook', { at: T0 }), ...many.slice(0, 1999))).toEqual([]);
    expect(settled(prompt(1, 'hook', { at: T0 }), ...many.slice(0, 2000))[0]).toBe('hook');
  });
});

describe('what comes after a stored state', () => {
  const later = { at: T0 + 10 * LAG_MS };
  /** The frontier behind two facts, and one that is open. */
  function frontier() {
    const history = historyOf(
      traced(1, 'a', 10),
      prompt(2, 'open', { at: T0 + 5 }),
      traced(3, 'b', 20, { at: T0 + 3 }),
      enriched(4, id(3), { trace: { pos: 20 } }, { at: T0 + 3 }),
      read(5, later),
    );
    const { count, frontier: made } = history.settled(history.ordered());
    expect(count).toBe(2);
    expect(made).toMatchObject({ seq: 1, folded: [3], last: 5, reached: [['', 20]] });
    return made;
  }
  function goOn(events: JournalEvent[], types = ['prompt.submitted']): SessionHistory {
    const history = new SessionHistory(frontier(), types);
    for (const one of events) history.add(one);
    history.ordered();
    return history;
  }
  /** All that the journal has from the frontier’s seq on. */
  const known = () => [
    prompt(2, 'open', { at: T0 + 5 }),
    traced(3, 'b', 20, { at: T0 + 3 }),
    enriched(4, id(3), { trace: { pos: 20 } }, { at: T0 + 3 }),
    read(5, later),
  ];

  test('is what was open and what is new; what is in the state is not told again', () => {
    const history = goOn([...known(), traced(6, 'c', 30, later)]);
    expect(history.late).toBe(false);
    expect(texts(history)).toEqual(['open', 'c']);
  });

  test('may be about what was open', () => {
    const history = goOn([...known(), enriched(6, id(2), { trace: { pos: 25 } }, { at: T0 + 5 })]);
    expect(history.late).toBe(false);
    expect(history.ordered()[0]?.fact.trace).toEqual({ pos: 25 });
  });

  test('makes the state unusable when it is about a fact in there', () => {
    expect(goOn([...known(), enriched(6, id(3), { more: { text: 'x' } }, later)]).late).toBe(true);
    const twice = traced(6, 'b', 20, { id: id(3), ...later });
    expect(goOn([...known(), twice]).late).toBe(true);
  });

  test('makes no difference when it is about facts of types that are not in there', () => {
    const other = enriched(6, id(77), { type: 'tool.called', trace: { pos: 50 } }, later);
    expect(goOn([...known(), other]).late).toBe(false);
    expect(goOn([...known(), other], ['tool.called']).late).toBe(true);
  });

  test('makes the state unusable when it belongs before its end, by time or by transcript', () => {
    expect(goOn([...known(), traced(6, 'x', 15, { at: T0 + 2 })]).late).toBe(true);
    expect(goOn([...known(), traced(6, 'x', 15, later)]).late).toBe(true);
    expect(
      goOn([...known(), event(6, 'prompt.submitted', { text: 'x' }, { at: T0 + 1 })]).late,
    ).toBe(true);
    // Another thread's transcript has positions of its own.
    expect(goOn([...known(), traced(6, 'x', 15, { ...later, agent: 'a9' })]).late).toBe(false);
  });

  test('a hook that is repeated is not told again', () => {
    const history = goOn([...known(), prompt(6, 'a', { id: id(1), ...later })]);
    expect(history.late).toBe(false);
    expect(texts(history)).toEqual(['open']);
  });
});

// Of a UUIDv7 the first half is the time, and twelve bits of chance.
test('two ids that were made in one millisecond are two facts, on stored states as well', () => {
  const [one, two] = ['9111a0000000b000', '9222b0000000c000'].map(
    (half) => `019ab1234567789a${half}`,
  ) as [string, string];
  const history = historyOf(traced(1, 'a', 10, { id: one }), read(2, { at: T0 + 10 * LAG_MS }));
  const { count, frontier } = history.settled(history.ordered());
  expect(count).toBe(1);
  const later = new SessionHistory(frontier, ['prompt.submitted']);
  for (const [seq, id] of [one, two].entries())
    later.add(prompt(seq + 3, id, { id, at: T0 + 20 * LAG_MS }));
  expect(texts(later)).toEqual([two]);
  const arrived = new ArrivalHistory();
  for (const [n, id] of [one, two, one].entries()) arrived.add(prompt(n + 1, 'x', { id }));
  const state = foldAll(sessions, sessions.initial(), arrived.ordered());
  expect(Object.values(state.sessions)).toMatchObject([{ prompts: 2 }]);
});

describe('events as they arrived', () => {
  test('are all there, in their own order, and settled', () => {
    const history = new ArrivalHistory();
    for (const one of [
      prompt(1, 'a', { at: T0 + 9 }),
      prompt(2, 'b', { at: T0 }),
      prompt(3, 'a', { id: id(1), at: null }),
    ]) {
      history.add(one);
    }
    const placed = history.ordered();
    expect(placed.map(({ fact }) => [fact.seq, fact.at])).toEqual([
      [1, T0 + 9],
      [2, T0],
      [3, 0],
    ]);
    const { count, frontier } = history.settled(placed);
    expect(count).toBe(3);
    // The latest place is not that of the last event.
    expect(frontier).toMatchObject({ seq: 3, last: 3, place: { time: T0 + 9 } });
  });

  test('go on from a stored state', () => {
    const first = new ArrivalHistory();
    first.add(prompt(7, 'a'));
    const { frontier } = first.settled(first.ordered());
    expect(new ArrivalHistory(frontier).settled([]).frontier).toEqual(frontier);
  });
});
