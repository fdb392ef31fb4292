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
  /** Of the file as it is now; 0 when it is gone: then the state is made again from the journal. */
  bytes: number;
  /** Its tokens are by the same measure as those after. */
  before: ContextMetrics;
  /** As far as it is known by now. Null until the compaction is over. */
  after: ContextMetrics | null;
  /** Tokens after the compaction through those before; null while one of them is not known. */
  ratio: number | null;
  /** See `Left`; null where the journal does not have the compaction. */
  tokensBy: Left['tokensBy'] | null;
}

export interface SnapshotPage {
  /** Newest first. */
  snapshots: SnapshotListed[];
  /** Of all, not only of this page. */
  count: number;
  bytes: number;
  /** When retention last removed one, milliseconds since the epoch. */
  lastPruned: number | null;
}

/** Snapshots of one page when nothing is said. */
export const PAGE_DEFAULT = 20;
/** Snapshots that an error names, so that the right one can be picked. */
const NAMED_MAX = 5;

/** Made from the journal's events, or from what was stored of them: it cannot be lost. */
export const snapshotIndex = (project: Project): SnapshotsState =>
  project.states.at(snapshots, null).state;

/**
 * A page of all snapshots.
 * @param options.before only those that are up to an earlier event: a page stays what it is while more are taken
 */
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

/** One of them, as a list has it. @throws as `findSnapshot` */
export const showSnapshot = (project: Project, id: string): SnapshotListed =>
  listed(project, findSnapshot(project, id));

/** What was not known when the compaction ended may have been told since: its transcript is read at the end of a turn. */
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

/** Of a snapshot's file on the disk. */
export function bytesOf({ ports, root }: Project, { file }: SnapshotRecord): number {
  if (!isStoredFile(SNAPSHOTS_DIR, file)) return 0;
  return ports.fs.statIfThere(`${root}/${file}`)?.size ?? 0;
}

/**
 * The snapshot that an id or the start of one means.
 * @throws Ben10Error SNAPSHOT_NOT_FOUND naming the snapshots that there are, or that it could mean
 */
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
      ? 'None is kept; one is taken before each compaction while context.compactionSnapshots.enabled is true. To keep the state of now: ben10 save NAME'
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

/** Where its state is stored. */
export const storedRef = ({ id, file, session, upto, contentHash }: SnapshotRecord): StoredRef => ({
  folder: SNAPSHOTS_DIR,
  file,
  session,
  upto,
  // An erasure takes it away, until the state is stored anew.
  ...(contentHash !== '' && { contentHash }),
  snapshot: id,
  name: `snapshot ${id}`,
  code: 'SNAPSHOT_CORRUPTED',
});
