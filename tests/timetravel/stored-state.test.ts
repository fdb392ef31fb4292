import { hash } from 'node:crypto';
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { Decoder, encode } from '@msgpack/msgpack';
import { describe, expect, it } from 'vitest';
import type { SnapshotCreated } from '../../src/events/types.ts';
import { LockFile } from '../../src/journal/append/locking.ts';
import { decodeContainer, encodeContainer } from '../../src/journal/format/container.ts';
import { type FileSystem, nodeFs } from '../../src/platform/fs.ts';
import type { Project } from '../../src/project/open.ts';
import { type ContextState, context } from '../../src/projections/folds/context.ts';
import { replay } from '../../src/timetravel/replay.ts';
import { restore } from '../../src/timetravel/restore.ts';
import { save } from '../../src/timetravel/saves.ts';
import { showSnapshot } from '../../src/timetravel/snapshots/indexed.ts';
import { scratch } from '../support.ts';
import { saw, tell } from '../tell.ts';
import { readOnlyFs, testProject } from './project.ts';
import { loadSnapshot, SESSION, taken, todo } from './snapshots/support.ts';

const failing = (code: string, words = /./) =>
  expect.objectContaining({ code, message: expect.stringMatching(words) });

function one(options?: Parameters<typeof todo>[0]) {
  const project = todo(options);
  const [made] = taken(project);
  return { project, made: made!, file: path.join(project.root, made!.file) };
}

const contentOf = ({ decoders, ports }: Project, file: string): [Record<string, unknown>, never] =>
  new Decoder().decode(decodeContainer(readFileSync(file), decoders, ports.xxh64)!) as never;

/** Puts another content into a snapshot, whose event agrees with it. */
function forged(project: Project, made: SnapshotCreated, content: unknown): string {
  const plain = encode(content);
  const file = path.join(project.root, made.file);
  writeFileSync(file, encodeContainer(plain, project.ports.xxh64));
  const data = { ...made, snapshot: 'f'.repeat(16), contentHash: hash('sha256', plain, 'hex') };
  tell(project, saw('snapshot.created', data, { session: SESSION }));
  return data.snapshot;
}

/** The same journal, of which the events up to the snapshot are not to be had any more. */
function withoutEvents(project: Project): Project {
  const segments = () => project.reader.segments().map((one) => ({ ...one, firstSeq: 2 }));
  const reader = new Proxy(project.reader, {
    get(target, name) {
      if (name === 'segments') return segments;
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return Object.create(project, { reader: { value: reader } }) as Project;
}

const quarantined = ({ layout }: Project): string[] =>
  existsSync(layout.quarantine) ? readdirSync(layout.quarantine) : [];

describe('loadSnapshot', () => {
  it('reads what was stored, without the journal', () => {
    const { project, made } = one();
    const loaded = loadSnapshot(project, made.snapshot);
    const { state, ...about } = replay(project, { point: `@${made.upto}`, session: SESSION });
    expect(loaded).toEqual({ ...about, state: JSON.parse(JSON.stringify(state)), notes: [] });
    expect(loadSnapshot(withoutEvents(project), made.snapshot)).toEqual(loaded);
  });

  it.each([
    ['a changed byte', (bytes: Buffer) => bytes.fill(0xff, 200, 201)],
    ['a torn end', (bytes: Buffer) => bytes.subarray(0, bytes.length - 1)],
    ['nothing in it', () => Buffer.alloc(0)],
    ['something else in it', () => Buffer.from('{"not": "a container"}')],
  ])('sets one aside that has %s, and makes it again from the journal', (_what, damage) => {
    const { project, made, file } = one();
    const before = loadSnapshot(project, made.snapshot);
    writeFileSync(file, damage(readFileSync(file)));
    const { notes, ...rebuilt } = loadSnapshot(project, made.snapshot);
    expect({ ...rebuilt, state: JSON.parse(JSON.stringify(rebuilt.state)), notes: [] }).toEqual(
      before,
    );
    const [kept] = quarantined(project);
    expect(notes).toEqual([
      `The stored state of snapshot ${made.snapshot} is damaged (SNAPSHOT_CORRUPTED; set aside as journal/quarantine/${kept}); it was rebuilt from the journal, and it was stored again.`,
    ]);
    // Without the journal: the file has it.
    expect(loadSnapshot(withoutEvents(project), made.snapshot)).toEqual(before);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('stores one that is missing again, and one that is made otherwise now anew, once, and says so', () => {
    const { project, made, file } = one();
    rmSync(file);
    expect(loadSnapshot(project, made.snapshot).notes).toEqual([
      `The stored state of snapshot ${made.snapshot} is missing; it was rebuilt from the journal, and it was stored again.`,
    ]);
    expect(loadSnapshot(project, made.snapshot).notes).toEqual([]);
    const [of, state] = contentOf(project, file);
    const other = forged(project, made, [of, { ...(state as object), directory: '/elsewhere' }]);
    rmSync(file);
    expect(loadSnapshot(project, other).notes).toEqual([
      `The stored state of snapshot ${other} is missing; it was rebuilt from the journal, and it was stored again.`,
    ]);
    expect(loadSnapshot(project, other).notes).toEqual([]);
    const sum = hash('sha256', encode(contentOf(project, file)), 'hex');
    expect(showSnapshot(project, other).contentHash).toBe(sum);
  });

  it('stores nothing again beside an erasure, or under a name that is not ours', () => {
    const { project, made, file } = one();
    rmSync(file);
    const lock = new LockFile(project.ports, project.layout.compactLock);
    lock.hold(0, () => {
      const [note] = loadSnapshot(project, made.snapshot).notes;
      expect(note).toMatch(/and it was not stored this time\.$/);
    });
    lock.close();
    expect(existsSync(file)).toBe(false);
    const data = { ...made, snapshot: 'e'.repeat(16), file: '../outside.ctx' };
    tell(project, saw('snapshot.created', data, { session: SESSION }));
    expect(loadSnapshot(project, data.snapshot).notes[0]).toMatch(/has no valid file name/);
    expect(existsSync(path.join(project.dir, 'outside.ctx'))).toBe(false);
  });

  it('says so when neither the file nor the journal has it', () => {
    const { project, made, file } = one();
    rmSync(file);
    expect(() => loadSnapshot(withoutEvents(project), made.snapshot)).toThrow(
      failing('SNAPSHOT_CORRUPTED', /is missing, and the journal does not reach back to event/),
    );
  });

  it('leaves a damaged one where it is on a disk that cannot be written', () => {
    const { project, made, file } = one();
    writeFileSync(file, 'x');
    const full = testProject({ dir: project.dir, ports: { fs: readOnlyFs } });
    expect(loadSnapshot(full, made.snapshot).notes[0]).toMatch(
      /is damaged \(SNAPSHOT_CORRUPTED\); it was rebuilt from the journal, and it could not be stored/,
    );
    expect(existsSync(file)).toBe(true);
  });

  it('takes no other content for it, however sound', () => {
    const { project, made, file } = one();
    const [of, state] = contentOf(project, file);
    const other = encode([of, { ...(state as object), directory: '/elsewhere' }]);
    writeFileSync(file, encodeContainer(other, project.ports.xxh64));
    const { state: loaded, notes } = loadSnapshot(project, made.snapshot);
    expect(notes[0]).toMatch(/damaged/);
    expect(loaded.directory).not.toBe('/elsewhere');
  });

  it('takes no state that is not of the shape that it should be', () => {
    for (const change of [
      { conversation: null },
      { files: { files: { a: 1 }, open: {}, dropped: 0 } },
      { usage: 'x' },
      { cleared: { upto: 1, at: 1, aside: {} } },
    ]) {
      const { project, made, file } = one();
      const [of, state] = contentOf(project, file);
      const id = forged(project, made, [of, { ...(state as object), ...change }]);
      expect(loadSnapshot(project, id).notes[0]).toMatch(/damaged/);
    }
  });

  it('takes no message that is not of the shape that it should be', () => {
    const { project, made, file } = one();
    const [of, state] = contentOf(project, file) as [object, ContextState];
    const { conversation } = state;
    const [first] = conversation.messages;
    for (const change of [
      { id: 1 },
      { content: null },
      { role: 'nobody' },
      { timestamp: '1' },
      { pos: 'x' },
      { metadata: null },
      { metadata: { ...first!.metadata, toolCalls: [1] } },
    ]) {
      const messages = [...conversation.messages, { ...first, ...change }];
      const changed = { ...state, conversation: { ...conversation, messages } };
      expect(loadSnapshot(project, forged(project, made, [of, changed])).notes[0]).toMatch(
        /damaged/,
      );
    }
    const id = forged(project, made, contentOf(project, file));
    expect(loadSnapshot(project, id).notes).toEqual([]);
  });

  it('sets nothing aside that the disk does not give', () => {
    const { project, made, file } = one();
    const bytes = statSync(file).size;
    for (const fails of [() => -1, () => 3] as const) {
      const fs: FileSystem = {
        ...nodeFs,
        read(fd, into, position) {
          if (nodeFs.fstat(fd).size !== bytes || position === 0)
            return nodeFs.read(fd, into, position);
          if (fails() < 0) throw Object.assign(new Error('i/o error'), { code: 'EIO' });
          return fails();
        },
      };
      const failing = testProject({ dir: project.dir, ports: { fs } });
      expect(() => loadSnapshot(failing, made.snapshot)).toThrow(
        expect.objectContaining({ code: 'EIO' }),
      );
      expect(quarantined(project)).toEqual([]);
    }
    expect(loadSnapshot(project, made.snapshot).notes).toEqual([]);
  });

  it('leaves another one’s file alone that an event claims', () => {
    const { project, made, file } = one();
    const data = { ...made, snapshot: 'f'.repeat(16), upto: made.upto - 1 };
    tell(project, saw('snapshot.created', data, { session: SESSION }));
    expect(loadSnapshot(project, data.snapshot).notes[0]).toMatch(/is missing/);
    expect(existsSync(file)).toBe(true);
    expect(loadSnapshot(project, made.snapshot).notes).toEqual([]);
  });

  it('makes one of an older version again, or refuses it where the journal does not reach back', () => {
    const { project, made, file } = one();
    const [of, state] = contentOf(project, file);
    const id = forged(project, made, [{ ...of, version: 5 }, state]);
    expect(() => loadSnapshot(withoutEvents(project), id)).toThrow(failing('SNAPSHOT_CORRUPTED'));
    expect(loadSnapshot(project, id).notes[0]).toMatch(
      /is of version 5; it was rebuilt from the journal, and it was stored again/,
    );
    expect(loadSnapshot(project, id).notes).toEqual([]);
    expect(loadSnapshot(withoutEvents(project), id).notes).toEqual([]);
  });

  it('refuses one of a newer version, and says which', () => {
    const { project, made, file } = one();
    const [of, state] = contentOf(project, file);
    const version = context.version + 1;
    const id = forged(project, made, [{ ...of, version }, state]);
    expect(() => loadSnapshot(project, id)).toThrow(
      expect.objectContaining({
        code: 'DESERIALIZE_FAILED',
        message: expect.stringContaining(`is of version ${version}`),
        next: expect.stringContaining(`reads version ${version}`),
      }),
    );
    expect(quarantined(project)).toEqual([]);
  });

  it('reads nothing through a link', () => {
    const { project, made, file } = one();
    const elsewhere = scratch();
    writeFileSync(path.join(elsewhere, path.basename(file)), readFileSync(file));
    rmSync(project.layout.snapshots, { recursive: true });
    symlinkSync(elsewhere, project.layout.snapshots);
    expect(() => loadSnapshot(project, made.snapshot)).toThrow(failing('JOURNAL_UNSAFE'));
  });
});

describe('a restore of what is stored', () => {
  it('gives the stored state of a snapshot, and says when it had to be made again', () => {
    const { project, made, file } = one();
    const point = `@snapshot:${made.snapshot.slice(0, 10)}`;
    const given = restore(withoutEvents(project), { point, mode: 'summary' });
    expect(given).toMatchObject({ point: { seq: made.upto }, session: SESSION, notes: [] });
    expect(given.text).toContain(`@snapshot:${made.snapshot}`);
    writeFileSync(file, 'x');
    const again = restore(project, { point, mode: 'summary' });
    expect(again.notes).toHaveLength(1);
    expect(again.text.split('\n')[0]).toContain(again.notes[0]);
  });

  it('does the same for saves', () => {
    const project = todo();
    const saved = save(project, { name: 'n' });
    expect(restore(withoutEvents(project), { name: 'n', mode: 'summary' }).notes).toEqual([]);
    const file = path.join(project.root, saved.file);
    writeFileSync(file, 'x');
    expect(restore(project, { name: 'n', mode: 'summary' }).notes[0]).toMatch(
      /^The stored state of save "n" is damaged \(CONTEXT_CORRUPTED; set aside as .*and it was stored again\.$/,
    );
    expect(restore(withoutEvents(project), { name: 'n', mode: 'summary' }).notes).toEqual([]);
    writeFileSync(file, 'x');
    expect(() => restore(withoutEvents(project), { name: 'n', mode: 'summary' })).toThrow(
      failing('CONTEXT_CORRUPTED'),
    );
  });
});
