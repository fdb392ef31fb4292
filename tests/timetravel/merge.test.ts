import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ContextMerged } from '../../src/events/types.ts';
import { readEvents } from '../../src/projections/events.ts';
import type { FilesState } from '../../src/projections/folds/files.ts';
import { changedUnderneath, FILES_LOOKED_AT } from '../../src/timetravel/changed-underneath.ts';
import { diffFiles } from '../../src/timetravel/diff-files.ts';
import { merge } from '../../src/timetravel/merge.ts';
import { contextAt, replay } from '../../src/timetravel/replay.ts';
import { resolvePoint } from '../../src/timetravel/resolve.ts';
import { scratch } from '../support.ts';
import { ran, tell } from '../tell.ts';
import { testProject } from './project.ts';

const KNOWN_AT = Date.now();

/** A session that wrote these files, which are there as it wrote them. */
function worked(files: Record<string, string>) {
  const project = testProject();
  let calls = 0;
  const at = (name: string) => path.resolve(project.dir, name);
  const onDisk = (name: string, content: string | Buffer) => {
    mkdirSync(path.dirname(at(name)), { recursive: true });
    writeFileSync(at(name), content);
  };
  const write = (name: string, content: string, when = KNOWN_AT) => {
    calls += 1;
    const input = { file_path: at(name), content };
    const end = { response: { type: 'create' } };
    tell(project, ...ran(`t${calls}`, 'Write', input, end, { at: when + calls }));
  };
  for (const [name, content] of Object.entries(files)) {
    write(name, content);
    onDisk(name, content);
  }
  const status = () => diffFiles(project).files.map((file) => file.status);
  const state = () => contextAt(project, resolvePoint(project, '@head')).state;
  const underneath = () =>
    changedUnderneath(project, state()).map(({ path: name, status: one }) => [
      path.relative(project.dir, name),
      one,
    ]);
  const events = () =>
    [...readEvents(project.reader, project.ports.xxh64, { types: ['context.merged'] })].map(
      ({ data }) => data as ContextMerged,
    );
  return { project, at, onDisk, write, status, state, underneath, events };
}

describe('where the disk is believed', () => {
  test('nothing is different any more, until it changes again', () => {
    const { project, at, onDisk, status, state, underneath, events } = worked({
      'a.js': 'one\n',
      'b.js': 'two\n',
      'c.js': 'three\n',
    });
    onDisk('a.js', 'changed\n');
    rmSync(at('b.js'));
    expect(status()).toEqual(['changed', 'deleted', 'unchanged']);
    const merged = merge(project, { strategy: 'disk' });
    expect(merged.files).toEqual([
      { path: at('a.js'), believed: 'disk', hash: expect.stringMatching(/^\w{64}$/), bytes: 8 },
      { path: at('b.js'), believed: 'disk' },
    ]);
    expect(events()).toEqual([{ strategy: 'disk', files: merged.files }]);
    expect(status()).toEqual(['unchanged', 'unchanged', 'unchanged']);
    expect(underneath()).toEqual([]);
    expect(
      state()
        .files.changes.map(({ tool }) => tool)
        .slice(-2),
    ).toEqual(['(disk)', '(disk)']);
    onDisk('a.js', 'changed again\n');
    onDisk('b.js', 'two\n');
    expect(status()).toEqual(['changed', 'changed', 'unchanged']);
    expect(diffFiles(project, { unified: true }).files[0]!.noPatch).toContain('only its hash');
    expect(merge(project, { strategy: 'disk' }).files).toHaveLength(2);
    expect(merge(project, { strategy: 'disk' }).files).toEqual([]);
    expect(events()).toHaveLength(2);
  });

  test('a file is where it was moved to', () => {
    const { project, at, status, state } = worked({ 'a.js': 'one\n' });
    mkdirSync(at('lib'));
    renameSync(at('a.js'), at('lib/b.js'));
    expect(status()).toEqual(['moved']);
    const [file] = merge(project, { strategy: 'newest' }).files;
    expect(file).toMatchObject({ believed: 'disk', movedTo: at('lib/b.js') });
    expect(Object.keys(state().files.files)).toEqual([at('lib/b.js')]);
    expect(status()).toEqual(['unchanged']);
  });

  test('a tool that writes the file afterwards knows better', () => {
    const { project, onDisk, write, status } = worked({ 'a.js': 'one\n' });
    onDisk('a.js', 'changed\n');
    merge(project, { strategy: 'disk' });
    write('a.js', 'by tool\n', Date.now() + 1000);
    expect(status()).toEqual(['changed']);
    onDisk('a.js', 'by tool\n');
    expect(status()).toEqual(['unchanged']);
  });
});

test('where the journal is believed, the difference stays, and is not told again until it is another', () => {
  const { project, onDisk, status, underneath } = worked({ 'a.js': 'one\n' });
  onDisk('a.js', 'changed\n');
  expect(underneath()).toEqual([['a.js', 'changed']]);
  const { files } = merge(project, { strategy: 'journal' });
  expect(files).toMatchObject([{ believed: 'journal' }]);
  expect(status()).toEqual(['changed']);
  expect(diffFiles(project).files[0]!.decided).toBeGreaterThan(0);
  expect(diffFiles(project, { unified: true }).files[0]!.patch).toContain('+changed');
  expect(underneath()).toEqual([]);
  expect(merge(project, { strategy: 'journal' }).files).toEqual([]);
  onDisk('a.js', 'changed otherwise\n');
  expect(underneath()).toEqual([['a.js', 'changed']]);
  expect(diffFiles(project).files[0]).not.toHaveProperty('decided');
  expect(merge(project, { strategy: 'journal' }).files).toHaveLength(1);
  expect(underneath()).toEqual([]);
  onDisk('a.js', 'changed\n');
  expect(merge(project, { strategy: 'disk' }).files).toMatchObject([{ believed: 'disk' }]);
  expect(status()).toEqual(['unchanged']);
});

test('where the journal is believed of a file that was moved, that is not told again either', () => {
  const { project, at, status, underneath, events } = worked({ 'a.js': 'one\n' });
  renameSync(at('a.js'), at('b.js'));
  expect(underneath()).toEqual([['a.js', 'deleted']]);
  const { files } = merge(project, { strategy: 'journal' });
  expect(files).toEqual([{ path: at('a.js'), believed: 'journal' }]);
  expect(status()).toEqual(['moved']);
  expect(diffFiles(project).files[0]!.decided).toBeGreaterThan(0);
  expect(underneath()).toEqual([]);
  expect(merge(project, { strategy: 'journal' }).files).toEqual([]);
  expect(events()).toHaveLength(1);
});

test('the newest counts for each file by itself', () => {
  const { project, at, onDisk } = worked({ 'old.js': '1\n', 'new.js': '2\n', 'gone.js': '3\n' });
  onDisk('old.js', 'from a backup\n');
  utimesSync(at('old.js'), KNOWN_AT / 1000 - 100, KNOWN_AT / 1000 - 100);
  onDisk('new.js', 'edited\n');
  utimesSync(at('new.js'), KNOWN_AT / 1000 + 100, KNOWN_AT / 1000 + 100);
  rmSync(at('gone.js'));
  const believed = merge(project, { strategy: 'newest' }).files.map((file) => file.believed);
  expect(believed).toEqual(['journal', 'disk', 'disk']);
});

test('only files that are named, or in folders that are named, are decided', () => {
  const { project, at, onDisk, status } = worked({
    'a.js': '1\n',
    'lib/b.js': '2\n',
    'c.js': '3\n',
  });
  for (const name of ['a.js', 'lib/b.js', 'c.js']) onDisk(name, 'x\n');
  merge(project, { strategy: 'disk', paths: [at('lib'), 'c.js'] });
  expect(status()).toEqual(['changed', 'unchanged', 'unchanged']);
  expect(() => merge(project, { strategy: 'disk', paths: ['c.js'] })).toThrow(
    expect.objectContaining({ code: 'USAGE', message: '"c.js" has no difference to decide' }),
  );
});

test('the past stays as it was believed then', () => {
  const { project, at, onDisk } = worked({ 'a.js': 'one\n' });
  const knownAt = (point: string) =>
    (replay(project, { point, projection: 'files' }).state as FilesState).files[at('a.js')]!.known;
  const before = knownAt('@head');
  onDisk('a.js', 'changed\n');
  merge(project, { strategy: 'disk' });
  expect(knownAt('@2')).toEqual(before);
  expect(knownAt('@head')!.hash).not.toBe(before!.hash);
});

describe('a quick look at the disk', () => {
  test('tells what was changed or deleted, and nothing of what was only touched', () => {
    const { at, onDisk, underneath } = worked({
      'a.js': '1\n',
      'b.js': '2\n',
      'c.js': '3\n',
      'd.js': '4\n',
    });
    const later = KNOWN_AT / 1000 + 1000;
    onDisk('a.js', 'changed\n');
    rmSync(at('b.js'));
    utimesSync(at('c.js'), later, later);
    onDisk('d.js', '4\r\n');
    expect(underneath()).toEqual([
      ['a.js', 'changed'],
      ['b.js', 'deleted'],
    ]);
  });

  test('reads no file whose size and time are as they were', () => {
    const { project, at, onDisk, state } = worked({ 'a.js': 'one\n' });
    onDisk('a.js', 'two\n');
    utimesSync(at('a.js'), KNOWN_AT / 1000 - 1, KNOWN_AT / 1000 - 1);
    expect(changedUnderneath(project, state())).toEqual([]);
  });

  test('opens nothing outside of the project, and nothing that the settings exclude', () => {
    const outside = path.join(scratch(), 'a.js');
    writeFileSync(outside, 'changed\n');
    const { project, onDisk, write, state } = worked({ 'b.js': '1\n' });
    write(outside, 'one\n');
    onDisk('b.js', 'changed\n');
    const excludedBy = (file: string) => (file.endsWith('b.js') ? 'b.js' : undefined);
    const other = Object.create(project, { excludedBy: { value: excludedBy } });
    expect(changedUnderneath(other, state())).toEqual([]);
    expect(changedUnderneath(project, state())).toHaveLength(1);
  });

  test('is at so many files, those touched last', { tags: 'long' }, () => {
    const names = Array.from({ length: FILES_LOOKED_AT + 5 }, (_, n) => `f${n}.js`);
    const { at, underneath } = worked(Object.fromEntries(names.map((name) => [name, 'x\n'])));
    for (const name of names) rmSync(at(name));
    expect(underneath()).toHaveLength(FILES_LOOKED_AT);
    expect(underneath()[0]).toEqual(['f5.js', 'deleted']);
  });
});
