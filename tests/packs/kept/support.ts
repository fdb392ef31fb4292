import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { type About, takeSnapshot } from '../../../src/packs/kept/snapshots.ts';
import type { Project } from '../../../src/project/open.ts';
import type { PackSnapshotRecord } from '../../../src/projections/folds/packs.ts';
import { erasureEpoch } from '../../../src/timetravel/beside-erasure.ts';
import { folder, openTestProject } from '../../support.ts';
import { type Given, renderIn } from '../support.ts';

export function projectWith(
  files: Record<string, string>,
  options: Parameters<typeof openTestProject>[1] = {},
): Project {
  const dir = folder(files);
  mkdirSync(path.join(dir, '.ben10'), { mode: 0o700 });
  return openTestProject(dir, options);
}

/** Renders these sources of the pack `auth` now, and keeps that. */
export async function kept(
  project: Project,
  given: readonly Given[],
  about: Partial<About> = {},
): Promise<PackSnapshotRecord> {
  const rendered = await renderIn(project.dir, given);
  const epoch = erasureEpoch(project);
  return takeSnapshot(project, rendered, { packs: ['auth'], auto: false, epoch, ...about }, 'cli');
}

/** Payload files, half written ones included. */
export const payloadFilesOf = ({ root }: Project): string[] => {
  try {
    return readdirSync(path.join(root, 'pack-payloads'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.includes(path.sep))
      .sort();
  } catch {
    return [];
  }
};
