import type {
  ContextMetrics,
  SnapshotAnnotated,
  SnapshotCompleted,
  SnapshotCreated,
  SnapshotRemoved,
} from '../../events/types.ts';
import { fieldOf, headOf } from '../bounds.ts';
import { type Fact, foldedBy, type Projection } from '../contract.ts';

/** A state stored just before a compaction, with people's notes on it. */
export interface SnapshotRecord {
  id: string;
  createdAt: number;
  session: string | null;
  trigger: SnapshotCreated['trigger'];
  /** It has all events up to this seq. */
  upto: number;
  file: string;
  before: ContextMetrics;
  /** Null until the compaction ends. */
  after: ContextMetrics | null;
  contentHash: string;
  plainBytes: number;
  bytes: number;
  pinned: boolean;
  tags: string[];
  note: string;
}

export interface SnapshotsState {
  /** By id, oldest first, without removed ones. */
  snapshots: Record<string, SnapshotRecord>;
  /** When retention last removed one, milliseconds since the epoch. */
  lastPruned: number | null;
}

export const SNAPSHOTS_MAX = 1000;
const ID = /^[0-9a-f]{16}$/;
const FILE_CHARS = 200;
const SESSION_CHARS = 200;
const HASH_CHARS = 64;
export const TAGS_MAX = 20;
export const TAG_CHARS_MAX = 50;
export const NOTE_CHARS_MAX = 1000;

export const snapshots: Projection<SnapshotsState> = {
  name: 'snapshots',
  version: 1,
  scope: 'project',
  initial: () => ({ snapshots: {}, lastPruned: null }),
  ...foldedBy<SnapshotsState>({
    'snapshot.created': created,
    'snapshot.completed': completed,
    'snapshot.annotated': annotated,
    'snapshot.removed': removed,
  }),
};

function created(
  { snapshots }: SnapshotsState,
  { at, session, data }: Fact<SnapshotCreated>,
): void {
  const { snapshot, trigger, upto, file, before, contentHash, plainBytes, bytes } = data;
  if (!ID.test(snapshot) || fieldOf(snapshots, snapshot) !== undefined) return;
  snapshots[snapshot] = {
    id: snapshot,
    createdAt: at,
    session: session === null ? null : headOf(session, SESSION_CHARS),
    trigger,
    upto,
    file: headOf(file, FILE_CHARS),
    before,
    after: null,
    contentHash: headOf(contentHash, HASH_CHARS),
    plainBytes,
    bytes,
    pinned: false,
    tags: [],
    note: '',
  };
  dropOne(snapshots);
}

function dropOne(snapshots: SnapshotsState['snapshots']): void {
  const ids = Object.keys(snapshots);
  if (ids.length <= SNAPSHOTS_MAX) return;
  delete snapshots[ids.find((id) => !snapshots[id]!.pinned) ?? ids[0]!];
}

function removed(state: SnapshotsState, { at, data }: Fact<SnapshotRemoved>): void {
  if (fieldOf(state.snapshots, data.snapshot) === undefined) return;
  delete state.snapshots[data.snapshot];
  if (data.why !== 'asked') state.lastPruned = at;
}

function completed({ snapshots }: SnapshotsState, { data }: Fact<SnapshotCompleted>): void {
  const found = fieldOf(snapshots, data.snapshot);
  if (found !== undefined) found.after = data.after;
}

function annotated({ snapshots }: SnapshotsState, { data }: Fact<SnapshotAnnotated>): void {
  const found = fieldOf(snapshots, data.snapshot);
  if (found === undefined) return;
  const { pinned, tags, note, contentHash } = data;
  if (contentHash !== undefined) found.contentHash = headOf(contentHash, HASH_CHARS);
  if (pinned !== undefined) found.pinned = pinned;
  if (tags !== undefined)
    found.tags = tags.slice(0, TAGS_MAX).map((tag) => headOf(tag, TAG_CHARS_MAX));
  if (note !== undefined) found.note = headOf(note, NOTE_CHARS_MAX);
}
