import { decode, encode } from '@msgpack/msgpack';
import { describe, expect, it } from 'vitest';
import { sessions } from '../../src/projections/folds/sessions.ts';
import { LastActive, type StoredActivity, TURNS_MAX } from '../../src/projections/last-active.ts';
import { sessionAt } from '../../src/timetravel/replay.ts';
import { resolvePoint } from '../../src/timetravel/resolve.ts';
import { sessionsAt } from '../../src/timetravel/sessions.ts';
import { call } from '../log/events.ts';
import { seeded } from '../seeded.ts';
import { openTestProject } from '../support.ts';

const event = (seq: number, at: number | null, type = 'prompt.submitted') => ({ seq, at, type });

describe('the session that was active last', () => {
  it('is at each point of arrival the one with the latest time, of several the one heard of last', () => {
    const active = new LastActive();
    expect(active.eventAt(9)).toBeNull();
    active.saw(event(2, 50), 'a');
    active.saw(event(3, 60), 'b');
    active.saw(event(4, 55), 'a'); // late
    active.saw(event(5, 60), 'a');
    active.saw(event(6, 99, 'transcript.read'), 'b');
    active.saw(event(7, null), 'b');
    expect([1, 2, 3, 4, 5, 9].map((upto) => active.eventAt(upto))).toEqual([null, 2, 3, 3, 5, 5]);
  });

  it('is not known any more of a time before more turns than are kept, and is the same when it was stored', () => {
    const active = new LastActive();
    for (let n = 1; n <= TURNS_MAX + 1; n += 1) active.saw(event(n, n), `${n % 2}`);
    const stored = decode(encode(active.stored())) as StoredActivity;
    for (const one of [active, new LastActive(stored)]) {
      expect(one.eventAt(10)).toBeUndefined();
      expect(one.eventAt(TURNS_MAX - 5)).toBe(TURNS_MAX - 5);
      one.saw(event(TURNS_MAX + 9, TURNS_MAX + 9), 'c');
      expect(one.eventAt(TURNS_MAX + 99)).toBe(TURNS_MAX + 9);
    }
  });

  it('is the one whose state is given where none was asked for, as the list of sessions has it', () => {
    const project = openTestProject();
    const random = seeded(3);
    for (let n = 1; n <= 300; n += 1) {
      const session = `s${Math.floor(random() * 4)}`;
      const at = 1_000_000 + n * 10 + Math.floor(random() * 40) * 1000;
      project.writer.append([call(`t${n}`, `${n}`, { session, at })]);
    }
    for (let upto = 0; upto <= 300; upto += 7) {
      const resolved = resolvePoint(project, `@${upto}`);
      expect(sessionAt(project, resolved)).toBe(sessionsAt(project, { upto })[0]?.session ?? null);
    }
    expect(Object.keys(project.states.at(sessions, null).state.sessions)).toHaveLength(4);
  });
});
