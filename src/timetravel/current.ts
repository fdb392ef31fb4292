import { Encoder } from '@msgpack/msgpack';
import { encodeContainer } from '../journal/format/container.ts';
import { refuseUnsafe } from '../journal/format/layout.ts';
import { journalRange } from '../journal/read/range.ts';
import { Ben10Error } from '../platform/errors.ts';
import { ensureDir, writeFileAtomic } from '../platform/files.ts';
import { randomHex } from '../platform/random.ts';
import { sha256 } from '../platform/sha256.ts';
import type { HookStep } from '../project/doors.ts';
import type { Project } from '../project/open.ts';
import { type ContextState, context } from '../projections/folds/context.ts';
import { besideErasure } from './beside-erasure.ts';
import { timeAt } from './history.ts';
import type { Replayed } from './replay.ts';

/** Raised when the form of either file changes. */
const CURRENT_VERSION = 1;

export interface CurrentMeta {
  version: number;
  directory: string;
  session: string | null;
  /** The newest event in the state. */
  seq: number;
  at: number | null;
  projection: string;
  projectionVersion: number;
  bytes: number;
  plainBytes: number;
  sha256: string;
}

/**
 * A state as a container of LZ4 blocks around MessagePack.
 * @throws Ben10Error SERIALIZE_FAILED when MessagePack cannot express it, or it is too deep or too large
 */
export function encodeState(
  { lz4, ports }: Project,
  value: unknown,
): { plain: Uint8Array; bytes: Buffer } {
  try {
    // States may be large, and this encoder's buffer is not used again: no copy is needed.
    const plain = new Encoder({ initialBufferSize: 64 * 1024 }).encodeSharedRef(value);
    const bytes = encodeContainer(plain, ports.xxh64, { method: 'lz4', codec: lz4, level: 0 });
    return { plain, bytes };
  } catch (error) {
    throw new Ben10Error(
      'SERIALIZE_FAILED',
      `the state cannot be stored: ${(error as Error).message}`,
      { cause: error, next: 'The journal still has it: ben10 replay. Please report this.' },
    );
  }
}

/**
 * Prepares `current.ctx` and its `.meta`, the newest state for people and tools.
 * @returns the function that writes both, each replaced whole, the state first: a reader who finds a wrong sum reads again. It throws
 * Node's errors
 * @throws as `encodeState`
 */
export function prepareCurrent(project: Project, { state, ...of }: Replayed): () => CurrentMeta {
  const { ports, root, dir } = project;
  const { bytes, plain } = encodeState(project, state);
  const meta: CurrentMeta = {
    version: CURRENT_VERSION,
    directory: dir,
    session: of.session,
    seq: of.point.seq,
    at: of.point.at,
    projection: of.projection,
    projectionVersion: of.version,
    bytes: bytes.length,
    plainBytes: plain.length,
    sha256: sha256(bytes).toString('hex'),
  };
  const unique = randomHex(ports.random, 6);
  const write = (name: string, content: Uint8Array) =>
    writeFileAtomic(ports.fs, `${root}/${name}`, content, unique, { durable: false });
  return () => {
    refuseUnsafe(ports.fs, root);
    ensureDir(ports.fs, root);
    write('current.ctx', bytes);
    write('current.ctx.meta', Buffer.from(`${JSON.stringify(meta, null, 2)}\n`));
    return meta;
  };
}

/**
 * A session's newest state. The journal's end is read first, so that later events are covered and `seq` is never too high.
 * @throws Ben10Error CONTEXT_NOT_FOUND when nothing was recorded yet, STATES_BEHIND
 */
export function contextNow(project: Project, session: string): Replayed<ContextState> {
  const { ports, reader, states, layout } = project;
  const { last } = journalRange(ports, reader);
  const { state, seq: known } = states.at(context, session);
  const seq = Math.max(last, known);
  if (seq === 0) {
    throw new Ben10Error(
      'CONTEXT_NOT_FOUND',
      'there is nothing to store: nothing was recorded yet',
      { place: { file: layout.journal } },
    );
  }
  const { name, version } = context;
  const point = { seq, at: timeAt(project, seq) };
  return { point, projection: name, version, session, state };
}

/** Writes `current.ctx` for a session. @throws as `contextNow` and `besideErasure`, and Node's errors */
export const keepCurrent = (project: Project, session: string): CurrentMeta =>
  besideErasure(project, () => prepareCurrent(project, contextNow(project, session)));

/** Writes the state for other tools at the end of a turn; a session's end adds nothing. */
export const writeCurrent: HookStep = {
  on: ['Stop', 'StopFailure'],
  failed: 'current.ctx was not updated for this turn',
  run(project, { session }) {
    keepCurrent(project, session);
    return undefined;
  },
};
