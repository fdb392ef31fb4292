import { hash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { Decoder } from '@msgpack/msgpack';
import { describe, expect, test } from 'vitest';
import { spool } from '../../src/journal/append/inbox.ts';
import { decodeContainer } from '../../src/journal/format/container.ts';
import type { Project } from '../../src/project/open.ts';
import { readEvents } from '../../src/projections/events.ts';
import { context } from '../../src/projections/folds/context.ts';
import type { CurrentMeta } from '../../src/timetravel/current.ts';
import { parsePoint } from '../../src/timetravel/points.ts';
import { replay } from '../../src/timetravel/replay.ts';
import { resolvePoint } from '../../src/timetravel/resolve.ts';
import { checkpoint, listSaves, NAME_CHARS_MAX, save } from '../../src/timetravel/saves.ts';
import { sessionsAt } from '../../src/timetravel/sessions.ts';
import { askedPoint } from '../../src/timetravel/stored-points.ts';
import { codeOf, scratch } from '../support.ts';
import { saw, tell } from '../tell.ts';
import { lived } from './lived.ts';
import { imported, readOnlyFs, testProject, transcript } from './project.ts';

const todo = () =>
  imported(testProject(), transcript('claude-2.1.329-real-todo-app/transcript.jsonl'));

/** What is in a container, as a reader of the format would get it. */
function contentOf(project: Project, file: string): unknown {
  const bytes = readFileSync(path.join(project.root, file));
  const plain = decodeContainer(bytes, project.decoders, project.ports.xxh64);
  return new Decoder().decode(plain!);
}

const plainOf = (state: unknown): unknown => JSON.parse(JSON.stringify(state));

describe('save', () => {
  test('keeps the state of now under a name: a file, and an event that names it', () => {
    const project = todo();
    const saved = save(project, { name: 'before the refactoring' });
    expect(saved.name).toBe('before the refactoring');
    const event = [
      ...readEvents(project.reader, project.ports.xxh64, { types: ['context.saved'] }),
    ];
    expect(event).toMatchObject([
      { source: 'cli', session: sessionsAt(project)[0]!.session, seq: saved.seq + 1 },
    ]);
    const holds = { tokens: 1000, messages: 16, files: 2, toolExecutions: 11 };
    const { name, file, seq: upto } = saved;
    expect(event[0]!.data).toEqual({ name, upto, file, holds });
    expect(statSync(path.join(project.root, saved.file)).size).toBe(saved.bytes);
    const [of, state] = contentOf(project, saved.file) as [unknown, unknown];
    const { state: replayed, ...about } = replay(project, { point: `@${saved.seq}` });
    expect(of).toEqual({ ...about, salt: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(state).toEqual(plainOf(replayed));
  });

  test('a bare name is a save where it is no word of a point, which then needs @save:', () => {
    const project = todo();
    save(project, { name: 'today' });
    save(project, { name: 'tidied' });
    expect(askedPoint(project, { point: 'tidied' })).toBe('@save:tidied');
    expect(askedPoint(project, { point: 'today' })).toBe('today');
    expect(parsePoint('today', project.ports.clock.now())).toMatchObject({ kind: 'time' });
    expect(resolvePoint(project, '@save:today').stored?.name).toBe('save "today"');
  });

  test('what comes later is not in it', () => {
    const project = todo();
    const saved = save(project, { name: 'early' });
    imported(project, transcript('claude-v1.0.17-long-edit-session.jsonl'));
    const [, state] = contentOf(project, saved.file) as [unknown, unknown];
    expect(plainOf(replay(project, { point: '@save:early' }).state)).toEqual(state);
  });

  test('takes in what waits in the inbox first', () => {
    const project = todo();
    const before = save(project, { name: 'a' });
    const { recorder, ports, layout } = project;
    const data = { text: 'Said while the journal was locked' };
    const where = { session: sessionsAt(project)[0]!.session, agent: null, at: Date.now() };
    const waiting = { type: 'prompt.submitted' as const, fact: 'late', ...where, data };
    spool(ports, layout, [recorder.event(waiting, 'hook')], undefined);
    const saved = save(project, { name: 'b' });
    expect(saved.seq).toBe(before.seq + 2);
    expect(JSON.stringify(contentOf(project, saved.file))).toContain(data.text);
  });

  test('is of the session that was active last, or of the one that is named', () => {
    const project = lived(testProject(), 'two-sessions');
    const [newest, other] = sessionsAt(project).map((one) => one.session);
    const of = (file: string) => (contentOf(project, file) as [{ session: string }])[0].session;
    expect(of(save(project, {}).file)).toBe(newest);
    expect(of(save(project, { session: other!.slice(0, 8) }).file)).toBe(other);
  });

  test('without a name it is named after the time', () => {
    expect(save(todo(), {}).name).toMatch(/^save-\d{4}-\d\d-\d\dT[\d-]+Z$/);
  });

  test('a name has up to 100 visible characters on one line', () => {
    const project = todo();
    const longest = '→'.repeat(NAME_CHARS_MAX);
    expect(save(project, { name: ` ${longest} ` }).name).toBe(longest);
    for (const name of [
      '',
      '  ',
      `${longest}x`,
      'a\nb',
      'a\tb',
      'a\x1b[1m',
      'a\u202eb',
      'a\u200bb',
    ]) {
      expect(codeOf(() => save(project, { name }))).toBe('USAGE');
    }
  });

  test('a name is never a path', () => {
    const project = todo();
    const saved = save(project, { name: '../../../escape' });
    expect(saved.file).toMatch(/^checkpoints\/saves\/\d{16}-[0-9a-f]{12}\.ctx$/);
    expect(readdirSync(project.dir).sort()).toEqual(['.ben10']);
  });

  test('a name that holds a secret is refused, without telling it', () => {
    const project = todo();
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const saving = () => save(project, { name: `with ${secret}` });
    expect(saving).toThrow(expect.objectContaining({ code: 'USAGE' }));
    expect(saving).not.toThrow(secret);
    expect(listSaves(project)).toEqual([]);
  });

  test('there is nothing to save before anything was recorded, and nothing is written then', () => {
    const project = testProject();
    expect(codeOf(() => save(project, {}))).toBe('CONTEXT_NOT_FOUND');
    expect(codeOf(() => checkpoint(project))).toBe('CONTEXT_NOT_FOUND');
    expect(readdirSync(project.dir)).toEqual([]);
  });

  test('nothing is written through a link that stands in for a folder', () => {
    const project = todo();
    const elsewhere = scratch();
    rmSync(project.layout.checkpoints, { recursive: true, force: true });
    symlinkSync(elsewhere, project.layout.checkpoints);
    expect(codeOf(() => save(project, {}))).toBe('JOURNAL_UNSAFE');
    expect(codeOf(() => checkpoint(project))).toBe('JOURNAL_UNSAFE');
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(listSaves(project)).toEqual([]);
  });

  test('what cannot be written is said, and nothing is half saved', () => {
    const project = todo();
    const full = testProject({ dir: project.dir, ports: { fs: readOnlyFs } });
    expect(codeOf(() => save(full, {}))).toBe('FS_PERMISSION_DENIED');
    expect(codeOf(() => checkpoint(full))).toBe('FS_PERMISSION_DENIED');
    expect(listSaves(full)).toEqual([]);
  });
});

describe('listSaves', () => {
  test('has every save, also of a name that was used again, the oldest first', () => {
    const project = todo();
    expect(listSaves(project)).toEqual([]);
    const saves = ['one', 'two', 'one'].map((name) => save(project, { name }));
    const listed = listSaves(project);
    expect(listed.map(({ name, seq, bytes }) => ({ name, seq, bytes }))).toEqual(
      saves.map(({ name, seq, bytes }) => ({ name, seq, bytes })),
    );
    expect(listed.every((one) => one.at > 1_700_000_000_000)).toBe(true);
  });

  test('a file that an event only claims has no bytes, wherever it points to', () => {
    const project = todo();
    for (const file of ['../../../../etc/passwd', 'checkpoints/saves/none.ctx', '/etc/passwd'])
      tell(project, saw('context.saved', { name: file, upto: 3, file }));
    expect(listSaves(project).map((one) => one.bytes)).toEqual([0, 0, 0]);
  });
});

describe('checkpoint', () => {
  test('stores the states of now, so that nothing before is folded again, and is an event', () => {
    const project = lived(testProject(), 'working-session');
    const { session } = sessionsAt(project)[0]!;
    const made = checkpoint(project, { source: 'tool' });
    expect(made.projections).toEqual(['context', 'sessions']);
    expect(made.bytes).toBeGreaterThan(100);
    const [event] = readEvents(project.reader, project.ports.xxh64, {
      types: ['checkpoint.created'],
    });
    expect(event).toMatchObject({ source: 'tool', session, seq: made.seq + 1 });
    expect(event!.data).toEqual({ upto: made.seq, projections: made.projections });
    expect(project.states.at(context, session).folded).toBeLessThan(10);
  });
});

describe('current.ctx', () => {
  test.each([
    ['a save', (project: Project) => save(project, {})],
    ['a checkpoint', (project: Project) => checkpoint(project)],
  ])('is the newest state after %s, and current.ctx.meta says what it is', (_what, store) => {
    const project = todo();
    const { seq } = store(project);
    const bytes = readFileSync(path.join(project.root, 'current.ctx'));
    const meta = JSON.parse(
      readFileSync(path.join(project.root, 'current.ctx.meta'), 'utf8'),
    ) as CurrentMeta;
    const { state, session, point } = replay(project, { point: `@${seq}` });
    expect(meta).toEqual({
      version: 1,
      directory: project.dir,
      session,
      seq,
      at: point.at,
      projection: 'context',
      projectionVersion: context.version,
      bytes: bytes.length,
      plainBytes: decodeContainer(bytes, project.decoders, project.ports.xxh64)!.length,
      sha256: hash('sha256', bytes, 'hex'),
    });
    expect(contentOf(project, 'current.ctx')).toEqual(plainOf(state));
    expect(statSync(path.join(project.root, 'current.ctx')).mode & 0o777).toBe(0o600);
  });
});
