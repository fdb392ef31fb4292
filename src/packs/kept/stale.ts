import type { Project } from '../../project/open.ts';
import type { PackSnapshotRecord } from '../../projections/folds/packs.ts';
import { differencesOf } from '../compare.ts';
import type { Rendered } from '../render/render.ts';
import { getPayload, manifestOf } from './payload-file.ts';
import { snapshotsOf } from './snapshots.ts';

/** The newest snapshot of these packs as they were at its time, a labelled one first. */
export function newestOf(
  project: Project,
  words: readonly string[],
): PackSnapshotRecord | undefined {
  const all = snapshotsOf(project).filter(
    ({ packs, at }) => at === undefined && packs.join() === words.join(),
  );
  return all.findLast(({ label }) => label !== undefined) ?? all.at(-1);
}

export interface Staleness {
  snapshot: PackSnapshotRecord;
  items: number;
  /** Of now, less those of the snapshot. */
  tokens: number;
}

/** What differs from their newest snapshot; undefined if there is none, or it cannot be read. */
export function stalenessOf(
  project: Project,
  words: readonly string[],
  rendered: Rendered,
): Staleness | undefined {
  const snapshot = newestOf(project, words);
  if (snapshot === undefined) return undefined;
  const tokens = rendered.tokens - snapshot.tokens;
  if (snapshot.renderHash === rendered.renderHash) return { snapshot, items: 0, tokens };
  const kept = getPayload(project, snapshot.file);
  if (kept === undefined) return undefined;
  const items = differencesOf(kept.manifest, manifestOf(project, rendered)).length;
  return { snapshot, items, tokens };
}
