import type { SegmentFile } from '../journal/format/layout.ts';
import type { JournalPorts } from '../journal/format/ports.ts';
import type { KnownWhole } from '../journal/read/segment-summary.ts';
import type { FileStat, FileSystem } from '../platform/fs.ts';
import type { Hash64 } from '../platform/xxh64.ts';
import type { CheckpointStore } from '../projections/checkpoints.ts';
import { wholeFrontier } from '../projections/frontier.ts';
import type { Look } from './storage.ts';

/** What was found out of a journal, and the segments' files as they were before it was read. */
interface Kept<T> {
  /** Of all segments. */
  print: string;
  /** Of the finished ones: they are added to while the newest one grows. */
  finished: { segments: number; print: string };
  found: T;
}

/** Of the folder that it is stored in, too. */
export const UNCHANGED = 'status';
/** What is in a file's print: its first seq, whether it is sealed, and three of its stat. */
const NUMBERS = 5;

/** By project: the stored state that was decoded last, and when it was stored. */
const decoded = new WeakMap<JournalPorts, { stamp: string; kept: Kept<unknown> }>();

/**
 * What the last process that asked found out, in a small stored state: it holds as long as the segments are the files that they
 * were, by inode, size and time. Nobody writes over what is in one but an append, which makes it longer.
 */
export class Unchanged<T> {
  readonly #kind: { name: string; version: number; keyframes: boolean; count: number };
  readonly #store: CheckpointStore;
  readonly #hash: Hash64;
  readonly #kept: Kept<T> | undefined;
  readonly #stats = new Map<string, FileStat | undefined>();
  readonly #fs: FileSystem;
  readonly #files: readonly SegmentFile[];
  /** `NUMBERS` of each. */
  readonly #numbers: Float64Array;
  readonly #print: string;

  /** @param version of what is found: what was of another one is not known */
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
    // Whether it is of this history: no other journal has these files.
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

  /** Who asks again and again decodes it once: all that is in it is looked at against files anyway. */
  #read(ports: JournalPorts, seq: number): Kept<T> | undefined {
    const stamp = `${seq} ${this.#store.storedAt(this.#kind, null, seq)}`;
    const known = decoded.get(ports);
    if (known?.stamp === stamp) return known.kept as Kept<T>;
    const kept = this.#store.peek<Kept<T>>(this.#kind, null, seq)?.state;
    if (kept !== undefined) decoded.set(ports, { stamp, kept });
    return kept;
  }

  /** What was found out then, whatever has changed since. */
  get before(): T | undefined {
    return this.#kept?.found;
  }

  /** What was found out, when nothing has changed since. */
  get found(): T | undefined {
    return this.#kept?.print === this.#print ? this.#kept.found : undefined;
  }

  /** What the segments take. */
  get bytes(): number {
    return this.#files.reduce((sum, { path }) => sum + (this.#stats.get(path)?.size ?? 0), 0);
  }

  /** A file's stat, asked for once if it is a segment: who measures all files comes by there, too. */
  readonly look: Look = (path) =>
    this.#stats.has(path) ? this.#stats.get(path) : this.#fs.statIfThere(path);

  /** Of which segments the ends need not be read: nothing was missing in them, and they are what they were. */
  readonly knownWhole: KnownWhole = (files) => {
    const { segments, print } = this.#kept?.finished ?? { segments: 0, print: '' };
    const isListed = (index: number) => files[index]?.path === this.#files[index]?.path;
    for (let index = 0; index < segments; index += 1) if (!isListed(index)) return 0;
    return print === this.#printOf(segments) ? segments : 0;
  };

  /** Call when nothing was missing, nor refused. @param lastSeq the newest event that `found` knows of */
  keep(found: T, lastSeq: number): void {
    const segments = this.#files.length - 1;
    const kept: Kept<T> = {
      print: this.#print,
      finished: { segments, print: this.#printOf(segments) },
      found,
    };
    this.#store.tryToSave(this.#kind, null, kept, wholeFrontier(lastSeq, null));
  }

  /** Of the first so many. */
  #printOf(count: number): string {
    const numbers = this.#numbers.subarray(0, count * NUMBERS);
    const bytes = new Uint8Array(numbers.buffer, 0, numbers.byteLength);
    return this.#hash(bytes, 0n).toString(16);
  }
}
