import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { addSources, createPack, setPack } from '../../src/packs/change.ts';
import { takeSnapshot } from '../../src/packs/kept/snapshots.ts';
import { lint } from '../../src/packs/lint.ts';
import { packsOf, renderOf } from '../../src/packs/of-project.ts';
import { verifySnapshot } from '../../src/packs/verify.ts';
import type { Project } from '../../src/project/open.ts';
import { projectWith } from './kept/support.ts';

async function take(project: Project, names: string[], label?: string) {
  const rendered = await renderOf(project, { packs: packsOf(project, names) });
  return takeSnapshot(project, rendered, { packs: names, label, auto: false, epoch: 0 }, 'cli');
}

it('a pack is verified with its newest snapshot, and a snapshot by its label or id', async () => {
  const project = projectWith({ 'a.md': 'one\n', 'b.md': 'two\n' });
  for (const name of ['auth', 'styles']) createPack(project, name, {}, 'cli');
  await addSources(project, 'auth', ['file:a.md'], {}, 'cli');
  await addSources(project, 'styles', ['file:b.md'], {}, 'cli');
  await expect(verifySnapshot(project, 'auth')).rejects.toMatchObject({ code: 'PACK_NOT_FOUND' });
  const first = await take(project, ['auth']);
  const both = await take(project, ['auth', 'styles'], 'v1');
  expect(await verifySnapshot(project, 'auth')).toMatchObject({
    isSame: true,
    renderHash: first.renderHash,
  });
  expect(await lint(project, 'auth')).toEqual([]);

  writeFileSync(path.join(project.dir, 'a.md'), 'one and more\n');
  expect(await verifySnapshot(project, first.id)).toMatchObject({ isSame: false });
  expect(await verifySnapshot(project, 'v1')).toMatchObject({
    isSame: false,
    expected: both.renderHash,
    differences: [{ kind: 'file', label: 'a.md' }],
  });
  expect(await lint(project, 'auth')).toEqual([
    { problem: 'stale', what: first.id, about: 'items that differ: 1' },
  ]);

  await take(project, ['auth']);
  expect(await lint(project, 'auth')).toEqual([]);
  setPack(project, 'auth', { layout: 'stable' }, 'cli');
  expect(await verifySnapshot(project, 'auth')).toMatchObject({ isSame: false, differences: [] });
});
