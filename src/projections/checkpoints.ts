import { decodeContainer, encodeContainer } from '../journal/format/container.ts';
import { CONTAINER_BYTES_MAX } from '../journal/format/format.ts';
import { type Layout, listSegments, refuseUnsafe } from '../journal/format/layout.ts';
import { readManifest } from '../journal/format/manifest.ts';
import type { JournalPorts } from '../journal/format/ports.ts';
import { chainAt } from '../journal/read/chain-at.ts';
import type { KnownFiles } from '../journal/read/known-files.ts';
import type { Codec, Decoders } from '../platform/codecs/codecs.ts';
import { Ben10Error, errno } from '../platform/errors.ts';
import {
  ensureDir,
  readdirIfThere,
  readFile,
  removeIfThere,
  writeFileAtomic,
} from '../platform/files.ts';
import { randomHex } from '../platform/random.ts';
import { sha256Hex } from '../platform/sha256.ts';
import { STATE_BYTES_MAX } from './bounds.ts';
import { decodeCheckpoint, encodeCheckpoint, type Meta } from './checkpoint-form.ts';
import type { Projection } from './contract.ts';
import type { Frontier } from './frontier.ts';
import {
  type CheckpointRetention,
  DEFAULT_RETENTION,
  type Kept,
  pruned,
  stretchOf,
} from './retention.ts';

export interface Checkpoint<S> {
  state: S;
  frontier: Frontier;
}

interface Kind extends Pick<Projection, 'name' | 'version' | 'rolling'>, Kept {
  hasBytes?: boolean;
}

const USABLE_MAX = 10_000;
/** Small states are not compressed: a disk block holds them anyway, and packing takes a hook 2 ms. */
const UNPACKED_BYTES_MAX = 2048;
const NAME = /^(\d{16})\.ckpt$/;

export type Defer = (task: () => void) => void;

/** Stored states; the larger ones LZ4 in blocks. Any may be lost: they are rebuilt from the journal. */
export class CheckpointStore {
  readonly #ports: JournalPorts;
  readonly #layout: Layout;
  readonly #lz4: Codec;
  readonly #decoders: Decoders;
  readonly #erasureEpoch: number;
  readonly #retention: CheckpointRetention;
  readonly #known: KnownFiles | undefined;
  /** Path and version of files that were opened successfully. */
  readonly #usable = new Set<string>();

  /** @param known a short process's memory of the journal's files */
  constructor(
    ports: JournalPorts,
    layout: Layout,
    codecs: { lz4: Codec; decoders: Decoders },
    erasureEpoch: number,
    retention: CheckpointRetention = DEFAULT_RETENTION,
    known?: KnownFiles,
  ) {
    this.#known = known;
    this.#retention = retention;
    this.#ports = ports;
    this.#layout = layout;
    this.#lz4 = codecs.lz4;
    this.#decoders = codecs.decoders;
    this.#erasureEpoch = erasureEpoch;
  }

  /** The newest event of each stored state, newest state first. */
  list(projection: Kind, session: string | null): number[] {
    // Files behind a link are neither trusted nor pruned.
    const isReal = this.#foldersOf(projection).every(
      (dir) => this.#ports.fs.statIfThere(dir)?.isDirectory === true,
    );
    const names = isReal ? readdirIfThere(this.#ports.fs, this.#dir(projection, session)) : [];
    return names.flatMap((name) => Number(NAME.exec(name)?.[1]) || []).sort((a, b) => b - a);
  }

  /** Undefined when damaged, of another version, or of another history. */
  load<S>(projection: Kind, session: string | null, seq: number): Checkpoint<S> | undefined {
    const found = this.peek<S>(projection, session, seq);
    return found?.chain === this.#chainAt(seq) ? found : undefined;
  }

  /** For listings: does not check that it belongs to this history. */
  peek<S>(
    projection: Kind,
    session: string | null,
    seq: number,
  ): (Checkpoint<S> & { chain: string }) | undefined {
    const bytes = this.#read(this.#path(projection, session, seq));
    const plain =
      bytes && decodeContainer(bytes, this.#decoders, this.#ports.xxh64, STATE_BYTES_MAX);
    if (plain === undefined) return undefined;
    const decoded = decodeCheckpoint<S>(plain);
    if (decoded === undefined) return undefined;
    const { meta, state } = decoded;
    const ours =
      meta.projection === projection.name &&
      meta.version === projection.version &&
      meta.session === session &&
      meta.erasureEpoch === this.#erasureEpoch &&
      meta.frontier.last === seq;
    if (!ours) return undefined;
    if (this.#usable.size >= USABLE_MAX) this.#usable.clear();
    this.#usable.add(this.#nameOf(projection, session, seq));
    return { state, frontier: meta.frontier, chain: meta.chain };
  }

  /** Milliseconds since the epoch; undefined when it is gone. */
  storedAt(projection: Kind, session: string | null, seq: number): number | undefined {
    return this.#ports.fs.statIfThere(this.#path(projection, session, seq))?.mtimeMs;
  }

  /** Undefined when another process pruned it, or it is not a regular file. */
  #read(path: string): Buffer | undefined {
    try {
      return readFile(this.#ports.fs, path, CONTAINER_BYTES_MAX);
    } catch (error) {
      if (errno(error) === undefined) throw error;
      return undefined;
    }
  }

  /**
   * Stores nothing when the state is too large, or events were erased since this store was opened: it may hold some of them.
   * @returns bytes on disk, 0 when it was not stored
   * @throws Node's error when it cannot be written, Ben10Error JOURNAL_UNSAFE
   */
  save<S>(projection: Kind, session: string | null, state: S, frontier: Frontier): number {
    const encoded = this.#encoded(projection, session, state, frontier);
    return encoded === undefined ? 0 : this.#store(projection, session, frontier.last, encoded());
  }

  /** Undefined when the newest event's chain cannot be read, or events were erased. */
  #encoded(
    projection: Kind,
    session: string | null,
    state: unknown,
    frontier: Frontier,
  ): (() => Uint8Array) | undefined {
    const chain = this.#chainAt(frontier.last);
    if (chain === undefined || this.#isVoid()) return undefined;
    const { name, version } = projection;
    const erasureEpoch = this.#erasureEpoch;
    const meta: Meta = { projection: name, version, session, frontier, chain, erasureEpoch };
    return encodeCheckpoint(meta, state, projection.hasBytes === true);
  }

  #store(projection: Kind, session: string | null, seq: number, plain: Uint8Array): number {
    if (plain.length > STATE_BYTES_MAX) return 0;
    let bytes: number;
    try {
      bytes = this.#write(projection, session, seq, plain);
    } catch (error) {
      // An erasure may have removed the temporary file.
      if (errno(error) !== 'ENOENT' || !this.#isVoid()) throw error;
      return 0;
    }
    // An erasure meanwhile may have listed the stored states before this one was there.
    if (!this.#isVoid()) return bytes;
    removeIfThere(this.#ports.fs, this.#path(projection, session, seq));
    return 0;
  }

  /** Whether events were erased since. Without a manifest nothing was. */
  #isVoid(): boolean {
    const epoch = readManifest(this.#ports, this.#layout)?.erasureEpoch;
    return epoch !== undefined && epoch !== this.#erasureEpoch;
  }

  /**
   * As `save`, ignoring failures: a state that is not stored is folded again.
   * @param defer is given the task that packs and writes the state as it is now
   */
  tryToSave(
    projection: Kind,
    session: string | null,
    state: unknown,
    frontier: Frontier,
    defer?: Defer,
  ): void {
    tried(() => {
      if (defer === undefined) {
        this.save(projection, session, state, frontier);
        return;
      }
      const encoded = this.#encoded(projection, session, state, frontier);
      if (encoded === undefined) return;
      defer(() =>
        tried(() => {
          if (!this.#isVoid()) this.#store(projection, session, frontier.last, encoded());
        }),
      );
    });
  }

  #write(projection: Kind, session: string | null, seq: number, plain: Uint8Array): number {
    const packing = { method: 'lz4' as const, codec: this.#lz4, level: 0 };
    const isSmall = plain.length <= UNPACKED_BYTES_MAX;
    const bytes = encodeContainer(plain, this.#ports.xxh64, isSmall ? undefined : packing);
    for (const dir of this.#foldersOf(projection)) refuseUnsafe(this.#ports.fs, dir);
    ensureDir(this.#ports.fs, this.#dir(projection, session), { durable: false });
    const unique = randomHex(this.#ports.random, 6);
    writeFileAtomic(this.#ports.fs, this.#path(projection, session, seq), bytes, unique, {
      durable: false,
      // An erasure raises the epoch before it lists files, so one of both sees the other.
      isVoid: () => this.#isVoid(),
    });
    this.#prune(projection, session);
    return bytes.length;
  }

  #prune(projection: Kind, session: string | null): void {
    const where = {
      firstSeqs: this.#firstSeqs(),
      now: this.#ports.clock.now(),
      storedAt: (seq: number) => this.storedAt(projection, session, seq) ?? 0,
    };
    for (const seq of pruned(this.list(projection, session), projection, this.#retention, where))
      removeIfThere(this.#ports.fs, this.#path(projection, session, seq));
  }

  /** Whether the same stretch has a keyframe: then no other is stored for an earlier point. */
  hasKeyframe(projection: Kind, session: string | null, seq: number): boolean {
    const firstSeqs = this.#firstSeqs();
    const stretch = stretchOf(seq, projection, firstSeqs);
    return this.list(projection, session).some(
      (one) =>
        stretchOf(one, projection, firstSeqs) === stretch &&
        this.#isUsable(projection, session, one),
    );
  }

  /** A damaged or outdated keyframe must not block its stretch. */
  #isUsable(projection: Kind, session: string | null, seq: number): boolean {
    if (this.#usable.has(this.#nameOf(projection, session, seq))) return true;
    return this.peek(projection, session, seq) !== undefined;
  }

  #nameOf(projection: Kind, session: string | null, seq: number): string {
    return `${this.#path(projection, session, seq)} ${projection.version}`;
  }

  #firstSeqs(): number[] {
    return listSegments(this.#ports.fs, this.#layout).map((file) => file.firstSeq);
  }

  #chainAt(seq: number): string | undefined {
    return chainAt(this.#ports, this.#layout, seq, this.#decoders, this.#known)?.toString('hex');
  }

  #foldersOf({ name }: Kind): string[] {
    return [this.#layout.checkpoints, `${this.#layout.checkpoints}/${name}`];
  }

  /** Session ids come from outside, so names on disk are digests. */
  #dir(projection: Kind, session: string | null): string {
    const scope = session === null ? 'project' : sha256Hex(session).slice(0, 32);
    return `${this.#layout.checkpoints}/${projection.name}/${scope}`;
  }

  #path(projection: Kind, session: string | null, seq: number): string {
    return `${this.#dir(projection, session)}/${String(seq).padStart(16, '0')}.ckpt`;
  }
}

function tried(save: () => void): void {
  try {
    save();
  } catch (error) {
    if (!(error instanceof Ben10Error) && errno(error) === undefined) throw error;
  }
}
