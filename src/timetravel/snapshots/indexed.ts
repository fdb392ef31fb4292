import type { ContextMetrics } from '../../events/types.ts';
import { Ben10Error } from '../../platform/errors.ts';
import type { Project } from '../../project/open.ts';
import {
  type SnapshotRecord,
  type SnapshotsState,
  snapshots,
} from '../../projections/folds/snapshots.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { isStoredFile, SNAPSHOTS_DIR, type StoredRef } from '../places.ts';
import { type Left, leftBehind } from './left.ts';

export interface SnapshotListed extends Omit<SnapshotRecord, 'bytes'> {
  /** Current size; 0 when the file is gone and would be rebuilt. */
  bytes: number;
  /** Its tokens are counted as in `after`. */
  before: ContextMetrics;
  /** As far as known; null until the compaction ends. */
  after: ContextMetrics | null;
  /** Tokens after divided by before; null while unknown. */
  ratio: number | null;
  /** See `Left`; null when the journal lacks the compaction. */
  tokensBy: Left['tokensBy'] | null;
}

export interface SnapshotPage {
  /** Newest first. */
  snapshots: SnapshotListed[];
  /** Of all snapshots. */
  count: number;
  bytes: number;
  /** When retention last removed one, milliseconds since the epoch. */
  lastPruned: number | null;
}

export const PAGE_DEFAULT = 20;
const NAMED_MAX = 5;

export const snapshotIndex = (project: Project): SnapshotsState =>
  project.states.at(snapshots, null).state;

/** A page of snapshots. @param options.before only those up to an earlier event, so that pages are stable */
export function listSnapshots(
  project: Project,
  options: { before?: number; count?: number } = {},
): SnapshotPage {
  const { before = Number.POSITIVE_INFINITY, count = PAGE_DEFAULT } = options;
  const { snapshots: byId, lastPruned } = snapshotIndex(project);
  const all = Object.values(byId).reverse();
  const earlier = all.filter(({ upto }) => upto < before);
  return {
    snapshots: earlier.slice(0, count).map((one) => listed(project, one)),
    count: all.length,
    bytes: all.reduce((sum, one) => sum + bytesOf(project, one), 0),
    lastPruned,
  };
}

/** As in a list. @throws as `findSnapshot` */
export const showSnapshot = (project: Project, id: string): SnapshotListed =>
  listed(project, findSnapshot(project, id));

/** Adds what transcripts reported since the compaction. */
function listed(project: Project, record: SnapshotRecord): SnapshotListed {
  const left = record.after === null ? undefined : leftBehind(project, record);
  const { tokensBefore } = left ?? {};
  const before = { ...record.before, ...(tokensBefore !== undefined && { tokens: tokensBefore }) };
  const after = left?.after ?? record.after;
  const tokensBy = left?.tokensBy ?? null;
  const ratio =
    tokensBy === null || !before.tokens || after?.tokens === undefined
      ? null
      : after.tokens / before.tokens;
  return { ...record, bytes: bytesOf(project, record), before, after, ratio, tokensBy };
}

export function bytesOf({ ports, root }: Project, { file }: SnapshotRecord): number {
  if (!isStoredFile(SNAPSHOTS_DIR, file)) return 0;
  return ports.fs.statIfThere(`${root}/${file}`)?.size ?? 0;
}

/** The snapshot of an id or a unique start of one. @throws Ben10Error SNAPSHOT_NOT_FOUND with the possible ones */
export function findSnapshot(project: Project, given: string): SnapshotRecord {
  const all = Object.values(snapshotIndex(project).snapshots).reverse();
  const asked = given.trim().toLowerCase();
  const exact = all.find(({ id }) => id === asked);
  if (exact !== undefined) return exact;
  const matching = asked === '' ? [] : all.filter(({ id }) => id.startsWith(asked));
  if (matching.length === 1) return matching[0]!;
  const name = `"${oneLine(given).slice(0, 60)}"`;
  if (matching.length > 1) {
    const what = `${name} is the start of ${matching.length} snapshots`;
    throw notFound(what, `Give more of the id: ${nameList(matching)}`);
  }
  throw notFound(
    `there is no snapshot ${name}`,
    all.length === 0
      ? 'There is none. One is taken before each compaction while context.compactionSnapshots.enabled is true. To keep the current state: ben10 save NAME'
      : `The newest are: ${nameList(all)}`,
  );
}

const notFound = (what: string, next: string): Ben10Error =>
  new Ben10Error('SNAPSHOT_NOT_FOUND', what, { next });

const nameList = (records: readonly SnapshotRecord[]): string => {
  const shown = records
    .slice(0, NAMED_MAX)
    .map(({ id }) => oneLine(id))
    .join(', ');
  return records.length > NAMED_MAX ? `${shown} and ${records.length - NAMED_MAX} more` : shown;
};

export const storedRef = ({ id, file, session, upto, contentHash }: SnapshotRecord): StoredRef => ({
  folder: SNAPSHOTS_DIR,
  file,
  session,
  upto,
  // Removed by an erasure until the state is stored again.
  ...(contentHash !== '' && { contentHash }),
  snapshot: id,
  name: `snapshot ${id}`,
  code: 'SNAPSHOT_CORRUPTED',
});
