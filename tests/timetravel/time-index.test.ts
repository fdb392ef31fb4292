import { describe, expect, test } from 'vitest';
import type { JournalReader } from '../../src/journal/read/reader.ts';
import type { Project } from '../../src/project/open.ts';
import { readEvents } from '../../src/projections/events.ts';
import { replay } from '../../src/timetravel/replay.ts';
import { resolvePoint } from '../../src/timetravel/resolve.ts';
import { sessionsAt } from '../../src/timetravel/sessions.ts';
import { STRETCH_EVENTS } from '../../src/timetravel/time-index.ts';
import { seeded } from '../seeded.ts';
import { testProject } from './project.ts';

const T0 = Date.parse('2026-11-21T10:00:00Z');
const SECONDS = 4000;
const pointAt = (time: number): string => `@${new Date(time).toISOString()}`;

/** Told live, and in between an older session as a whole, as imports do; some events of no time. */
function project(events: number, seed = 7): Project {
  const made = testProject();
  const random = seeded(seed);
  tell(made, events, (n) => {
    const isImport = (n >> 8) % 3 === 2;
    const at = isImport ? random() * SECONDS : (n / events) * SECONDS;
    return { session: isImport ? 'imported' : `live-${n % 3}`, at: T0 + Math.floor(at * 1000) };
  });
  return made;
}

function tell(
  { recorder }: Project,
  events: number,
  of: (n: number) => { session: string; at: number | null },
): void {
  const all = Array.from({ length: events }, (_, n) => {
    const about = { fact: null, agent: null, ...of(n) };
    return n % 5 === 0
      ? recorder.event({ type: 'prompt.submitted', ...about, data: { text: `${n}` } }, 'hook')
      : recorder.event(
          {
            type: 'message.recorded',
            ...about,
            at: n % 7 === 0 ? null : about.at,
            data: { role: 'assistant', kind: 'text', text: `${n}` },
          },
          'hook',
        );
  });
  for (let from = 0; from < events; from += 256) recorder.append(all.slice(from, from + 256));
}

/** The slow way: everything is looked at. */
function newestBy({ reader, ports }: Project, time: number) {
  let newest: { seq: number; at: number | null } = { seq: 0, at: null };
  for (const { seq, at } of readEvents(reader, ports.xxh64, {}))
    if (at !== null && at <= time && at >= (newest.at ?? 0)) newest = { seq, at };
  return newest;
}

/** The same project; `passed` counts the events that its reader gives. */
function counting(made: Project): { project: Project; passed: () => number } {
  let passed = 0;
  const reader = {
    origin: () => made.reader.origin(),
    *batches(from?: number, to?: number) {
      for (const batch of made.reader.batches(from, to)) {
        passed += batch.length;
        yield batch;
      }
    },
  } as unknown as JournalReader;
  return { project: Object.create(made, { reader: { value: reader } }), passed: () => passed };
}

describe('a time', () => {
  test('has the newest event by then, and the session that was active last, wherever it lies', {
    tags: 'long',
  }, () => {
    const made = project(3 * STRETCH_EVENTS);
    const random = seeded(11);
    const times = [-1, 0, SECONDS, ...Array.from({ length: 12 }, () => random() * SECONDS)];
    for (const seconds of times) {
      const time = T0 + Math.floor(seconds * 1000);
      const point = resolvePoint(made, pointAt(time));
      expect({ seq: point.seq, at: point.at }, pointAt(time)).toEqual(newestBy(made, time));
      const [active] = sessionsAt(made, point.cut);
      expect(replay(made, { point: pointAt(time) }).session).toBe(active?.session ?? null);
    }
  });

  test('is found in few events once the journal was read, and in what was added since', () => {
    const { project: made, passed } = counting(project(8 * STRETCH_EVENTS, 3));
    resolvePoint(made, pointAt(T0));
    const first = passed();
    expect(first).toBeGreaterThanOrEqual(8 * STRETCH_EVENTS);
    const live = testProject();
    tell(live, 8 * STRETCH_EVENTS, (n) => ({ session: 's', at: T0 + n * 1000 }));
    const other = counting(live);
    resolvePoint(other.project, pointAt(T0));
    const before = other.passed();
    resolvePoint(other.project, pointAt(T0 + 2_000_500));
    expect(other.passed() - before).toBeLessThanOrEqual(STRETCH_EVENTS);
    tell(live, 5, () => ({ session: 'later', at: T0 + 9_000_000 }));
    expect(resolvePoint(other.project, pointAt(T0 + 9_000_000))).toMatchObject({
      at: T0 + 9_000_000,
    });
  });
});
