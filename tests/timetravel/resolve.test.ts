import { describe, expect, test } from 'vitest';
import { journalRange } from '../../src/journal/read/range.ts';
import type { Project } from '../../src/project/open.ts';
import { historyOf } from '../../src/timetravel/history.ts';
import { contextAt } from '../../src/timetravel/replay.ts';
import { type ResolvedPoint, resolvePoint } from '../../src/timetravel/resolve.ts';
import { checkpoint, listSaves, save } from '../../src/timetravel/saves.ts';
import { sessionsAt } from '../../src/timetravel/sessions.ts';
import { errorOf } from '../support.ts';
import { saw, tell } from '../tell.ts';
import { lived } from './lived.ts';
import { imported, testProject, transcript } from './project.ts';

const TODO = transcript('claude-2.1.329-real-todo-app/transcript.jsonl');
const LONG = transcript('claude-v1.0.17-long-edit-session.jsonl');

/** What is wrong, and what to do about it. */
const prompts = (project: Project, point: ResolvedPoint): string[] =>
  contextAt(project, point)
    .state.conversation.messages.filter((one) => one.role === 'user')
    .map((one) => one.content);

describe('points of arrival', () => {
  const project = () => imported(testProject(), TODO);

  test('nothing said is the newest event, with its time', () => {
    const at = project();
    const { last } = journalRange(at.ports, at.reader);
    const head = resolvePoint(at, undefined);
    expect(head).toMatchObject({ text: '@head', seq: last, session: null, cut: { upto: last } });
    expect(head.at).toBeGreaterThan(0);
    expect(resolvePoint(at, '@head')).toEqual(head);
    expect(resolvePoint(at, `@${last}`)).toEqual({ ...head, text: `@${last}` });
    expect(resolvePoint(at, '@-0')).toEqual({ ...head, text: '@-0' });
  });

  test('a number is the state when that event had arrived; @-10 is ten events before the newest', () => {
    const at = project();
    const { last } = journalRange(at.ports, at.reader);
    expect(resolvePoint(at, '@7').cut).toEqual({ upto: 7 });
    expect(resolvePoint(at, '@-10').cut).toEqual({ upto: last - 10 });
    expect(resolvePoint(at, '@0')).toMatchObject({ seq: 0, at: null });
  });

  test('one that the journal does not have is told what it has', () => {
    const at = project();
    const { last } = journalRange(at.ports, at.reader);
    for (const text of [`@${last + 1}`, `@-${last + 1}`]) {
      const { code, message, next } = errorOf(() => resolvePoint(at, text));
      expect(code).toBe('POINT_NOT_FOUND');
      expect(message).toContain(`events 1 to ${last}`);
      expect(next).toContain(`@1 to @${last}`);
    }
  });

  test('a project without a journal has only the point before everything', () => {
    const empty = testProject();
    expect(resolvePoint(empty, undefined)).toMatchObject({ seq: 0, at: null, cut: { upto: 0 } });
    expect(errorOf(() => resolvePoint(empty, '@1')).message).toContain('no events yet');
    expect(errorOf(() => resolvePoint(empty, '@prompt:1')).message).toContain(
      'no session has prompts',
    );
    expect(errorOf(() => resolvePoint(empty, '@session:a')).next).toContain('ben10 import');
  });
});

describe('@prompt and @compaction', () => {
  test('@prompt:n is just before the nth prompt, and -1 before the last', () => {
    const project = imported(testProject(), TODO);
    const [first = '', second = ''] = prompts(project, resolvePoint(project, '@head'));
    expect(first).toContain('Add due dates');
    expect(prompts(project, resolvePoint(project, '@prompt:1'))).toEqual([]);
    expect(prompts(project, resolvePoint(project, '@prompt:2'))).toEqual([first]);
    expect(prompts(project, resolvePoint(project, '@prompt:-1'))).toEqual([first]);
    expect(prompts(project, resolvePoint(project, '@prompt:-2'))).toEqual([]);
    expect(second).toContain('overdue');
  });

  test('the point names the last fact before the prompt', () => {
    const project = imported(testProject(), TODO);
    const { seq, at, session } = resolvePoint(project, '@prompt:2');
    const facts = historyOf(project, session!).map(({ fact }) => fact);
    const prompt = facts.findLastIndex((fact) => fact.type === 'prompt.submitted');
    expect(facts[prompt - 1]).toMatchObject({ seq, at });
    expect(resolvePoint(project, '@prompt:1')).toMatchObject({ seq: 0, at: null });
  });

  test('@compaction:-1 is before the summary, with everything that the agent had said', () => {
    const project = imported(testProject(), TODO);
    const before = contextAt(project, resolvePoint(project, '@compaction:-1')).state.conversation;
    expect(before.summary).toBeNull();
    expect(before.messages.at(-1)?.content).toContain('due dates are kept as ISO strings');
    const after = contextAt(project, resolvePoint(project, '@prompt:2')).state.conversation;
    expect(after.summary).toContain('finish the overdue filter');
  });

  test('two compactions are two points', () => {
    const project = lived(testProject(), 'two-compactions');
    const counts = ['@compaction:1', '@compaction:2', '@head'].map(
      (text) => contextAt(project, resolvePoint(project, text)).state.conversation.compactionCount,
    );
    expect(counts).toEqual([0, 1, 2]);
    expect(resolvePoint(project, '@compaction:-1').cut).toEqual(
      resolvePoint(project, '@compaction:2').cut,
    );
  });

  test('without a session they are about the last active one that has any', () => {
    // The second session of the two was cleared to, and was never compacted.
    const project = lived(testProject(), 'working-session');
    const [newest, older] = sessionsAt(project);
    expect(resolvePoint(project, '@prompt:-1').session).toBe(newest!.session);
    expect(resolvePoint(project, '@compaction:-1').session).toBe(older!.session);
  });

  test('with a session they are about that one, whose id may be shortened', () => {
    const project = lived(testProject(), 'working-session');
    const older = sessionsAt(project)[1]!.session;
    const short = { session: older.slice(0, 6) };
    expect(resolvePoint(project, '@prompt:1', short).session).toBe(older);
    expect(resolvePoint(project, '@head', short).session).toBe(older);
  });

  test('one that the session does not have is told which it has, and who has more', () => {
    const project = lived(testProject(), 'working-session');
    const [newest, older] = sessionsAt(project);
    const far = errorOf(() => resolvePoint(project, '@prompt:-9'));
    expect(far).toMatchObject({ code: 'POINT_NOT_FOUND' });
    expect(far.message).toContain(`session ${newest!.session} has 1`);
    expect(far.next).toContain(`Session ${older!.session} has`);
    const none = errorOf(() =>
      resolvePoint(project, '@compaction:1', { session: newest!.session }),
    );
    expect(none.message).toContain('has no compactions');
    expect(none.next).toContain(older!.session);
  });

  test('prompts on a branch that was abandoned are points like the others', () => {
    const project = lived(testProject(), 'rewound-and-forked');
    const rewound = sessionsAt(project).find(({ session }) => {
      const { state } = contextAt(project, resolvePoint(project, '@head', { session }));
      return state.conversation.abandonedCount > 0;
    })!.session;
    const all = historyOf(project, rewound).filter(({ fact }) => fact.type === 'prompt.submitted');
    const now = prompts(project, resolvePoint(project, '@head', { session: rewound }));
    expect(now.length).toBeLessThan(all.length);
    for (const [index, { fact }] of all.entries()) {
      const point = resolvePoint(project, `@prompt:${index + 1}`, { session: rewound });
      expect(prompts(project, point)).not.toContain((fact.data as { text: string }).text);
      expect(prompts(project, point)).toHaveLength(index);
    }
  });
});

describe('@session', () => {
  test('its start is before its first fact, and its end behind the last', () => {
    const project = imported(testProject(), TODO, LONG);
    const { session } = sessionsAt(project).find((one) => one.title.includes('due dates'))!;
    const start = resolvePoint(project, `@session:${session.slice(0, 8)}`);
    const end = resolvePoint(project, `@session:${session.slice(0, 8)}:end`);
    expect(start).toMatchObject({ session, text: `@session:${session}`, at: null });
    expect(contextAt(project, start).state.createdAt).toBeNull();
    expect(contextAt(project, end).state).toEqual(
      contextAt(project, resolvePoint(project, '@head', { session })).state,
    );
    const seqs = historyOf(project, session).map(({ fact }) => fact.seq);
    expect(start.seq).toBe(Math.min(...seqs) - 1);
    expect(end.seq).toBe(Math.max(...seqs));
  });

  test('an older session is whole at the start of a newer one, whichever was imported first', () => {
    const project = imported(imported(testProject(), TODO), LONG);
    const newer = sessionsAt(project).find((one) => one.title.includes('due dates'))!.session;
    const older = sessionsAt(project).find((one) => one.session !== newer)!.session;
    const start = resolvePoint(project, `@session:${newer}`);
    const whole = contextAt(project, resolvePoint(project, '@head', { session: older })).state;
    expect(contextAt(project, { ...start, session: older }).state).toEqual(whole);
  });

  test('an id that could be several, or none, is told what there is', () => {
    const project = imported(testProject(), transcript(''));
    const ids = sessionsAt(project).map((one) => one.session);
    const both = errorOf(() => resolvePoint(project, '@session:d3'));
    expect(both.message).toContain('the start of 2 sessions');
    for (const id of ids.filter((one) => one.startsWith('d3'))) expect(both.next).toContain(id);
    const none = errorOf(() => resolvePoint(project, '@head', { session: 'zzz' }));
    expect(none).toMatchObject({ code: 'POINT_NOT_FOUND' });
    expect(none.next).toContain(ids[0]);
    expect(none.next).toContain('more');
  });

  test('a point in one session cannot be asked about another', () => {
    const project = imported(testProject(), TODO, LONG);
    const [a, b] = sessionsAt(project).map((one) => one.session);
    const asked = errorOf(() => resolvePoint(project, `@session:${a}`, { session: b! }));
    expect(asked.code).toBe('POINT_INVALID');
  });

  test('a session that is in no list is found in the journal itself', () => {
    const project = testProject();
    const data = { event: 'Notification', payload: {} };
    tell(project, saw('hook.received', data, { session: 'only-a-note' }));
    expect(sessionsAt(project)).toEqual([]);
    expect(resolvePoint(project, '@session:only:end')).toMatchObject({
      session: 'only-a-note',
      seq: 1,
    });
  });
});

describe('@time', () => {
  test('is what had happened by then, that moment included', () => {
    const project = imported(testProject(), TODO);
    const { session } = sessionsAt(project)[0]!;
    const facts = historyOf(project, session);
    const { fact, place } = facts[10]!;
    const at = new Date(place.time).toISOString();
    const point = resolvePoint(project, `@${at}`, { session });
    expect(point.text).toBe(`@${at}`);
    const had = facts.filter((one) => one.place.time <= place.time);
    expect(point).toMatchObject({ seq: had.at(-1)!.fact.seq, at: had.at(-1)!.fact.at });
    expect(had).toContainEqual(
      expect.objectContaining({ fact: expect.objectContaining({ id: fact.id }) }),
    );
    const before = resolvePoint(project, `@${new Date(facts[0]!.place.time - 1).toISOString()}`);
    expect(before).toMatchObject({ seq: 0, at: null });
  });

  test('cuts all sessions, however late the journal came to know of them', () => {
    const project = imported(imported(testProject(), TODO), LONG);
    const byTime = resolvePoint(project, '@2026-01-01T00:00Z');
    expect(byTime.session).toBeNull();
    const { session, state } = contextAt(project, byTime);
    expect(sessionsAt(project, byTime.cut).map((one) => one.session)).toEqual([session]);
    expect(state.directory).toBe('/Users/chip/dev/ai-music');
    expect(new Date(byTime.at!).getUTCFullYear()).toBe(2025);
  });

  test('a time after everything is everything', () => {
    const project = imported(testProject(), TODO);
    const late = resolvePoint(project, '@2999-01-01T00:00Z');
    expect(contextAt(project, late).state).toEqual(
      contextAt(project, resolvePoint(project, '@head')).state,
    );
  });
});

describe('@save and @checkpoint', () => {
  test('are the state of the moment when they were made, in its session', () => {
    const project = imported(testProject(), TODO);
    const { session } = sessionsAt(project)[0]!;
    const saved = save(project, { name: 'before the rest' });
    const made = checkpoint(project);
    imported(project, LONG);
    const point = resolvePoint(project, '@save:before the rest');
    expect(point).toMatchObject({ session, seq: saved.seq, cut: { upto: saved.seq } });
    expect(resolvePoint(project, '@checkpoint:-1')).toMatchObject({ session, seq: made.seq });
    expect(resolvePoint(project, '@checkpoint:1')).toMatchObject({ seq: made.seq });
    expect(contextAt(project, point).state.directory).toBe('/home/dev/todo-app');
  });

  test('a name that was used twice means the newer save', () => {
    const project = imported(testProject(), TODO);
    save(project, { name: 'again' });
    const newer = save(project, { name: 'again' });
    expect(resolvePoint(project, '@save:again').seq).toBe(newer.seq);
  });

  test('what is not there is told what is', () => {
    const project = imported(testProject(), TODO);
    expect(errorOf(() => resolvePoint(project, '@save:x')).message).toContain('nothing is saved');
    expect(errorOf(() => resolvePoint(project, '@save:x')).next).toContain('ben10 save NAME');
    expect(errorOf(() => resolvePoint(project, '@checkpoint:-1')).next).toContain(
      'ben10_checkpoint',
    );
    save(project, { name: 'one' });
    checkpoint(project);
    expect(errorOf(() => resolvePoint(project, '@save:x')).next).toBe('Saved: one');
    expect(errorOf(() => resolvePoint(project, '@checkpoint:2')).next).toContain('@checkpoint:1');
  });

  test('an event that claims the impossible is not believed, and one of another shape is passed over', () => {
    const project = imported(testProject(), TODO);
    const { last } = journalRange(project.ports, project.reader);
    const where = { session: 's', agent: null, at: 5 };
    const { recorder } = project;
    const lies = [
      { name: 'lie', upto: last + 1000, file: '../../etc/passwd' },
      { name: 'lie', upto: 'all' },
      null,
    ];
    for (const data of lies) {
      const seen = { type: 'context.saved' as const, fact: null, ...where, data: data as never };
      recorder.append([recorder.event(seen, 'cli')]);
    }
    expect(resolvePoint(project, '@save:lie').seq).toBe(last);
    expect(listSaves(project)).toMatchObject([{ name: 'lie', bytes: 0 }]);
  });
});
