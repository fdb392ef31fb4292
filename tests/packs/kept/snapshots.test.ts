import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { erase } from '../../../src/erasure/erase.ts';
import {
  findSnapshot,
  forget,
  payloadOf,
  snapshotsOf,
  takeSnapshot,
} from '../../../src/packs/kept/snapshots.ts';
import { loadZstd } from '../../../src/platform/codecs/zstd-write.ts';
import type { Project } from '../../../src/project/open.ts';
import { erasureEpoch } from '../../../src/timetravel/beside-erasure.ts';
import { archiveStored } from '../../../src/timetravel/snapshots/archive.ts';
import { codeOf, decoders, errorOf, openTestProject, scratch } from '../../support.ts';
import { POLICY, renderIn, textOf } from '../support.ts';
import { kept, payloadFilesOf, projectWith } from './support.ts';

const FILES = { 'src/a.ts': 'export const a = 1;\n', 'src/b.ts': 'export const b = 2;' };
const PACK = ['file:src/a.ts', 'file:src/b.ts', 'text:Sessions last 15 minutes.'];

const write = ({ dir }: Project, name: string, text: string) =>
  writeFileSync(path.join(dir, name), text);

describe('a snapshot', () => {
  it('gives back its bytes when every file has changed since, in another process, too', async () => {
    const project = projectWith(FILES);
    const rendered = await renderIn(project.dir, PACK);
    const { id } = await kept(project, PACK, { label: 'v1.0' });
    for (const name of Object.keys(FILES)) write(project, name, 'changed\n');
    const other = openTestProject(project.dir);
    const record = findSnapshot(other, 'v1.0');
    expect(record).toMatchObject({ id, label: 'v1.0', packs: ['auth'], items: 3, auto: false });
    const { payload, manifest } = payloadOf(other, record);
    expect(payload.toString()).toBe(textOf(rendered));
    expect(createHash('sha256').update(payload).digest('hex')).toBe(record.payloadHash);
    expect(record.renderHash).toBe(rendered.renderHash);
    const blocks = manifest.map(({ offset, bytes }) => payload.subarray(offset, offset + bytes));
    for (const [at, block] of blocks.entries()) {
      expect(block.toString()).toMatch(/^<ben10-item[\s\S]*<\/ben10-item>\n$/);
      expect(createHash('sha256').update(block).digest('hex')).toBe(manifest[at]!.sha256);
    }
    expect(manifest.map(({ label, kind, path: file }) => [label, kind, file])).toEqual([
      ['src/a.ts', 'file', 'src/a.ts'],
      ['src/b.ts', 'file', 'src/b.ts'],
      ['text', 'text', undefined],
    ]);
    expect(manifest[1]!.changes).toEqual({ isEnded: true });
  });

  it('shares its file with an equal one, which stays until the last of them is forgotten', async () => {
    const project = projectWith(FILES);
    const one = await kept(project, PACK, { label: 'one' });
    const two = await kept(project, PACK, { label: 'two' });
    expect(two.file).toBe(one.file);
    expect(payloadFilesOf(project)).toHaveLength(1);
    forget(project, 'one', 'cli');
    expect(payloadOf(project, findSnapshot(project, 'two')).payload.length).toBe(two.bytes);
    forget(project, 'two', 'cli');
    expect(payloadFilesOf(project)).toEqual([]);
    expect(snapshotsOf(project)).toEqual([]);
  });

  it('is named so that its file tells nobody what is in it', async () => {
    const [one, two] = [projectWith(FILES), projectWith(FILES)];
    const [a, b] = [await kept(one, PACK), await kept(two, PACK)];
    expect(a.payloadHash).toBe(b.payloadHash);
    expect(a.file).not.toBe(b.file);
    expect(a.file).not.toContain(a.payloadHash);
  });

  it.runIf(process.platform !== 'win32')('is for its owner alone', async () => {
    const project = projectWith(FILES);
    const { file } = await kept(project, PACK);
    const modeOf = (name: string) => statSync(path.join(project.root, name)).mode & 0o777;
    expect(modeOf(file)).toBe(0o600);
    expect(modeOf(path.dirname(file))).toBe(0o700);
    expect(modeOf('pack-payloads')).toBe(0o700);
  });

  it.runIf(process.platform !== 'win32')('is not written through a link', async () => {
    const elsewhere = scratch();
    const project = projectWith(FILES);
    symlinkSync(elsewhere, path.join(project.root, 'pack-payloads'));
    await expect(kept(project, PACK)).rejects.toMatchObject({ code: 'JOURNAL_UNSAFE' });
    const other = projectWith(FILES);
    const { file } = await kept(other, PACK);
    const shard = path.join(other.root, path.dirname(file));
    rmSync(shard, { recursive: true });
    symlinkSync(elsewhere, shard);
    await expect(kept(other, PACK)).rejects.toMatchObject({ code: 'JOURNAL_UNSAFE' });
    expect(existsSync(path.join(elsewhere, path.basename(file)))).toBe(false);
  });

  it('is found by its newest label and by the start of its id', async () => {
    const project = projectWith(FILES);
    await kept(project, PACK, { label: 'v1' });
    write(project, 'src/a.ts', 'export const a = 3;\n');
    const newer = await kept(project, PACK, { label: 'v1' });
    expect(findSnapshot(project, 'v1').id).toBe(newer.id);
    expect(findSnapshot(project, newer.id.slice(0, 8)).id).toBe(newer.id);
    expect(errorOf(() => findSnapshot(project, 'v2'))).toMatchObject({
      code: 'PACK_NOT_FOUND',
      message: expect.stringContaining('did you mean "v1"?'),
      next: 'List them: ben10 pack snapshots',
    });
    expect(codeOf(() => findSnapshot(project, ''))).toBe('PACK_NOT_FOUND');
  });

  it.each([
    '',
    'a/b',
    '../up',
    'x'.repeat(61),
    'two words',
    '.hidden',
    `sk-ant-api03-${'a1B2'.repeat(24)}`,
  ])('cannot be called %j', async (label) => {
    const project = projectWith(FILES);
    await expect(kept(project, PACK, { label })).rejects.toMatchObject({ code: 'USAGE' });
    expect(payloadFilesOf(project)).toEqual([]);
  });

  it('is refused where nothing was rendered, for the budget', async () => {
    const project = projectWith({ 'long.txt': 'word '.repeat(2000) });
    const policy = { ...POLICY, budgetTokens: 300, fill: 'fail' as const };
    const rendered = await renderIn(project.dir, ['file:long.txt'], { policy });
    const take = () =>
      takeSnapshot(project, rendered, { packs: ['auth'], auto: true, epoch: 0 }, 'tool');
    expect(codeOf(take)).toBe('LIMIT_EXCEEDED');
  });

  it('made by itself again of the same is the same one', async () => {
    const project = projectWith(FILES);
    const first = await kept(project, PACK, { auto: true });
    expect(await kept(project, PACK, { auto: true })).toEqual(first);
    write(project, 'src/a.ts', 'export const a = 3;\n');
    expect((await kept(project, PACK, { auto: true })).id).not.toBe(first.id);
    expect(snapshotsOf(project)).toHaveLength(2);
  });
});

describe('a payload file', () => {
  it.each([
    ['is gone', (file: string) => rmSync(file)],
    ['is cut', (file: string) => writeFileSync(file, readFileSync(file).subarray(0, 40))],
    [
      'has one bit changed',
      (file: string) => {
        const bytes = readFileSync(file);
        bytes[bytes.length - 9]! ^= 1;
        writeFileSync(file, bytes);
      },
    ],
  ])('that %s is never given, and is written again with an equal snapshot', async (_, harm) => {
    const project = projectWith(FILES);
    const record = await kept(project, PACK, { label: 'v1' });
    harm(path.join(project.root, record.file));
    const error = errorOf(() => payloadOf(project, record));
    expect(error.code).toBe('CHECKSUM_MISMATCH');
    expect(error.next).toContain('ben10 pack snapshot auth');
    expect(snapshotsOf(project)).toHaveLength(1);
    await kept(project, PACK, { label: 'v2' });
    expect(payloadOf(project, record).payload.length).toBe(record.bytes);
  });

  it('is not looked for where an event points out of its folder', async () => {
    const project = projectWith({ ...FILES, 'secret.txt': 'x' });
    const record = await kept(project, PACK);
    for (const file of ['../secret.txt', 'pack-payloads/../config.yaml', 'blobs/aa/aa'])
      expect(codeOf(() => payloadOf(project, { ...record, file }))).toBe('CHECKSUM_MISMATCH');
  });

  it('is packed by the archive, and reads the same', async () => {
    const project = projectWith({ 'log.txt': 'the same line again and again\n'.repeat(3000) });
    const record = await kept(project, ['file:log.txt']);
    const file = path.join(project.root, record.file);
    const before = statSync(file).size;
    expect(archiveStored(project, await loadZstd(), 19)).toMatchObject({ files: 1 });
    expect(statSync(file).size).toBeLessThan(before);
    expect(payloadOf(project, record).payload.length).toBe(record.bytes);
    expect(archiveStored(project, await loadZstd(), 19)).toMatchObject({ files: 0 });
  });

  it('stays if the folder cannot be written, and nothing is recorded', async () => {
    const project = projectWith(FILES);
    mkdirSync(path.join(project.root, 'pack-payloads'), { mode: 0o777 });
    chmodSync(path.join(project.root, 'pack-payloads'), 0o777);
    await expect(kept(project, PACK)).rejects.toMatchObject({ code: 'JOURNAL_UNSAFE' });
    expect(snapshotsOf(project)).toEqual([]);
  });
});

it('what was erased while packs were rendered is not kept', async () => {
  const project = projectWith(FILES);
  const told = project.recorder.ownEvent('pack.deleted', null, { name: 'erased' }, 'cli');
  const { seqs } = project.recorder.append([told]);
  const epoch = erasureEpoch(project);
  const rendered = await renderIn(project.dir, PACK);
  const codecs = { zstd: await loadZstd(), decoders };
  erase(project, { by: 'event', seqs }, codecs);
  const about = { packs: ['auth'], auto: true, epoch };
  expect(codeOf(() => takeSnapshot(project, rendered, about, 'tool'))).toBe('PACK_CHANGED');
  expect(payloadFilesOf(project)).toEqual([]);
});
