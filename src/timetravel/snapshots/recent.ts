import { readdirIfThere } from '../../platform/files.ts';
import type { Project } from '../../project/open.ts';
import { ArrivalHistory } from '../../projections/arrival-history.ts';
import { readEvents } from '../../projections/events.ts';
import { foldAll } from '../../projections/folding.ts';
import { type SnapshotRecord, snapshots } from '../../projections/folds/snapshots.ts';
import { STORED_NAME } from '../places.ts';

/** Of the newest files: other sessions of the project may have compacted since. */
const FILES_BACK = 5;

/** Where in the journal the states of the stored snapshots end, the oldest first. */
export const snapshotSeqs = ({ ports, layout }: Pick<Project, 'ports' | 'layout'>): number[] =>
  readdirIfThere(ports.fs, layout.snapshots)
    .flatMap((name) => STORED_NAME.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);

/**
 * The newest snapshots, the oldest first. Their files say from where on their events are, so that nothing before is read:
 * a hook has no time for the whole journal.
 */
export function recentSnapshots({ ports, layout, reader }: Project): SnapshotRecord[] {
  const seqs = snapshotSeqs({ ports, layout });
  const from = seqs.at(-FILES_BACK) ?? seqs[0];
  if (from === undefined) return [];
  const history = new ArrivalHistory();
  const { types } = snapshots;
  for (const event of readEvents(reader, ports.xxh64, { from: from + 1, types }))
    history.add(event);
  const { snapshots: found } = foldAll(snapshots, snapshots.initial(), history.ordered());
  return Object.values(found);
}
