import type { SegmentFile } from '../journal/format/layout.ts';
import type { JournalPorts } from '../journal/format/ports.ts';
import type { KnownWhole } from '../journal/read/segment-summary.ts';
import type { FileStat, FileSystem } from '../platform/fs.ts';
import type { Hash64 } from '../platform/xxh64.ts';
import type { CheckpointStore } from '../projections/checkpoints.ts';
import { wholeFrontier } from '../projections/frontier.ts';
import type { Look } from './storage.ts';

/** A cached result, and fingerprints of the segment files from before it was computed. */
interface Kept<T> {
  /** Of all segments. */
  print: string;
  /** Of the closed ones: only the newest one grows. */
  finished: { segments: number; print: string };
  found: T;
}

/** Also the name of its folder. */
export const UNCHANGED = 'status';
/** Per file: first seq, sealed or not, inode, size and mtime. */
const NUMBERS = 5;

/** The last decoded state, and when it was stored. */
const decoded = new WeakMap<JournalPorts, { stamp: string; kept: Kept<unknown> }>();

/** Caches a result in a small stored state while the segment files stay the same, by inode, size and mtime. */
export class Unchanged<T> {
  readonly #kind: { name: string; version: number; keyframes: boolean; count: number };
  readonly #store: CheckpointStore;
  readonly #hash: Hash64;
  readonly #kept: Kept<T> | undefined;
  readonly #stats = new Map<string, FileStat | undefined>();
  readonly #fs: FileSystem;
  readonly #files: readonly SegmentFile[];
  readonly #numbers: Float64Array;
  readonly #print: string;

  /** @param version of the result; others are ignored */
  constructor(
    ports: JournalPorts,
    store: CheckpointStore,
    files: readonly SegmentFile[],
    version: number,
  ) {
    const { fs, xxh64 } = ports;
    this.#kind = { name: UNCHANGED, version, keyframes: false, count: 1 };
    this.#fs = fs;
    this.#hash = xxh64;
    this.#store = store;
    this.#files = files;
    const [seq] = store.list(this.#kind, null);
    // Its history need not be checked: no other journal has these files.
    this.#kept = seq === undefined ? undefined : this.#read(ports, seq);
    this.#numbers = new Float64Array(files.length * NUMBERS);
    let at = 0;
    for (const { path, firstSeq, sealed } of files) {
      const stat = fs.statIfThere(path);
      this.#stats.set(path, stat);
      this.#numbers[at++] = firstSeq;
      this.#numbers[at++] = Number(sealed);
      this.#numbers[at++] = stat?.ino ?? 0;
      this.#numbers[at++] = stat?.size ?? 0;
      this.#numbers[at++] = stat?.mtimeMs ?? 0;
    }
    this.#print = this.#printOf(files.length);
  }

  /** Decoded once in a long process. */
  #read(ports: JournalPorts, seq: number): Kept<T> | undefined {
    const stamp = `${seq} ${this.#store.storedAt(this.#kind, null, seq)}`;
    const known = decoded.get(ports);
    if (known?.stamp === stamp) return known.kept as Kept<T>;
    const kept = this.#store.peek<Kept<T>>(this.#kind, null, seq)?.state;
    if (kept !== undefined) decoded.set(ports, { stamp, kept });
    return kept;
  }

  /** The cached result, even if outdated. */
  get before(): T | undefined {
    return this.#kept?.found;
  }

  /** The cached result, if nothing has changed. */
  get found(): T | undefined {
    return this.#kept?.print === this.#print ? this.#kept.found : undefined;
  }

  /** Size of the segments. */
  get bytes(): number {
    return this.#files.reduce((sum, { path }) => sum + (this.#stats.get(path)?.size ?? 0), 0);
  }

  /** Like `statIfThere`, with the known stats of segments. */
  readonly look: Look = (path) =>
    this.#stats.has(path) ? this.#stats.get(path) : this.#fs.statIfThere(path);

  /** How many segments are unchanged and known to be complete. */
  readonly knownWhole: KnownWhole = (files) => {
    const { segments, print } = this.#kept?.finished ?? { segments: 0, print: '' };
    const isListed = (index: number) => files[index]?.path === this.#files[index]?.path;
    for (let index = 0; index < segments; index += 1) if (!isListed(index)) return 0;
    return print === this.#printOf(segments) ? segments : 0;
  };

  /** Only for a complete, readable journal. @param lastSeq the newest event in `found` */
  keep(found: T, lastSeq: number): void {
    const segments = this.#files.length - 1;
    const kept: Kept<T> = {
      print: this.#print,
      finished: { segments, print: this.#printOf(segments) },
      found,
    };
    this.#store.tryToSave(this.#kind, null, kept, wholeFrontier(lastSeq, null));
  }

  /** Of the first `count` files. */
  #printOf(count: number): string {
    const numbers = this.#numbers.subarray(0, count * NUMBERS);
    const bytes = new Uint8Array(numbers.buffer, 0, numbers.byteLength);
    return this.#hash(bytes, 0n).toString(16);
  }
}
