import type {
  ContextMetrics,
  SnapshotAnnotated,
  SnapshotCompleted,
  SnapshotCreated,
  SnapshotRemoved,
} from '../../events/types.ts';
import { fieldOf, headOf } from '../bounds.ts';
import type { Fact, Projection } from '../contract.ts';

/** A state that was stored just before a compaction, and what people say of it. */
export interface SnapshotRecord {
  id: string;
  createdAt: number;
  session: string | null;
  trigger: SnapshotCreated['trigger'];
  /** The state is everything up to this seq. */
  upto: number;
  file: string;
  before: ContextMetrics;
  /** Null until the compaction is over. */
  after: ContextMetrics | null;
  contentHash: string;
  plainBytes: number;
  bytes: number;
  pinned: boolean;
  tags: string[];
  note: string;
}

export interface SnapshotsState {
  /** By id, the oldest first; those that were removed are not there. */
  snapshots: Record<string, SnapshotRecord>;
  /** When one was last removed by retention, milliseconds since the epoch. */
  lastPruned: number | null;
}

/** Far more than any retention keeps. */
export const SNAPSHOTS_MAX = 1000;
const ID = /^[0-9a-f]{16}$/;
const FILE_CHARS = 200;
const SESSION_CHARS = 200;
const HASH_CHARS = 64;
export const TAGS_MAX = 20;
export const TAG_CHARS_MAX = 50;
export const NOTE_CHARS_MAX = 1000;

/** The index of all compaction snapshots: lost with its stored state, it is made again from the journal. */
export const snapshots: Projection<SnapshotsState> = {
  name: 'snapshots',
  version: 1,
  scope: 'project',
  types: ['snapshot.created', 'snapshot.completed', 'snapshot.annotated', 'snapshot.removed'],
  initial: () => ({ snapshots: {}, lastPruned: null }),
  apply(state, fact) {
    if (fact.type === 'snapshot.created') created(state, fact as Fact<SnapshotCreated>);
    else if (fact.type === 'snapshot.removed') removed(state, fact as Fact<SnapshotRemoved>);
    else changed(state, fact as Fact<SnapshotCompleted | SnapshotAnnotated>);
    return state;
  },
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

/** The oldest that nobody pinned, when there is one too many. */
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

function changed(state: SnapshotsState, fact: Fact<SnapshotCompleted | SnapshotAnnotated>): void {
  const found = fieldOf(state.snapshots, fact.data.snapshot);
  if (found === undefined) return;
  if (fact.type === 'snapshot.completed') {
    found.after = (fact.data as SnapshotCompleted).after;
    return;
  }
  const { pinned, tags, note, contentHash } = fact.data as SnapshotAnnotated;
  if (contentHash !== undefined) found.contentHash = headOf(contentHash, HASH_CHARS);
  if (pinned !== undefined) found.pinned = pinned;
  if (tags !== undefined)
    found.tags = tags.slice(0, TAGS_MAX).map((tag) => headOf(tag, TAG_CHARS_MAX));
  if (note !== undefined) found.note = headOf(note, NOTE_CHARS_MAX);
}
