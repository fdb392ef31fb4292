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
import { timeAt } from './head.ts';
import { isStoredFile, type StoredRef } from './places.ts';
import { putBack } from './put-back.ts';
import { contextAt, type Replayed } from './replay.ts';
import { aboutSchema, contextSchema } from './state-schema.ts';
import { foldersOf } from './stored-files.ts';

export interface Loaded extends Replayed<ContextState> {
  /** How it was come by, where it was not simply read: a sentence each, for the user. */
  notes: string[];
}

/**
 * A stored state, looked at before it is believed: checksums, content hash, whose it says it is, and its shape. One that is
 * damaged is set aside into quarantine; that one, a missing one and one of an older version are made again from the journal and
 * stored.
 * @throws Ben10Error `ref.code` when there is no way to have it, DESERIALIZE_FAILED when a newer ben10 wrote it, JOURNAL_UNSAFE
 */
export function loadStored(project: Project, ref: StoredRef): Loaded {
  const read = readStored(project, ref);
  if (read.kind === 'whole') return { ...read.replayed, notes: [] };
  if (read.kind === 'newer') throw newer(project, ref, read.version);
  const epoch = erasureEpoch(project);
  const rebuilt = rebuild(project, ref);
  if (rebuilt !== undefined) {
    const made = `${why(ref, read)}; it was made again from the journal`;
    const stored = putBack(project, ref, rebuilt, { epoch, replaces: read.kind === 'older' });
    return { ...rebuilt, notes: [`${made}, and ${stored}.`] };
  }
  throw new Ben10Error(
    ref.code,
    `${why(ref, read)}, and the journal does not reach back to event ${ref.upto}`,
    {
      place: { file: `${project.root}/${ref.file}`, seq: ref.upto },
      next: 'Take another one; what can still be had of the journal: ben10 verify',
    },
  );
}

type Read =
  | { kind: 'whole'; replayed: Replayed<ContextState> }
  | { kind: 'older'; version: number }
  | { kind: 'newer'; version: number }
  | { kind: 'missing' }
  /** `kept`: its name in quarantine; null where it could not be moved. */
  | { kind: 'damaged'; kept: string | null };

/** Whether it is as it was stored, without touching it: what is damaged stays where it is. */
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

/** Too large, no file, or a link. */
const NOT_OURS = new Set<string | undefined>(['EFBIG', 'EISDIR', 'ELOOP']);

/**
 * Undefined when it is not what it should be: whatever made its checksums fit.
 * @param digest SHA-256 of what was decoded, hex
 */
function checked(decoded: unknown, ref: StoredRef, digest: () => string): Read | undefined {
  const [of, state] = Array.isArray(decoded) ? (decoded as unknown[]) : [];
  const about = aboutSchema.safeParse(of);
  if (!about.success) return undefined;
  const { projection, version, session, point } = about.data;
  // Another one's file, that this one's event claims, is not damaged.
  if (projection !== context.name || session !== ref.session || point.seq !== ref.upto)
    return { kind: 'missing' };
  if (ref.contentHash !== undefined && digest() !== ref.contentHash) return undefined;
  if (version > context.version) return { kind: 'newer', version };
  if (version < context.version) return { kind: 'older', version };
  const parsed = contextSchema.safeParse(state);
  if (!parsed.success) return undefined;
  return { kind: 'whole', replayed: { ...about.data, state: state as ContextState } };
}

/** Undefined when it is damaged. */
function decode(pieces: Pieces | undefined): unknown {
  try {
    return pieces && readMsgpackPieces(pieces, ENCODER_DEPTH_MAX, STATE_VALUES_MAX);
  } catch (error) {
    if (errno(error) !== undefined) throw error;
    return undefined;
  }
}

/** Reading works where nothing can be written: then it stays where it is. */
function damaged({ ports, layout }: Project, path: string): Read {
  try {
    return { kind: 'damaged', kept: setAside(ports, layout, dirname(path), basename(path)) };
  } catch (error) {
    if (errno(error) === undefined) throw error;
    return { kind: 'damaged', kept: null };
  }
}

/** Whether the journal reaches from its first event to there: then the state can be made again. */
export function canRebuild(project: Project, { upto }: StoredRef): boolean {
  const { first, last } = journalRange(project.ports, project.reader);
  return first === 1 && upto <= last && upto >= (project.states.dropped()?.upto ?? 0);
}

/** Undefined when the journal does not have all events up to there. */
function rebuild(project: Project, ref: StoredRef): Replayed<ContextState> | undefined {
  if (!canRebuild(project, ref)) return undefined;
  const { upto, session } = ref;
  const at = timeAt(project, upto);
  return contextAt(project, { text: `@${upto}`, cut: { upto }, session, seq: upto, at });
}

function why({ name, code }: StoredRef, read: Read): string {
  if (read.kind === 'older') return `The stored state of ${name} is of version ${read.version}`;
  if (read.kind === 'missing') return `The stored state of ${name} is not there`;
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
      next: `Use a ben10 that knows version ${version} of "${context.name}" states. What this one makes of the events: ben10 replay @${upto}`,
    },
  );
