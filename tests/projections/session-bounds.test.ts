/** @module-tag long */
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../src/journal/format/frame.ts';
import { JournalReader, type ReadItem } from '../../src/journal/read/reader.ts';
import type { Room } from '../../src/journal/read/room.ts';
import { context } from '../../src/projections/folds/context.ts';
import { cursors } from '../../src/projections/folds/cursors.ts';
import { tools } from '../../src/projections/folds/tools.ts';
import { SESSIONS_MAX, SessionBounds } from '../../src/projections/session-bounds.ts';
import { States } from '../../src/projections/states.ts';
import { seeded } from '../seeded.ts';
import { decoders } from '../support.ts';
import { Journal, T0, type Telling } from './support/telling.ts';

let calls = 0;
function call(session: string | null): Telling {
  calls += 1;
  const data = { toolUseId: `t${calls}`, name: 'Bash', input: { command: `${calls}` } };
  return { type: 'tool.called', data, who: { session, at: T0 + calls } };
}
/** What hooks tell of a session without a transcript. */
function hooked(session: string | null, chance: number): Telling {
  if (chance < 0.6) return call(session);
  const who = { session, at: T0 + calls };
  if (chance < 0.8) return { type: 'turn.ended', data: { lastMessage: `Done ${calls}.` }, who };
  return { type: 'prompt.submitted', data: { text: `Do ${calls}.` }, who };
}
const callsOf = (session: string | null, count: number): Telling[] =>
  Array.from({ length: count }, () => call(session));

const boundsOf = (journal: Journal): SessionBounds =>
  new SessionBounds(journal.reader, journal.ports.xxh64, journal.openStore());

const stored = (journal: Journal): string[] => {
  const dir = path.join(journal.layout.checkpoints, 'session-bounds', 'project');
  return readdirSync(dir).map((name) => path.join(dir, name));
};

describe('the bounds of a session', () => {
  it('are the seqs of its first and its newest event, of whatever type', () => {
    const journal = new Journal();
    journal.tell(call('a'), call(null), call('b'), call('a'));
    journal.tell({ type: 'turn.ended', data: {}, who: { session: 'b' } });
    const bounds = boundsOf(journal);
    expect(bounds.of('a')).toEqual({ first: 1, last: 4 });
    expect(bounds.of('b')).toEqual({ first: 3, last: 5 });
    expect(bounds.of('never seen')).toEqual({ first: 0, last: 0 });
  });

  it('follow what is appended', () => {
    const journal = new Journal();
    const bounds = boundsOf(journal);
    expect(bounds.of('a')).toEqual({ first: 0, last: 0 });
    journal.tell(call('a'));
    expect(bounds.of('a')).toEqual({ first: 1, last: 1 });
    journal.tell(call('b'), call('a'));
    expect(bounds.of('a')).toEqual({ first: 1, last: 3 });
  });

  it('are found by what events say of themselves: what is in them is not decoded', () => {
    const journal = new Journal();
    journal.tell(...callsOf('a', 50));
    let payloads = 0;
    class Watched extends JournalReader {
      override *batches(from?: number, to?: number, room?: Room): Generator<ReadItem[]> {
        for (const batch of super.batches(from, to, room))
          yield batch.map(({ entry, segment }) => ({ segment, entry: watched(entry!) }));
      }
    }
    function watched(entry: Entry): Entry {
      const { payload } = entry;
      const get = () => {
        payloads += 1;
        return payload;
      };
      return Object.defineProperty(entry, 'payload', { get });
    }
    const { ports, root } = journal;
    const reader = new Watched(ports, root, decoders);
    const bounds = new SessionBounds(reader, ports.xxh64, journal.openStore());
    expect(bounds.of('a')).toEqual({ first: 1, last: 50 });
    expect(payloads).toBe(50);
  });

  it('are stored, so that the next process reads only what was added', () => {
    const journal = new Journal(10_000);
    for (const one of [...callsOf('a', 200), call('b')]) journal.tell(one);
    boundsOf(journal).of('a');
    expect(stored(journal)).toHaveLength(1);
    journal.tell(call('a'));
    const opened = new Set<string>();
    const fs = {
      ...journal.ports.fs,
      open(...args: Parameters<typeof journal.ports.fs.open>) {
        if (args[0].endsWith('.b10')) opened.add(args[0]);
        return journal.ports.fs.open(...args);
      },
    };
    const reader = new JournalReader({ ...journal.ports, fs }, journal.root, decoders);
    const bounds = new SessionBounds(reader, journal.ports.xxh64, journal.openStore());
    expect(bounds.of('a')).toEqual({ first: 1, last: 202 });
    expect(opened.size).toBeLessThanOrEqual(2);
    expect(reader.segments().length).toBeGreaterThan(4);
  });

  it('are the same when they are read in steps, and asked for between two', () => {
    const journal = new Journal();
    const random = seeded(9);
    const names = ['a', 'b', 'c', null];
    journal.tell(...Array.from({ length: 700 }, () => call(names[Math.floor(random() * 4)]!)));
    const [stepped, asked] = [
      boundsOf(journal),
      new SessionBounds(journal.reader, journal.ports.xxh64, new Journal().openStore()),
    ];
    const steps = stepped.steps();
    for (let n = 0; n < 3; n += 1) expect(steps.next().done).toBe(false);
    const wanted = names.map((name) => asked.of(String(name)));
    expect(names.map((name) => stepped.of(String(name)))).toEqual(wanted);
    for (const _ of steps);
    expect(names.map((name) => stepped.of(String(name)))).toEqual(wanted);
    expect(stepped.activeAt(500)).toBe(asked.activeAt(500));
  });

  it('leave only the newest few of what is stored, however many segments there are', () => {
    const journal = new Journal(5_000);
    for (let round = 0; round < 10; round += 1) {
      for (const one of callsOf('a', 100)) journal.tell(one);
      boundsOf(journal).of('a');
    }
    expect(journal.reader.segments().length).toBeGreaterThan(20);
    expect(stored(journal)).toHaveLength(5);
    expect(boundsOf(journal).of('a')).toEqual({ first: 1, last: 1000 });
  });

  it('are made again when what was stored is damaged, or the disk takes nothing', () => {
    const journal = new Journal();
    journal.tell(...callsOf('a', 150));
    boundsOf(journal).of('a');
    for (const file of stored(journal)) writeFileSync(file, 'x');
    expect(boundsOf(journal).of('a')).toEqual({ first: 1, last: 150 });
    for (const file of stored(journal)) writeFileSync(file, 'x');
    const store = journal.openStore();
    store.save = () => {
      throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    };
    const bounds = new SessionBounds(journal.reader, journal.ports.xxh64, store);
    expect(bounds.of('a')).toEqual({ first: 1, last: 150 });
  });

  it('are the whole journal for a session that is not known once some were dropped', () => {
    const journal = new Journal();
    const count = SESSIONS_MAX + 10;
    for (let from = 0; from < count; from += 1000) {
      const many = Array.from({ length: Math.min(1000, count - from) }, (_, n) =>
        call(`s${from + n}`),
      );
      journal.tell(...many);
    }
    for (const bounds of [boundsOf(journal), boundsOf(journal)]) {
      expect(bounds.of('s0')).toEqual({ first: 1, last: count });
      expect(bounds.of('s10')).toEqual({ first: 11, last: 11 });
    }
    expect(journal.states.at(tools, 's0').state.total).toBe(1);
  });

  it('change no state: sessions in any mixture, asked at any time', () => {
    for (let seed = 1; seed <= 5; seed += 1) {
      const random = seeded(seed);
      const journal = new Journal(30_000);
      for (let round = 0; round < 12; round += 1) {
        const count = 1 + Math.floor(random() * 60);
        const names = ['a', 'b', 'c', null];
        journal.tell(
          ...Array.from({ length: count }, () =>
            hooked(names[Math.floor(random() * 4)]!, random()),
          ),
        );
        const states = random() < 0.5 ? journal.states : fresh(journal);
        for (const session of ['a', 'b', 'c', 'd']) {
          const cut = random() < 0.5 ? {} : { upto: Math.ceil(random() * 400) };
          for (const projection of [context, tools, cursors])
            expect(states.at<unknown>(projection, session, cut).state, `seed ${seed}`).toEqual(
              journal.bare.at<unknown>(projection, session, cut).state,
            );
        }
      }
      journal.close();
    }
  });
});

const fresh = (journal: Journal): States =>
  new States(journal.reader, journal.ports.xxh64, journal.openStore());
