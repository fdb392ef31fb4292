import { Encoder } from '@msgpack/msgpack';
import { encodeContainer } from '../journal/format/container.ts';
import { refuseUnsafe } from '../journal/format/layout.ts';
import { Ben10Error } from '../platform/errors.ts';
import { ensureDir, writeFileAtomic } from '../platform/files.ts';
import { randomHex } from '../platform/random.ts';
import { sha256 } from '../platform/sha256.ts';
import type { Project } from '../project/open.ts';
import type { Replayed } from './replay.ts';

/** Of `current.ctx.meta`; raised when either file's form changes. */
export const CURRENT_VERSION = 1;

/** What `current.ctx.meta` says, as JSON. */
export interface CurrentMeta {
  version: number;
  /** The project's folder. */
  directory: string;
  session: string | null;
  /** The state is everything up to this event. */
  seq: number;
  /** That event's time, milliseconds since the epoch. */
  at: number | null;
  projection: string;
  projectionVersion: number;
  /** Of `current.ctx` as it lies on disk. */
  bytes: number;
  /** Of the MessagePack in it. */
  plainBytes: number;
  /** Of `current.ctx` as it lies on disk, hex. */
  sha256: string;
}

/**
 * States that are kept outside of the rolling ones: a container of LZ4 blocks around MessagePack.
 * @throws Ben10Error SERIALIZE_FAILED when it has something in it that MessagePack cannot say, is nested too deep or too large
 */
export function encodeState(
  { lz4, ports }: Project,
  value: unknown,
): { plain: Uint8Array; bytes: Buffer } {
  try {
    // Nobody else has this encoder: what it wrote need not be copied, and states may be large.
    const plain = new Encoder({ initialBufferSize: 64 * 1024 }).encodeSharedRef(value);
    const bytes = encodeContainer(plain, ports.xxh64, { method: 'lz4', codec: lz4, level: 0 });
    return { plain, bytes };
  } catch (error) {
    throw new Ben10Error(
      'SERIALIZE_FAILED',
      `the state cannot be stored: ${(error as Error).message}`,
      { cause: error, next: 'The journal has it all the same: ben10 replay. Please report this.' },
    );
  }
}

/**
 * Makes the newest state ready for people and tools.
 * @returns what writes `current.ctx`, then what it is in `current.ctx.meta`, and throws Node's error when it cannot. Each is
 * replaced whole; who reads between the two finds a sum that does not fit, and reads again
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
