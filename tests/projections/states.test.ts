import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { fact } from '../../src/events/identity.ts';
import { FRAME_KIND } from '../../src/journal/format/format.ts';
import type { Projection } from '../../src/projections/contract.ts';
import { readEvents } from '../../src/projections/events.ts';
import { context } from '../../src/projections/folds/context.ts';
import { cursors } from '../../src/projections/folds/cursors.ts';
import { sessions } from '../../src/projections/folds/sessions.ts';
import { snapshots } from '../../src/projections/folds/snapshots.ts';
import { tools } from '../../src/projections/folds/tools.ts';
import { PART_EVENTS } from '../../src/projections/gather.ts';
import { END } from '../../src/projections/order.ts';
import { KEYFRAME_EVENTS } from '../../src/projections/retention.ts';
import { States } from '../../src/projections/states.ts';
import { confirmed, Journal, reading, T0, type Telling } from './support/telling.ts';

const call = (n: number, who: Telling['who'] = {}): Telling => ({
  type: 'tool.called',
  name: fact.toolCall(`t${n}`),
  data: { toolUseId: `t${n}`, name: 'Bash', input: { command: `${n}` }, trace: { pos: n } },
  who: { at: T0 + n, ...who },
});
const calls = (from: number, to: number, who?: Telling['who']): Telling[] =>
  Array.from({ length: to - from }, (_, n) => call(from + n, who));
const now = (at: number): Telling => reading(null, at);
const LATER = T0 + 3_600_000;

const filesOf = (journal: Journal): string[] =>
  readdirSync(journal.layout.checkpoints, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ckpt'),
  );

describe('a checkpoint that rolls', () => {
  const said = (n: number): Telling => ({
    type: 'message.recorded',
    name: fact.message(`m${n}`, 0),
    data: { role: 'assistant', kind: 'text', text: `${n}`, trace: { pos: n } },
    who: { at: T0 + n },
  });
  /** How many are stored when so many facts were told, and read after each ten. */
  function storedOf(
    told: (n: number) => Telling,
    facts: number,
    checkpointInterval?: number,
  ): number {
    const journal = new Journal();
    const options = checkpointInterval === undefined ? {} : { checkpointInterval };
    for (let n = 0; n < facts; n += 10) {
      journal.tell(...Array.from({ length: 10 }, (_, index) => told(n + index)), now(LATER + n));
      new States(journal.reader, journal.ports.xxh64, journal.openStore(), options).at(
        context,
        's',
      );
    }
    return existsSync(journal.layout.checkpoints)
      ? filesOf(journal).filter((file) => file.startsWith('context/')).length
      : 0;
  }

  test('is stored after ten messages, or as many as the settings say', () => {
    expect(storedOf(said, 30)).toBe(3);
    expect(storedOf(said, 30, 20)).toBe(1);
    expect(storedOf(said, 30, 1000)).toBe(0);
    // Calls between them do not count.
    const mixed = (n: number) => (n % 3 === 0 ? said(n) : call(n));
    expect(storedOf(mixed, 60)).toBe(2);
    expect(storedOf(mixed, 60, 20)).toBe(1);
  });

  test('is stored after ten times as many events where little is said', () => {
    expect(storedOf(call, 100)).toBe(1);
    expect(storedOf(call, 60)).toBe(0);
    expect(storedOf(call, 60, 5)).toBe(1);
  });
});

describe('the state at a point', () => {
  test('says which event it knows last, and what time that was', () => {
    const journal = new Journal();
    expect(journal.states.at(tools, 's')).toEqual({
      state: tools.initial(),
      seq: 0,
      at: null,
      folded: 0,
    });
    journal.tell(...calls(0, 3), { type: 'turn.ended', data: {}, who: { at: T0 + 99 } });
    expect(journal.states.at(tools, 's')).toMatchObject({ seq: 3, at: T0 + 2, folded: 3 });
  });

  test('by arrival knows what had arrived', () => {
    const journal = new Journal();
    journal.tell(...calls(0, 5));
    const counts = [0, 1, 3, 5, 9].map(
      (upto) => journal.states.at(tools, 's', { upto }).state.total,
    );
    expect(counts).toEqual([0, 1, 3, 5, 5]);
  });

  test('by history knows what had happened, whenever it arrived', () => {
    const journal = new Journal();
    journal.tell(call(5), call(1), call(3));
    const justBefore = (pos: number) => ({
      time: T0 + pos,
      rank: 0 as const,
      thread: '',
      position: pos,
    });
    const about = (pos: number) =>
      journal.states.at(tools, 's', { before: justBefore(pos) }).state.runs.map((run) => run.about);
    expect(about(3)).toEqual(['1']);
    expect(about(5)).toEqual(['1', '3']);
    expect(journal.states.at(tools, 's', { before: END }).state.total).toBe(3);
    expect(journal.states.at(tools, 's', { before: justBefore(0) })).toMatchObject({
      seq: 0,
      at: null,
    });
  });

  test('by both knows what of the past was known then', () => {
    const journal = new Journal();
    journal.tell(call(5), call(1), call(3));
    const cut = { upto: 2, before: END };
    expect(journal.states.at(tools, 's', cut).state.runs.map((run) => run.about)).toEqual([
      '1',
      '5',
    ]);
  });

  test('by arrival is folded and stored in parts, however long the way', () => {
    const journal = new Journal();
    for (let from = 0; from < 2 * PART_EVENTS + 10; from += 500)
      journal.tell(...calls(from, from + 500));
    const count = 2 * PART_EVENTS + 500;
    const { state, seq, folded } = journal.states.at(sessions, null);
    expect([state.sessions.s?.toolCalls, seq, folded]).toEqual([count, count, count]);
    const parts = [count, 2 * PART_EVENTS, PART_EVENTS];
    expect(journal.store.list(sessions, null)).toEqual(parts);
    const upto = PART_EVENTS + 3;
    const then = journal.states.at(sessions, null, { upto });
    expect([then.state.sessions.s?.toolCalls, then.folded]).toEqual([upto, 3]);
  });

  test('by arrival gets past any number of events that are not of their shape', () => {
    const journal = new Journal();
    const odd = { type: 'tool.called', data: { odd: true } } as unknown as Telling;
    journal.tell(...Array.from({ length: PART_EVENTS + 1 }, () => odd), call(1));
    expect(journal.states.at(sessions, null).state.sessions.s?.toolCalls).toBe(1);
  });

  test('is the same one as long as nothing of it was added', () => {
    const journal = new Journal();
    journal.tell(call(1));
    const first = journal.states.at(tools, 's');
    journal.tell(call(2, { session: 'other' }), { type: 'turn.ended', data: {} });
    expect(journal.states.at(tools, 's')).toBe(first);
    journal.tell(call(3));
    expect(journal.states.at(tools, 's').state.total).toBe(2);
  });

  test('is found again without reading what was there before', () => {
    const journal = new Journal();
    journal.tell(...calls(0, 1500));
    let passed = 0;
    const counting = {
      origin: () => 'one',
      *batches(from?: number, to?: number) {
        for (const batch of journal.reader.batches(from, to)) {
          passed += batch.length;
          yield batch;
        }
      },
    };
    const states = new States(counting as never, journal.ports.xxh64);
    const first = states.at(snapshots, null); // none was taken: nothing of the journal is in it
    journal.tell(call(1500));
    expect(states.at(snapshots, null)).toBe(first);
    passed = 0;
    journal.tell(call(1501));
    expect(states.at(snapshots, null)).toBe(first);
    expect(passed).toBe(1);
  });

  test('of the past leaves a keyframe where the way was long, and one is enough for its stretch', () => {
    const journal = new Journal();
    journal.tell(...Array.from({ length: 3000 }, (_, n) => call(n, { at: T0 + n * 1000 })));
    const stored = () => journal.store.list(context, 's');
    const folded = (upto: number) => journal.states.at(context, 's', { upto }).folded;
    expect(folded(2490)).toBeGreaterThan(2000);
    expect(folded(2490)).toBeLessThan(KEYFRAME_EVENTS.rolling);
    const before = stored();
    expect(folded(2495)).toBeLessThan(KEYFRAME_EVENTS.rolling);
    expect(stored()).toEqual(before);
    expect(journal.states.at(context, 's', { upto: 2490 }).state).toEqual(
      journal.bare.at(context, 's', { upto: 2490 }).state,
    );
  });

  test('is not that of a journal that was there before', () => {
    const journal = new Journal();
    journal.tell(...calls(0, 150));
    expect(journal.states.at(tools, 's').state.total).toBe(150);
    const other = new Journal();
    other.tell(call(1), call(2));
    rmSync(journal.root, { recursive: true });
    renameSync(other.root, journal.root);
    expect(journal.states.at(tools, 's').state.total).toBe(2);
    expect(journal.states.at(sessions, null).seq).toBe(2);
  });

  test('is of one session, or of none', () => {
    const journal = new Journal();
    journal.tell(call(1), call(2, { session: 'other' }), call(3, { session: null }));
    expect(journal.states.at(tools, 's').state.total).toBe(1);
    expect(journal.states.at(tools, 'other').state.total).toBe(1);
    expect(journal.states.at(tools, 'nobody').state.total).toBe(0);
    expect(Object.keys(journal.states.at(sessions, null).state.sessions)).toEqual(['s', 'other']);
  });
});

describe('stored states', () => {
  test('are made when enough has happened that will not change', () => {
    const journal = new Journal();
    journal.tell(...calls(0, 98), now(LATER));
    journal.states.at(tools, 's');
    expect(journal.store.list(tools as Projection, 's')).toEqual([]);
    journal.tell(...calls(98, 100), now(LATER + 1));
    journal.states.at(tools, 's');
    expect(journal.store.list(tools as Projection, 's')).toHaveLength(1);
    const later = new States(journal.reader, journal.ports.xxh64, journal.openStore());
    expect(later.at(tools, 's')).toMatchObject({ folded: 0, seq: 102 });
    journal.tell(...calls(100, 103));
    const { state, folded } = journal.states.at(tools, 's');
    expect([state.total, folded]).toEqual([103, 3]);
    expect(state).toEqual(journal.bare.at(tools, 's').state);
  });

  test('are made on demand, however little there is, and say their size', () => {
    const journal = new Journal();
    journal.tell(...calls(0, 5), now(LATER));
    const bytes = journal.states.checkpoint(tools, 's');
    expect(bytes).toBeGreaterThan(100);
    expect(journal.states.at(tools, 's').folded).toBe(0);
    expect(journal.bare.checkpoint(tools, 's')).toBe(0);
  });

  test('serve no point before what they know', () => {
    const journal = new Journal();
    journal.tell(...calls(0, 10), now(LATER));
    journal.states.checkpoint(tools, 's');
    for (const upto of [1, 5, 10, 11]) {
      expect(journal.states.at(tools, 's', { upto }).state).toEqual(
        journal.bare.at(tools, 's', { upto }).state,
      );
    }
    const before = { time: T0 + 4, rank: 0 as const, thread: '', position: 4 };
    expect(journal.states.at(tools, 's', { before }).state.total).toBe(4);
  });

  test('are left aside when something turns up that belongs before their end', () => {
    const journal = new Journal();
    journal.tell(...calls(10, 20), now(LATER));
    journal.states.checkpoint(tools, 's');
    journal.tell(call(5));
    const { state, folded } = journal.states.at(tools, 's');
    expect([state.runs[0]?.about, folded]).toEqual(['5', 11]);
  });

  test('are not tried one by one where a transcript of the whole session turns up late', () => {
    const journal = new Journal();
    const turns = 60;
    const at = (n: number) => T0 + 60_000 * n;
    const { reader, ports } = journal;
    for (let n = 1; n <= turns; n += 1) {
      const prompt = { text: `${n}`, promptId: `p${n}` };
      const name = fact.prompt(`p${n}`, 1);
      journal.tell(
        { type: 'prompt.submitted', name, data: prompt, who: { at: at(n) } },
        { type: 'turn.ended', data: {}, who: { at: at(n) + 1 } },
      );
      new States(reader, ports.xxh64, journal.store, { checkpointInterval: 2 }).at(context, 's');
    }
    const stored = journal.store.list(context, 's').length;
    expect(stored).toBeGreaterThan(25);
    const told = Array.from({ length: turns }, (_, n) =>
      confirmed(fact.prompt(`p${n + 1}`, 1), 'prompt.submitted', { pos: n }, { at: at(n + 1) }),
    );
    journal.tell(...told, now(at(turns + 1)));
    const load = vi.spyOn(journal.store, 'load');
    const { state, folded } = new States(reader, ports.xxh64, journal.store).at(context, 's');
    expect(load.mock.calls.length).toBeLessThan(stored / 3);
    expect(folded).toBeGreaterThanOrEqual(turns);
    expect(state).toEqual(journal.bare.at(context, 's').state);
    // What is stored then serves.
    const next = new States(reader, ports.xxh64, journal.store).at(context, 's');
    expect(next.folded).toBeLessThan(3);
  });

  test('of events as they arrived are left aside for a point before any of them', () => {
    const journal = new Journal();
    journal.tell(call(50, { at: T0 + 5000 }), call(60, { at: T0 + 10 }));
    journal.states.checkpoint(sessions, null);
    const before = { time: T0 + 100, rank: 0 as const, thread: '', position: -1 };
    expect(journal.states.at(sessions, null, { before }).state.sessions.s?.toolCalls).toBe(1);
  });

  test.each([
    ['cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ['empty', () => Buffer.alloc(0)],
    [
      'with a flipped bit',
      (bytes: Buffer) => Buffer.from(bytes.map((b, i) => (i === 90 ? b ^ 1 : b))),
    ],
    ['something else', () => Buffer.from('not a checkpoint')],
  ])('are rebuilt when their file is %s', (_, spoil) => {
    const journal = new Journal();
    journal.tell(...calls(0, 10), now(LATER));
    journal.states.checkpoint(tools, 's');
    const file = path.join(journal.layout.checkpoints, filesOf(journal)[0]!);
    writeFileSync(file, spoil(readFileSync(file)));
    expect(journal.states.at(tools, 's')).toMatchObject({ folded: 10, state: { total: 10 } });
  });

  test('that cannot be written stop no reader', () => {
    const journal = new Journal();
    journal.tell(...calls(0, 120), now(LATER));
    writeFileSync(journal.layout.checkpoints, 'a file in its place');
    expect(journal.states.at(tools, 's').state.total).toBe(120);
    expect(() => journal.states.checkpoint(tools, 's')).toThrow();
  });

  test('that cannot be written for a reason of the program’s own are not passed over', () => {
    const journal = new Journal();
    journal.tell(...calls(0, 120), now(LATER));
    const broken = { ...tools, apply: (state: unknown) => ({ state, large: 1n }) };
    expect(() => journal.states.at(broken as never, 's')).toThrow();
  });
});

test('the states of all sessions come from one pass', () => {
  const journal = new Journal();
  const told = { type: 'prompt.submitted' as const, data: { text: 'Hi' } };
  journal.tell(
    { ...told },
    { ...told, who: { session: 'b' } },
    { ...told, who: { session: 'b' } },
    { ...told, who: { session: null } },
  );
  const all = journal.bare.bySession(cursors);
  expect([...all].map(([session, state]) => [session, state.prompts.length])).toEqual([
    ['s', 1],
    ['b', 2],
  ]);
  for (const [session, state] of all)
    expect(state).toEqual(journal.bare.at(cursors, session).state);
});

describe('the facts of a session', () => {
  test('are those of the types asked for, in order, up to a point', () => {
    const journal = new Journal();
    journal.tell(call(5), call(1), { type: 'turn.ended', data: {}, who: { at: T0 + 3 } });
    const seqs = (types: string[], cut = {}) =>
      journal.states.facts('s', types, cut).map(({ fact: one }) => one.seq);
    expect(seqs(['tool.called', 'turn.ended'])).toEqual([2, 3, 1]);
    expect(seqs(['turn.ended'])).toEqual([3]);
    expect(seqs(['tool.called'], { upto: 1 })).toEqual([1]);
    expect(
      seqs(['tool.called'], { before: { time: T0 + 4, rank: 0, thread: '', position: 0 } }),
    ).toEqual([2]);
    expect(seqs([])).toEqual([]);
  });
});

describe('reading events', () => {
  test('picks types, sessions and a range, and decodes nothing else', () => {
    const journal = new Journal();
    journal.tell(call(1), call(2, { session: 'other' }), { type: 'turn.ended', data: {} });
    const read = (query: object) =>
      [...readEvents(journal.reader, journal.ports.xxh64, query)].map(({ seq }) => seq);
    expect(read({})).toEqual([1, 2, 3]);
    expect(read({ types: ['tool.called'] })).toEqual([1, 2]);
    expect(read({ session: 'other' })).toEqual([2]);
    expect(read({ session: null })).toEqual([]);
    expect(read({ from: 2, to: 2 })).toEqual([2]);
    expect(read({ types: ['nothing.known'] })).toEqual([]);
  });

  test('passes over tombstones, bodies that are none, and a type behind another’s tag', () => {
    const journal = new Journal();
    journal.tell(call(1), call(2));
    const entries = [...journal.reader.entries()].flatMap(({ entry }) => (entry ? [entry] : []));
    const [one, two] = entries as [(typeof entries)[0], (typeof entries)[0]];
    const { kind, seq, id, typeTag, payload } = one;
    const fields = { kind, seq, id, typeTag, payload };
    const reader = {
      batches: () => [
        [
          { damage: {}, segment: '' },
          { entry: { ...fields, kind: FRAME_KIND.tombstone }, segment: '' },
          { entry: { ...fields, payload: Buffer.from('x') }, segment: '' },
          { entry: { ...fields, typeTag: two.typeTag }, segment: '' },
        ],
      ],
    };
    const types = ['tool.called'];
    expect([...readEvents(reader as never, journal.ports.xxh64, { types })]).toHaveLength(1);
    expect([
      ...readEvents(reader as never, () => BigInt(two.typeTag), { types: ['turn.ended'] }),
    ]).toEqual([]);
  });
});
