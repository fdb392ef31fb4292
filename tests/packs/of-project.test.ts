import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodeContainer, encodeContainer } from '../../src/journal/format/container.ts';
import { addSources, createPack, removeArtifact } from '../../src/packs/change.ts';
import { loadCounts } from '../../src/packs/counts.ts';
import { takeSnapshot } from '../../src/packs/kept/snapshots.ts';
import { packsAt, packsOf, renderOf } from '../../src/packs/of-project.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import type { Project } from '../../src/project/open.ts';
import { ARTIFACTS_MAX, PACKS_MAX } from '../../src/projections/folds/packs.ts';
import { erasureEpoch } from '../../src/timetravel/beside-erasure.ts';
import { resolvePoint } from '../../src/timetravel/resolve.ts';
import { ben10 } from '../cli/support.ts';
import { codeOf, openTestProject } from '../support.ts';
import { projectWith } from './kept/support.ts';
import { textOf } from './support.ts';

const countsOf = ({ layout }: Project): string =>
  path.join(layout.checkpoints, 'pack-counts/counts');

const NOTHING = Buffer.from('[]');

async function rendered(project: Project, ...words: string[]) {
  const given = await renderOf(project, { packs: packsOf(project, words) });
  return { text: textOf(given), tokens: given.tokens };
}

describe('counts of earlier renders', () => {
  it('are used by the next process, and change nothing', async () => {
    const project = projectWith({ 'a.txt': 'one two three\n' });
    const first = await rendered(project, 'file:a.txt');
    const stored = readFileSync(countsOf(project));
    const next = openTestProject(project.dir);
    expect(loadCounts(next).kept.toBytes()).not.toEqual(NOTHING);
    expect(await rendered(next, 'file:a.txt')).toEqual(first);
    expect(readFileSync(countsOf(project))).toEqual(stored);
  });

  it('of another version are not used: it may redact more', async () => {
    const project = projectWith({ 'a.txt': 'one two three\n' });
    await rendered(project, 'file:a.txt');
    const plain = decodeContainer(readFileSync(countsOf(project)), project.decoders, xxh64)!;
    const counts = plain.subarray(plain.indexOf('\n'));
    const asIf = (head: string) => {
      const bytes = encodeContainer(Buffer.concat([Buffer.from(head), counts]), xxh64);
      writeFileSync(countsOf(project), bytes);
      return loadCounts(project).kept.toBytes();
    };
    expect(asIf('99.0.0 0')).toEqual(NOTHING);
    expect(asIf(plain.toString('latin1', 0, plain.indexOf('\n')))).not.toEqual(NOTHING);
  });

  it('go with an erasure, and one that was under way stores none', async () => {
    const project = projectWith({ 'a.txt': 'one two three\n' });
    createPack(project, 'auth', {}, 'cli');
    await rendered(project, 'file:a.txt');
    const underWay = loadCounts(project);
    underWay.kept.set(underWay.kept.nameOf('x', Buffer.from('x')), { tokens: 1, isRaw: true });
    expect(ben10(project.dir, ['erase', '@1', '--yes']).status).toBe(0);
    expect(existsSync(countsOf(project))).toBe(false);
    underWay.store();
    expect(existsSync(countsOf(project))).toBe(false);
  });

  it('are neither read nor written through a link, nor in a journal that is only read', async () => {
    const project = projectWith({ 'a.txt': 'one two three\n', 'away/x': '' });
    const readOnly = openTestProject(project.dir, { readOnly: true });
    const { tokens } = await rendered(readOnly, 'file:a.txt');
    expect(existsSync(countsOf(project))).toBe(false);
    symlinkSync(path.join(project.dir, 'away'), project.layout.checkpoints);
    expect((await rendered(project, 'file:a.txt')).tokens).toBe(tokens);
    expect(existsSync(path.join(project.dir, 'away/pack-counts'))).toBe(false);
  });

  it('that somebody else wrote are taken for none', async () => {
    const project = projectWith({ 'a.txt': 'one two three\n' });
    const first = await rendered(project, 'file:a.txt');
    for (const bytes of ['', 'x', Buffer.alloc(4096)]) {
      writeFileSync(countsOf(project), bytes);
      expect(await rendered(project, 'file:a.txt')).toEqual(first);
    }
  });
});

describe('a render', () => {
  it('that began before an erasure is not kept as a snapshot', async () => {
    const project = projectWith({ 'a.txt': 'one two three\n' });
    createPack(project, 'auth', {}, 'cli');
    const epoch = erasureEpoch(project);
    const before = await renderOf(project, { packs: packsOf(project, ['file:a.txt']) });
    expect(ben10(project.dir, ['erase', '@1', '--yes']).status).toBe(0);
    const about = { packs: [], label: 'v1', auto: false, epoch };
    expect(codeOf(() => takeSnapshot(project, before, about, 'cli'))).toBe('PACK_CHANGED');
  });
});

describe('packs that are changed', () => {
  it('have limits, which are said before anything is stored', async () => {
    const project = projectWith({ 'a.txt': 'one\n' });
    for (let n = 0; n < PACKS_MAX; n += 1) createPack(project, `pack-${n}`, {}, 'cli');
    expect(codeOf(() => createPack(project, 'more', {}, 'cli'))).toBe('LIMIT_EXCEEDED');
    const sources = Array.from({ length: ARTIFACTS_MAX }, (_, n) => `text:${n}`);
    await addSources(project, 'pack-0', sources, {}, 'cli');
    const more = addSources(project, 'pack-0', ['file:a.txt'], {}, 'cli');
    await expect(more).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(packsAt(project).packs['pack-0']!.artifacts).toHaveLength(ARTIFACTS_MAX);
  });

  it('are as they were at a point', async () => {
    const project = projectWith({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
    createPack(project, 'auth', {}, 'cli');
    await addSources(project, 'auth', ['a.txt'], {}, 'cli');
    const then = [...project.reader.entries()].length;
    await addSources(project, 'auth', ['b.txt'], { priority: 5 }, 'tool');
    removeArtifact(project, 'auth', 'a.txt', 'tool');
    const sourcesAt = (point: string) =>
      packsOf(project, ['auth'], resolvePoint(project, point))[0]!.artifacts.map(
        ({ source }) => source,
      );
    expect(sourcesAt(`@${then}`)).toEqual(['file:a.txt']);
    expect(sourcesAt('@head')).toEqual(['file:b.txt']);
    expect(codeOf(() => sourcesAt('@0'))).toBe('PACK_NOT_FOUND');
  });

  it('keep the order of what was added at once', async () => {
    const project = projectWith({});
    createPack(project, 'auth', {}, 'cli');
    const sources = Array.from({ length: 40 }, (_, n) => `text:number ${n}.`);
    const added = await addSources(project, 'auth', sources, {}, 'cli');
    const seqs = added.map((one) => one.added);
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
    expect(new Set(seqs).size).toBe(sources.length);
    const { text } = await rendered(project, 'auth');
    const places = sources.map((source) => text.indexOf(source.slice('text:'.length)));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
  });
});
