import { describe, expect, test } from 'vitest';
import { historyOf } from '../../src/timetravel/history.ts';
import { eventsUpto } from '../../src/timetravel/replay.ts';
import { resolvePoint } from '../../src/timetravel/resolve.ts';
import { sessionsAt } from '../../src/timetravel/sessions.ts';
import { lived } from './lived.ts';
import { imported, testProject, transcript } from './project.ts';

describe('eventsUpto', () => {
  test('a point of arrival has its events as they came, each id once', () => {
    const project = lived(testProject(), 'two-sessions');
    const events = eventsUpto(project, resolvePoint(project, '@20'));
    expect(events.map((event) => event.seq)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    const all = eventsUpto(project, resolvePoint(project, '@head'));
    expect(new Set(all.map((event) => event.id)).size).toBe(all.length);
    expect(new Set(all.map((event) => event.session)).size).toBe(2);
  });

  test('an id that was appended twice is there once, by its first event', () => {
    const project = testProject();
    const { recorder, ports } = project;
    const where = { session: 's', agent: null, at: 5 };
    const said = (text: string) =>
      recorder.event({ type: 'prompt.submitted', fact: 'p', ...where, data: { text } }, 'hook');
    recorder.append([said('first')]);
    // Far enough back for a fresh writer not to see it.
    const filler = Array.from({ length: 40 }, (_, n) => ({
      ...said('x'.repeat(4000)),
      id: Buffer.alloc(16, n + 1),
    }));
    recorder.append(filler);
    project.close();
    const again = testProject({ dir: project.dir, ports });
    again.recorder.append([said('second')]);
    const events = eventsUpto(again, resolvePoint(again, '@head'));
    expect(resolvePoint(again, '@head').seq).toBe(42);
    expect(
      events.filter((event) => (event.data as { text: string }).text.length < 10),
    ).toMatchObject([{ seq: 1, data: { text: 'first' } }]);
  });

  test('a point with a session has the events of that one', () => {
    const project = lived(testProject(), 'two-sessions');
    const { session } = sessionsAt(project)[1]!;
    const events = eventsUpto(project, resolvePoint(project, '@head', { session }));
    expect(new Set(events.map((event) => event.session))).toEqual(new Set([session]));
  });

  test('a point of history has facts in the order in which they happened, with all that is known of them', () => {
    const project = lived(testProject(), 'working-session');
    const point = resolvePoint(project, '@compaction:-1');
    const events = eventsUpto(project, point);
    expect(events.at(-1)).toMatchObject({ seq: point.seq, at: point.at });
    const facts = historyOf(project, point.session!, point.cut).map(({ fact }) => fact.id);
    const ids = events.map((event) => event.id);
    expect(ids.filter((id) => facts.includes(id))).toEqual(facts);
    expect(events.some((event) => event.type === 'fact.enriched')).toBe(false);
    const prompt = events.find((event) => event.type === 'prompt.submitted')!;
    expect(prompt.source).toBe('hook');
    expect(prompt.data).toHaveProperty('text');
  });

  test('a time has the facts of all sessions up to it', () => {
    const project = imported(
      imported(testProject(), transcript('claude-2.1.329-real-todo-app/transcript.jsonl')),
      transcript('claude-v1.0.98-short.jsonl'),
    );
    const [a, b] = sessionsAt(project);
    const late = eventsUpto(project, resolvePoint(project, '@2999-01-01T00:00Z'));
    expect(new Set(late.map((event) => event.session))).toEqual(new Set([a!.session, b!.session]));
    const times = late.map((event) => event.at!);
    expect(times[0]).toBeLessThan(Date.UTC(2026, 0, 1));
    expect(times.at(-1)).toBeGreaterThan(Date.UTC(2026, 0, 1));
    const early = eventsUpto(project, resolvePoint(project, '@2026-01-01T00:00Z'));
    expect(early.length).toBeGreaterThan(0);
    expect(early.every((event) => event.at! < Date.UTC(2026, 0, 1))).toBe(true);
  });

  test('a limit keeps the newest', () => {
    const project = lived(testProject(), 'two-sessions');
    const point = resolvePoint(project, '@20');
    expect(eventsUpto(project, point, { limit: 3 }).map((event) => event.seq)).toEqual([
      18, 19, 20,
    ]);
    expect(eventsUpto(project, point, { limit: 100 })).toHaveLength(20);
    expect(eventsUpto(project, point, { limit: 0 })).toEqual([]);
  });
});
