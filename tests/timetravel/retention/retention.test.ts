import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { listBlobs } from '../../../src/journal/append/blobs.ts';
import { eraseEvents } from '../../../src/journal/erase/erase.ts';
import { readManifest } from '../../../src/journal/format/manifest.ts';
import { journalRange } from '../../../src/journal/read/range.ts';
import { JournalReader } from '../../../src/journal/read/reader.ts';
import { verifyJournal } from '../../../src/journal/verify/verify.ts';
import { findEvent } from '../../../src/log/find.ts';
import { Ben10Error } from '../../../src/platform/errors.ts';
import type { Project } from '../../../src/project/open.ts';
import type { Projection } from '../../../src/projections/contract.ts';
import { readEvents } from '../../../src/projections/events.ts';
import { context } from '../../../src/projections/folds/context.ts';
import { cursors } from '../../../src/projections/folds/cursors.ts';
import { recallText } from '../../../src/recall/recall.ts';
import { replay } from '../../../src/timetravel/replay.ts';
import { restore } from '../../../src/timetravel/restore.ts';
import { dropOld, wouldDrop } from '../../../src/timetravel/retention/retention.ts';
import { deleteSaves, listSaves, save } from '../../../src/timetravel/saves.ts';
import { sessionsAt } from '../../../src/timetravel/sessions.ts';
import { damagedStored } from '../../../src/timetravel/stored-damage.ts';
import { anEvent, NOON, prompt } from '../../log/events.ts';
import { decoders, realPorts } from '../../support.ts';
import { importInto } from '../../tell.ts';
import { realClient, testProject, transcript } from '../project.ts';
import { calendar, codecs, DAY_MS, reopened, segmentBytes, slowSession } from './old.ts';

/** One with a compaction, one that died, and one with branches; two sessions side by side. */
const REAL = ['two-compactions', 'killed-client', 'two-sessions', 'rewound-and-forked'];

type Asked = [point: string, session: string, projection: string];

/** The state, as text, so that the order of keys counts too; or the code of the error. */
function outcome(project: Project, [point, session, projection]: Asked): string {
  try {
    const { state, session: of } = replay(project, { point, session, projection });
    return JSON.stringify({ of, state });
  } catch (error) {
    if (error instanceof Ben10Error) return error.code;
    throw error;
  }
}

/** Points of every kind, in all sessions. */
function pointsOf(project: Project): Asked[] {
  const { last } = journalRange(project.ports, project.reader);
  const asked: Asked[] = [];
  for (const { session, lastAt, firstAt } of sessionsAt(project)) {
    const all = (point: string) =>
      asked.push([point, session, 'context'], [point, session, 'sessions']);
    for (let seq = 1; seq <= last; seq += Math.ceil(last / 12)) all(`@${seq}`);
    for (const n of [-3, -2, -1, 1, 2, 3]) all(`@prompt:${n}`);
    for (const n of [-2, -1, 1, 2]) all(`@compaction:${n}`);
    for (const time of [firstAt, (firstAt + lastAt) / 2, lastAt])
      all(`@${new Date(time).toISOString()}`);
    all(`@session:${session}:end`);
  }
  return asked;
}

const damageOf = ({ ports, root }: Project) => verifyJournal(ports, root, decoders).damage;

/** Every event that is no tombstone, but for those that tell of drops. */
const told = ({ ports, root }: Project): string[] =>
  [...readEvents(new JournalReader(ports, root, decoders), ports.xxh64, {})]
    .filter(({ type }) => !/^(?:erasure\.|journal\.based)/.test(type))
    .map(({ seq, type }) => `${seq} ${type}`);

describe.each(REAL)('what is dropped of a session as %s', (name) => {
  test('cannot be asked for any more, and all since is as it was', () => {
    const { project, days } = slowSession(name);
    const asked = pointsOf(project);
    const before = asked.map((one) => outcome(project, one));
    const done = dropOld(project, days / 2, codecs)!;
    expect(done.events).toBeGreaterThan(3);
    expect(damageOf(project)).toEqual([]);
    const isKnown = (text: string) => text.startsWith('{');
    let same = 0;
    // From the states that stand for it, with stored ones of since, and with neither.
    for (const now of [reopened(project), reopened(project, false)]) {
      for (const [index, one] of asked.entries()) {
        const after = outcome(now, one);
        if (!isKnown(after)) continue;
        expect(after === before[index], one.join(' ')).toBe(true);
        same += 1;
      }
    }
    expect(same).toBeGreaterThan(30);
    // Everything that lies behind the cut is known.
    for (const [index, one] of asked.entries()) {
      const seq = Number(/^@(\d+)$/.exec(one[0])?.[1] ?? -1);
      if (seq >= done.upto)
        expect(outcome(project, one) === before[index], one.join(' ')).toBe(true);
      if (seq >= 0 && seq < done.upto) expect(outcome(project, one)).toBe('POINT_NOT_FOUND');
    }
  });

  test('stays known when more of it is dropped later', () => {
    const { project, days, shown } = slowSession(name);
    const { last } = journalRange(project.ports, project.reader);
    const heads = sessionsAt(project).flatMap(({ session }) =>
      ['context', 'usage', 'sessions'].map((one): Asked => [`@${last}`, session, one]),
    );
    const before = heads.map((one) => outcome(project, one));
    const upto = new Set<number>();
    for (const age of [days * 0.7, days * 0.4, days * 0.2])
      upto.add(dropOld(reopened(project), age, codecs)?.upto ?? 0);
    expect(upto.size).toBeGreaterThan(1);
    expect(heads.map((one) => outcome(reopened(project), one))).toEqual(before);
    // Then everything but the newest segment.
    shown.days += 1000;
    dropOld(reopened(project), 1, codecs);
    const { states } = reopened(project);
    expect(states.dropped()!.upto).toBeGreaterThan(Math.max(...upto));
    const whole = heads.map(([, ...one]) => outcome(reopened(project), ['@head', ...one]));
    expect(whole).toEqual(before);
    expect(damageOf(project)).toEqual([]);
  });
});

test('nothing that was dropped comes back by an import, however often it is told', () => {
  const { project, days } = slowSession('two-compactions');
  dropOld(project, days / 2, codecs);
  const left = told(project);
  const paths = [realClient('two-compactions/projects')];
  for (let times = 0; times < 2; times += 1) {
    importInto(reopened(project), ...paths);
  }
  expect(told(project)).toEqual(left);
});

test('a transcript is read on from where it was left before', () => {
  const { project, days } = slowSession('killed-client');
  const sessions = sessionsAt(project).map(({ session }) => session);
  const before = sessions.map((one) => project.states.at(cursors, one).state.threads);
  dropOld(project, days / 2, codecs);
  const { states } = reopened(project);
  expect(sessions.map((one) => states.at(cursors, one).state.threads)).toEqual(before);
  const each = states.bySession(cursors);
  expect(sessions.map((one) => each.get(one)!.threads)).toEqual(before);
});

test('what was told of a fact that is in no state yet is kept with it', () => {
  const { shown, clock } = calendar();
  const project = testProject({ segmentBytes, ports: { clock } });
  const id = Buffer.alloc(16, 7);
  const summary = 'The server runs on port 4711.';
  const finished = { trigger: 'auto' as const, summary: 'The server.' };
  const turns = ['Build it.', 'Test it.', 'Start it.'].flatMap((text, n) => [
    prompt(text, { at: NOON + n * 60_000 }),
    anEvent('turn.ended', { lastMessage: `Did ${n}.` }, { at: NOON + n * 60_000 + 30_000 }),
  ]);
  project.writer.append([
    ...turns,
    anEvent('compaction.finished', finished, { id, at: NOON + 200_000 }),
    anEvent('fact.enriched', {
      of: id.toString('hex'),
      type: 'compaction.finished',
      more: { summary },
    }),
  ]);
  const before = project.states.at(context, 's1').state.conversation.summary;
  expect(before).toBe(summary);
  project.writer.rotate(0);
  shown.days += 1000;
  project.writer.append([prompt('And now?', { at: project.ports.clock.now() })]);
  expect(dropOld(project, 100, codecs)).toMatchObject({ upto: 8 });
  expect(reopened(project).states.at(context, 's1').state.conversation.summary).toBe(summary);
});

test('what nobody dropped is kept with all that belongs to it: saves, and what a later event may still tell of', () => {
  const { project, shown } = slowSession('working-session');
  save(project, { name: 'kept' });
  const restored = (from: Project) =>
    restore(from, { name: 'kept', mode: 'full' }).text.replace(/[0-9a-f]{16}:?/g, '');
  const before = restored(project);
  const { session } = sessionsAt(project)[0]!;
  project.writer.rotate(0);
  shown.days += 1000;
  project.writer.append([prompt('later', { session, at: project.ports.clock.now() })]);
  const done = dropOld(project, 100, codecs)!;
  expect(done.kept).toBeGreaterThan(0);
  const later = reopened(project);
  expect(restored(later)).toBe(before);
  expect(() => replay(later, { point: '@3' })).toThrow(/removed by retention/);
});

test('a save that is the only copy of its state is pinned, and deleted only by force', () => {
  const { project, shown } = slowSession('working-session');
  save(project, { name: 'kept' });
  expect(listSaves(project)).toMatchObject([{ name: 'kept', pinned: false }]);
  project.writer.rotate(0);
  shown.days += 1000;
  project.writer.append([prompt('later', { at: project.ports.clock.now() })]);
  dropOld(project, 100, codecs);
  const later = reopened(project);
  expect(listSaves(later)).toMatchObject([{ name: 'kept', pinned: true }]);
  expect(() => deleteSaves(later, 'kept')).toThrow(/no longer has the events of "kept"/);
  expect(listSaves(later)[0]?.bytes).toBeGreaterThan(0);
  expect(deleteSaves(later, 'kept', true)).toMatchObject({ name: 'kept', pinned: true });
  expect(listSaves(later)).toEqual([]);
  expect(() => replay(later, { point: '@save:kept' })).toThrow(/it was deleted on /);
});

test('a save whose state an erasure took is made again while that can be done', () => {
  const { project, shown } = slowSession('working-session');
  const saved = save(project, { name: 'kept' });
  const restored = (from: Project) =>
    restore(from, { name: 'kept', mode: 'full' }).text.replace(/[0-9a-f]{16}:?/g, '');
  const before = restored(project);
  const { session } = sessionsAt(project)[0]!;
  // As an erasure leaves it.
  rmSync(path.join(project.root, saved.file));
  project.writer.rotate(0);
  shown.days += 1000;
  project.writer.append([prompt('later', { session, at: project.ports.clock.now() })]);
  expect(dropOld(project, 100, codecs)!.upto).toBeGreaterThanOrEqual(saved.seq);
  const later = reopened(project);
  expect(damagedStored(later)).toEqual([]);
  expect(restored(later)).toBe(before);
});

test('age counts from when an event was recorded, and the newest segment is never dropped', () => {
  const { shown, clock } = calendar();
  const project = testProject({ segmentBytes, ports: { clock } });
  const long = 'x'.repeat(4000);
  const at = Date.now() - 400 * DAY_MS;
  for (let n = 0; n < 30; n += 1) project.writer.append([prompt(`${n} ${long}`, { at })]);
  for (let n = 0; n < 9; n += 1) project.writer.append([prompt(long, { session: 's2' })]);
  expect(dropOld(project, 1, codecs)).toBeUndefined();
  shown.days = 2;
  expect(wouldDrop(project, 3)).toBeUndefined();
  const newest = project.reader.segments().at(-1)!;
  const planned = wouldDrop(project, 1)!;
  const done = dropOld(project, 1, codecs)!;
  // What may still be told of is not in the plan.
  expect(planned.upto).toBe(done.upto);
  expect(planned.events).toBe(done.events + done.kept);
  expect(done.upto).toBe(newest.firstSeq - 1);
});

test('a large state is kept beside the journal, and goes when a newer one stands for it', () => {
  const { shown, clock } = calendar();
  const project = testProject({ segmentBytes, ports: { clock } });
  const more = () => {
    for (let n = 0; n < 120; n += 1)
      project.writer.append([
        prompt(`Never touch file ${n} of ${shown.days}: ${'y'.repeat(3000)}`),
      ]);
    project.writer.rotate(0);
    shown.days += 10;
  };
  more();
  more();
  const before = JSON.stringify(project.states.at(context, 's1').state);
  expect(before.length).toBeGreaterThan(64 * 1024);
  dropOld(project, 5, codecs);
  const [first] = listBlobs(project.ports, project.layout);
  expect(first).toBeDefined();
  expect(JSON.stringify(reopened(project).states.at(context, 's1').state)).toBe(before);
  more();
  const then = JSON.stringify(reopened(project).states.at(context, 's1').state);
  dropOld(reopened(project), 5, codecs);
  const blobs = listBlobs(project.ports, project.layout);
  expect(blobs.length).toBeGreaterThan(0);
  expect(blobs).not.toContain(first);
  expect(JSON.stringify(reopened(project).states.at(context, 's1').state)).toBe(then);
});

test('who asks for it is told that it was dropped, not that it was erased or never there', () => {
  const { project, days } = slowSession('two-compactions');
  const { upto } = dropOld(project, days / 2, codecs)!;
  expect(() => findEvent(reopened(project), '3')).toThrow(/retention removed it/);
  for (const point of ['@3', '@prompt:1'])
    expect(() => replay(reopened(project), { point }), point).toThrow(
      new RegExp(`${point} is not available: events up to @${upto} were removed`),
    );
});

test('a journal made from transcripts alone is dropped as well', { tags: 'long' }, () => {
  const { shown, clock } = calendar();
  const project = testProject({ segmentBytes, ports: { clock } });
  const { ports, reader } = project;
  importInto(project, transcript(''));
  const { last } = journalRange(ports, reader);
  const heads = sessionsAt(project).map(({ session }): Asked => [`@${last}`, session, 'context']);
  const before = heads.map((one) => outcome(project, one));
  shown.days = 100;
  const done = dropOld(project, 90, codecs)!;
  expect(done.events).toBeGreaterThan(100);
  expect(heads.map((one) => outcome(reopened(project), one))).toEqual(before);
  expect(damageOf(project)).toEqual([]);
});

test('the prompt after a compaction that was dropped is told nothing of it, and is recorded like any other', () => {
  const project = testProject({ segmentBytes });
  const at = Date.now();
  const started = { source: 'compact', worktree: project.dir };
  const given = { event: 'SessionStart', source: 'compact', chars: 0, items: [] };
  project.writer.append([
    prompt('Never touch the generated files.', { at }),
    anEvent('compaction.started', { trigger: 'auto' }, { at: at + 1 }),
    anEvent('session.started', started, { at: at + 2 }),
    anEvent('recall.injected', given, { at: at + 2 }),
  ]);
  const asked = { source: 'prompt', session: 's1' } as const;
  expect(recallText(project, asked).owed).toBe(true);
  const finished = { trigger: 'auto', summary: 'It was long.' };
  project.writer.append([anEvent('compaction.finished', finished, { at: at + 3 })]);
  project.writer.rotate(0);
  project.writer.append([prompt('another one', { session: 's2' })]);
  dropOld(project, 0, codecs);
  const later = reopened(project);
  later.writer.append([prompt('Here I am again.', { at: at + 9 })]);
  expect(recallText(later, asked)).toMatchObject({ text: '', owed: false });
  expect(recallText(later, { ...asked, source: 'compact' }).text).toContain('Never touch');
});

// Who looks for the end of a segment alone tries again at once.
test.each([1, 2, 3, 4, 6, 8])(
  'a disk that fails to give a segment, %s times, costs no state: nothing is dropped on a guess',
  { tags: 'long' },
  (times) => {
    const codes = [];
    for (let at = 1, isOver = false; !isOver; at += 1) {
      const opened = { count: Number.NaN };
      const open = (...args: Parameters<typeof realPorts.fs.open>) => {
        const isFirst = /0001\.b10$/.test(args[0]);
        if (isFirst) opened.count += 1;
        if (!isFirst || !(opened.count >= at && opened.count < at + times))
          return realPorts.fs.open(...args);
        throw Object.assign(new Error('EIO: made up by a test'), { code: 'EIO' });
      };
      const project = testProject({ ports: { fs: { ...realPorts.fs, open } } });
      project.writer.append([prompt('Never touch the generated files.')]);
      project.writer.rotate(0);
      project.writer.append([prompt('another one', { session: 's2' })]);
      const stateOf = () => JSON.stringify(reopened(project).states.at(context, 's1').state);
      const before = stateOf();
      opened.count = 0;
      try {
        dropOld(reopened(project, false), 0, codecs);
      } catch (error) {
        codes.push((error as Ben10Error).code);
      }
      isOver = opened.count < at;
      opened.count = Number.NaN;
      expect(stateOf(), `time ${at}`).toBe(before);
    }
    expect(codes).toContain('JOURNAL_DAMAGED');
  },
);

test('what is erased while the states are made is in none of them', () => {
  const project = testProject({ segmentBytes });
  project.writer.append([prompt('Never touch the generated files.'), prompt('a secret to forget')]);
  project.writer.rotate(0);
  project.writer.append([prompt('another one', { session: 's2' })]);
  const erasing = { isDone: false };
  const once: Projection = {
    ...(context as unknown as Projection),
    initial: () => {
      if (!erasing.isDone) {
        erasing.isDone = true;
        const origin = project.reader.origin()!;
        const events = [{ origin, seq: 2 }];
        // Not the states that are asked for now have it, but those that were made before.
        eraseEvents(project.ports, project.root, codecs, () => ({
          by: 'event',
          events,
          blobs: [],
          files: [],
        }));
      }
      return context.initial();
    },
  };
  const based = { project: [], session: [context as unknown as Projection, once] };
  dropOld(project, 0, codecs, based);
  expect(erasing.isDone).toBe(true);
  const left = told(project).length;
  expect(left).toBeGreaterThan(0);
  const text = JSON.stringify(reopened(project, false).states.at(context, 's1').state);
  expect(text).toContain('generated files');
  expect(text).not.toContain('a secret to forget');
});

test('another drop that takes more while the states are made is no fault', () => {
  const { shown, clock } = calendar();
  const project = testProject({ segmentBytes, ports: { clock } });
  for (const text of ['Never touch the generated files.', 'Nor the lock file.']) {
    project.writer.append([prompt(text)]);
    project.writer.rotate(0);
    shown.days += 10;
  }
  project.writer.append([prompt('another one', { session: 's2' })]);
  const before = JSON.stringify(project.states.at(context, 's1').state);
  let other: ReturnType<typeof dropOld>;
  const meanwhile: Projection = {
    ...(context as unknown as Projection),
    name: 'meanwhile',
    initial: () => {
      other ??= dropOld(reopened(project), 0, codecs);
      return context.initial();
    },
  };
  const based = { project: [], session: [meanwhile, context as unknown as Projection] };
  expect(dropOld(project, 15, codecs, based)).toBeUndefined();
  expect(other).toMatchObject({ upto: 2, events: 2 });
  expect(JSON.stringify(reopened(project, false).states.at(context, 's1').state)).toBe(before);
});

test('a drop that could not be finished is not begun', () => {
  const damaging = { path: '' };
  const open = (...args: Parameters<typeof realPorts.fs.open>) => {
    // It was whole while the states were made.
    if (damaging.path !== '' && args[0].endsWith('compact.lock')) {
      const bytes = readFileSync(damaging.path);
      bytes.fill(0, bytes.length - 40, bytes.length - 20);
      writeFileSync(damaging.path, bytes);
    }
    return realPorts.fs.open(...args);
  };
  const project = testProject({ ports: { fs: { ...realPorts.fs, open } } });
  project.writer.append([prompt('Never touch the generated files.')]);
  project.writer.rotate(0);
  project.writer.append([prompt('another one', { session: 's2' })]);
  const { last } = journalRange(project.ports, project.reader);
  damaging.path = project.reader.segments()[0]!.path;
  expect(() => dropOld(project, 0, codecs)).toThrow(/nothing in it can be erased/);
  expect(journalRange(project.ports, reopened(project).reader).last).toBe(last);
  expect(readManifest(project.ports, project.layout)?.dropping).toBeUndefined();
});
