import type {
  PackArtifactAdded,
  PackArtifactChanged,
  PackArtifactRemoved,
  PackCaptured,
  PackCreated,
  PackDeleted,
  PackOptions,
  PackPolicy,
  PackSnapshotRemoved,
  PackSnapshotted,
} from '../../events/types.ts';
import { fieldOf, headOf } from '../bounds.ts';
import { type Fact, foldedBy, type Projection } from '../contract.ts';

/** What a command printed when it was last run for a pack; the output is in the event. */
export interface CaptureRecord extends Omit<PackCaptured, 'name' | 'artifact' | 'output'> {
  seq: number;
  at: number;
}

export interface ArtifactRecord {
  id: string;
  kind: PackArtifactAdded['kind'];
  source: string;
  priority: number;
  options: PackOptions;
  /** The event that added it; it has the whole text of a `text:`. */
  added: number;
  capture?: CaptureRecord;
}

export interface PackRecord {
  policy: PackPolicy;
  createdAt: number;
  /** The newest event that changed it, captures included. */
  changed: number;
  /** In the order of arrival. */
  artifacts: ArtifactRecord[];
}

export interface PackSnapshotRecord extends Omit<PackSnapshotted, 'snapshot'> {
  id: string;
  /** Its event. */
  seq: number;
  createdAt: number;
  session: string | null;
}

export interface PacksState {
  packs: Record<string, PackRecord>;
  /** By id, oldest first, without removed ones. */
  snapshots: Record<string, PackSnapshotRecord>;
}

export const PACKS_MAX = 200;
export const ARTIFACTS_MAX = 500;
export const ARTIFACTS_IN_ALL_MAX = 5000;
export const PACK_SNAPSHOTS_MAX = 1000;
export const SOURCE_CHARS_MAX = 1000;
const ID = /^[0-9a-f]{8}$/;
const SNAPSHOT_ID = /^[0-9a-f]{16}$/;
export const PACK_NAME = /^[a-z0-9][a-z0-9._-]{0,59}$/;

/** Writers refuse what is over a limit, so here it only bounds what a strange journal can do. */
export const packs: Projection<PacksState> = {
  name: 'packs',
  version: 1,
  scope: 'project',
  initial: () => ({ packs: {}, snapshots: {} }),
  ...foldedBy<PacksState>({
    'pack.created': created,
    'pack.changed': created,
    'pack.deleted': deleted,
    'pack.artifact-added': added,
    'pack.artifact-changed': changed,
    'pack.artifact-removed': removed,
    'pack.captured': captured,
    'pack.snapshotted': snapshotted,
    'pack.snapshot-removed': snapshotRemoved,
  }),
};

/** Two processes that make one pack at a time make one: the name is its identity. */
function created({ packs }: PacksState, { at, seq, data }: Fact<PackCreated>): void {
  const found = fieldOf(packs, data.name);
  if (found !== undefined) {
    found.policy = data.policy;
    found.changed = seq;
  } else if (PACK_NAME.test(data.name) && Object.keys(packs).length < PACKS_MAX) {
    packs[data.name] = { policy: data.policy, createdAt: at, changed: seq, artifacts: [] };
  }
}

function deleted({ packs }: PacksState, { data }: Fact<PackDeleted>): void {
  if (fieldOf(packs, data.name) !== undefined) delete packs[data.name];
}

/** The same source again is a new priority. */
function added({ packs }: PacksState, { seq, data }: Fact<PackArtifactAdded>): void {
  const pack = fieldOf(packs, data.name);
  const { artifact: id, kind, source, priority, options } = data;
  if (pack === undefined || !ID.test(id) || source.length > SOURCE_CHARS_MAX) return;
  pack.changed = seq;
  const same = pack.artifacts.find((one) => isSameArtifact(one, data));
  if (same !== undefined) Object.assign(same, { priority, options, added: same.added });
  else if (pack.artifacts.length < ARTIFACTS_MAX && artifactsIn(packs) < ARTIFACTS_IN_ALL_MAX)
    pack.artifacts.push({ id, kind, source, priority, options, added: seq });
}

/** Texts with one beginning can differ behind it. */
export const isSameArtifact = (
  one: Pick<ArtifactRecord, 'kind' | 'source' | 'options'>,
  other: typeof one,
): boolean =>
  one.kind !== 'text' &&
  one.kind === other.kind &&
  one.source === other.source &&
  (['base', 'head', 'cwd', 'session', 'since'] as const).every(
    (key) => one.options[key] === other.options[key],
  );

export const artifactsIn = (packs: PacksState['packs']): number =>
  Object.values(packs).reduce((sum, { artifacts }) => sum + artifacts.length, 0);

function changed({ packs }: PacksState, { seq, data }: Fact<PackArtifactChanged>): void {
  const pack = fieldOf(packs, data.name);
  const found = pack?.artifacts.find(({ id }) => id === data.artifact);
  if (pack === undefined || found === undefined) return;
  pack.changed = seq;
  if (data.priority !== undefined) found.priority = data.priority;
  if (data.options !== undefined) found.options = data.options;
}

function removed({ packs }: PacksState, { seq, data }: Fact<PackArtifactRemoved>): void {
  const pack = fieldOf(packs, data.name);
  if (pack === undefined) return;
  pack.changed = seq;
  pack.artifacts = pack.artifacts.filter(({ id }) => id !== data.artifact);
}

function captured({ packs }: PacksState, { seq, at, data }: Fact<PackCaptured>): void {
  const { name, artifact, output: _, ...rest } = data;
  const pack = fieldOf(packs, name);
  const found = pack?.artifacts.find(({ id }) => id === artifact);
  if (pack === undefined || found === undefined) return;
  pack.changed = seq;
  const command = headOf(rest.command, SOURCE_CHARS_MAX);
  found.capture = { ...rest, command, cwd: headOf(rest.cwd, SOURCE_CHARS_MAX), seq, at };
}

function snapshotted(
  { snapshots }: PacksState,
  { seq, at, session, data: { snapshot: id, ...data } }: Fact<PackSnapshotted>,
): void {
  if (!SNAPSHOT_ID.test(id) || fieldOf(snapshots, id) !== undefined) return;
  snapshots[id] = { ...data, id, seq, createdAt: at, session };
  const ids = Object.keys(snapshots);
  if (ids.length > PACK_SNAPSHOTS_MAX)
    delete snapshots[ids.find((one) => snapshots[one]!.label === undefined) ?? ids[0]!];
}

function snapshotRemoved({ snapshots }: PacksState, { data }: Fact<PackSnapshotRemoved>): void {
  if (fieldOf(snapshots, data.snapshot) !== undefined) delete snapshots[data.snapshot];
}
