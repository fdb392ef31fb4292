import { basename, dirname } from 'node:path';
import { CONTAINER_FILE_BYTES_MAX } from '../journal/format/container.ts';
import { containerPieces, type Pieces } from '../journal/format/container-pieces.ts';
import { refuseUnsafe } from '../journal/format/layout.ts';
import { readMsgpackPieces } from '../journal/format/msgpack-read.ts';
import { journalRange } from '../journal/read/range.ts';
import { setAside } from '../journal/repair/quarantine.ts';
import { Ben10Error, errno } from '../platform/errors.ts';
import { withFile } from '../platform/files.ts';
import { nodeCrypto } from '../platform/node-crypto.ts';
import type { Project } from '../project/open.ts';
import { ENCODER_DEPTH_MAX, STATE_VALUES_MAX } from '../projections/checkpoint-form.ts';
import { type ContextState, context } from '../projections/folds/context.ts';
import { erasureEpoch } from './beside-erasure.ts';
import { timeAt } from './history.ts';
import { isStoredFile, type StoredRef } from './places.ts';
import { contextAt, type Replayed } from './replay.ts';
import { aboutSchema, contextSchema } from './state-schema.ts';
import { foldersOf, putBack } from './stored-files.ts';

export interface Loaded extends Replayed<ContextState> {
  /** Sentences for the user when it was not simply read. */
  notes: string[];
}

/**
 * A stored state, checked before use: checksums, content hash, owner, shape. A damaged file goes to quarantine; a damaged, missing or
 * outdated state is rebuilt from the journal and stored again.
 * @throws Ben10Error `ref.code` when that is impossible, DESERIALIZE_FAILED when a newer ben10 wrote it, JOURNAL_UNSAFE
 */
export function loadStored(project: Project, ref: StoredRef): Loaded {
  const read = readStored(project, ref);
  if (read.kind === 'whole') return { ...read.replayed, notes: [] };
  if (read.kind === 'newer') throw newer(project, ref, read.version);
  const epoch = erasureEpoch(project);
  const rebuilt = rebuild(project, ref);
  if (rebuilt !== undefined) {
    const made = `${why(ref, read)}; it was rebuilt from the journal`;
    const stored = putBack(project, ref, rebuilt, { epoch, replaces: read.kind === 'older' });
    return { ...rebuilt, notes: [`${made}, and ${stored}.`] };
  }
  throw new Ben10Error(
    ref.code,
    `${why(ref, read)}, and the journal does not reach back to event ${ref.upto}`,
    {
      place: { file: `${project.root}/${ref.file}`, seq: ref.upto },
      next: 'Use another one. For the state of the journal: ben10 verify',
    },
  );
}

type Read =
  | { kind: 'whole'; replayed: Replayed<ContextState> }
  | { kind: 'older'; version: number }
  | { kind: 'newer'; version: number }
  | { kind: 'missing' }
  /** `kept`: its name in quarantine; null if it could not be moved. */
  | { kind: 'damaged'; kept: string | null };

/** The condition of a stored state, without touching it. */
export const standingOf = (project: Project, ref: StoredRef): Read['kind'] =>
  readStored(project, ref, () => ({ kind: 'damaged', kept: null })).kind;

function readStored(project: Project, ref: StoredRef, keep = damaged): Read {
  const { ports, root, decoders } = project;
  if (!isStoredFile(ref.folder, ref.file)) return { kind: 'missing' };
  const path = `${root}/${ref.file}`;
  for (const dir of foldersOf(project, ref.folder)) refuseUnsafe(ports.fs, dir);
  const sum = nodeCrypto().createHash('sha256');
  let decoded: unknown;
  try {
    decoded = withFile(ports.fs, path, CONTAINER_FILE_BYTES_MAX, (bytes, read) => {
      const by = { decoders, xxh64: ports.xxh64 };
      return decode(containerPieces(bytes, read, by, (piece) => sum.update(piece)));
    });
  } catch (error) {
    if (errno(error) === 'ENOENT') return { kind: 'missing' };
    if (NOT_OURS.has(errno(error))) return keep(project, path);
    throw error;
  }
  return checked(decoded, ref, () => sum.digest('hex')) ?? keep(project, path);
}

/** Too large, not a file, or a link. */
const NOT_OURS = new Set<string | undefined>(['EFBIG', 'EISDIR', 'ELOOP']);

/** Undefined when the content is wrong, even if checksums fit. @param digest SHA-256 of the decoded bytes, hex */
function checked(decoded: unknown, ref: StoredRef, digest: () => string): Read | undefined {
  const [of, state] = Array.isArray(decoded) ? (decoded as unknown[]) : [];
  const about = aboutSchema.safeParse(of);
  if (!about.success) return undefined;
  const { projection, version, session, point } = about.data;
  // A valid file of another save or snapshot is not damaged.
  if (projection !== context.name || session !== ref.session || point.seq !== ref.upto)
    return { kind: 'missing' };
  if (ref.contentHash !== undefined && digest() !== ref.contentHash) return undefined;
  if (version > context.version) return { kind: 'newer', version };
  if (version < context.version) return { kind: 'older', version };
  const parsed = contextSchema.safeParse(state);
  if (!parsed.success) return undefined;
  return { kind: 'whole', replayed: { ...about.data, state: state as ContextState } };
}

function decode(pieces: Pieces | undefined): unknown {
  try {
    return pieces && readMsgpackPieces(pieces, ENCODER_DEPTH_MAX, STATE_VALUES_MAX);
  } catch (error) {
    if (errno(error) !== undefined) throw error;
    return undefined;
  }
}

/** In a read-only project the file stays where it is. */
function damaged({ ports, layout }: Project, path: string): Read {
  try {
    return { kind: 'damaged', kept: setAside(ports, layout, dirname(path), basename(path)) };
  } catch (error) {
    if (errno(error) === undefined) throw error;
    return { kind: 'damaged', kept: null };
  }
}

/** Whether the journal has all events up to there. */
export function canRebuild(project: Project, { upto }: StoredRef): boolean {
  const { first, last } = journalRange(project.ports, project.reader);
  return first === 1 && upto <= last && upto >= (project.states.dropped()?.upto ?? 0);
}

/** Undefined when the journal lacks events. */
function rebuild(project: Project, ref: StoredRef): Replayed<ContextState> | undefined {
  if (!canRebuild(project, ref)) return undefined;
  const { upto, session } = ref;
  const at = timeAt(project, upto);
  return contextAt(project, { text: `@${upto}`, cut: { upto }, session, seq: upto, at });
}

function why({ name, code }: StoredRef, read: Read): string {
  if (read.kind === 'older') return `The stored state of ${name} is of version ${read.version}`;
  if (read.kind === 'missing') return `The stored state of ${name} is missing`;
  const kept = read.kind === 'damaged' ? read.kept : null;
  const where = kept === null ? '' : `; set aside as journal/quarantine/${kept}`;
  return `The stored state of ${name} is damaged (${code}${where})`;
}

const newer = (project: Project, { name, file, upto }: StoredRef, version: number): Ben10Error =>
  new Ben10Error(
    'DESERIALIZE_FAILED',
    `the stored state of ${name} is of version ${version}; this ben10 reads up to version ${context.version}`,
    {
      place: { file: `${project.root}/${file}` },
      next: `Use a ben10 that reads version ${version} of "${context.name}" states. To fold the events instead: ben10 replay @${upto}`,
    },
  );
