import { filesBelow, TEMP_AGE_MS } from '../journal/erase/derived.ts';
import { refuseUnsafe } from '../journal/format/layout.ts';
import { readManifest } from '../journal/format/manifest.ts';
import { Ben10Error, errno } from '../platform/errors.ts';
import {
  ensureDir,
  readdirIfThere,
  readFile,
  removeIfThere,
  writeFileAtomic,
} from '../platform/files.ts';
import { randomHex } from '../platform/random.ts';
import type { Project } from '../project/open.ts';
import { type IndexFile, openIndex } from './index-read.ts';
import {
  eventsOf,
  type IndexPlace,
  longestChain,
  nameOf,
  placesIn,
  SEARCH_PLACE,
} from './places.ts';

/** A larger one is neither written nor read. */
const FILE_BYTES_MAX = 256 * 1024 * 1024;

/** A part of the index that does not change any more. */
export interface Run extends IndexPlace {
  file: IndexFile;
  /** A part of the journal could not be read: another process may be able to, so it is not written. */
  isTorn: boolean;
}

export const runOf = (file: IndexFile, isTorn = false): Run => {
  const { firstSeq, lastSeq } = file.range;
  return { name: nameOf({ firstSeq, lastSeq }), firstSeq, lastSeq, file, isTorn };
};

/** By the names of the files alone. */
export function indexedUpto({ ports, root, reader }: Project): number {
  const names = readdirIfThere(ports.fs, `${root}/${SEARCH_PLACE}/${reader.origin()}`);
  return longestChain(placesIn(names)).at(-1)?.lastSeq ?? 0;
}

/** Call where events may be readable again that were not: no file would have them. One that cannot be removed stays. */
export function removeIndex({ ports, root }: Pick<Project, 'ports' | 'root'>): void {
  try {
    for (const path of filesBelow(ports, `${root}/${SEARCH_PLACE}`)) removeIfThere(ports.fs, path);
  } catch (error) {
    if (errno(error) === undefined) throw error;
  }
}

/** The journal's chain before its first event. */
export const START: Buffer = Buffer.alloc(32);

/** The index files of one journal on disk. Any may be lost: all can be made again. */
export class IndexFiles {
  readonly #ports: Project['ports'];
  readonly #layout: Project['layout'];
  readonly #folder: string;
  readonly #epoch: number;
  /** Files that are not right: one of their name is written anew. */
  #bad = new Set<string>();

  /** @param epoch of the erasures that are known to those who read the journal for it */
  constructor({ ports, layout }: Pick<Project, 'ports' | 'layout'>, origin: string, epoch: number) {
    this.#ports = ports;
    this.#layout = layout;
    this.#folder = `${layout.root}/${SEARCH_PLACE}/${origin}`;
    this.#epoch = epoch;
  }

  /**
   * The files that are right and reach furthest. Each follows the one before it, so the last one alone is compared with the journal.
   * @param known need not be read again
   * @param isChain whether the journal has this chain at an event
   */
  runs(known: readonly Run[], isChain: (seq: number, chain: Buffer) => boolean): Run[] {
    const bad = new Set<string>();
    this.#bad = bad;
    const places = placesIn(this.#names());
    for (;;) {
      const chain = longestChain(places.filter(({ name }) => !bad.has(name)));
      const runs: Run[] = [];
      for (const { name } of chain) {
        const run = known.find((one) => one.name === name) ?? this.#read(name);
        if (run?.file.range.chainBefore.equals(runs.at(-1)?.file.range.chainAt ?? START) !== true) {
          bad.add(name);
          break;
        }
        runs.push(run);
      }
      const last = runs.at(-1);
      if (runs.length < chain.length) continue;
      if (last === undefined || known.includes(last)) return runs;
      if (isChain(last.lastSeq, last.file.range.chainAt)) return runs;
      bad.add(last.name);
    }
  }

  /**
   * Writes those that are not there, and removes others of the same events.
   * @returns why not all are written
   * @throws Node's error, Ben10Error JOURNAL_UNSAFE
   */
  keep(runs: readonly Run[]): string | undefined {
    const names = this.#names();
    for (const { name, file, isTorn } of runs) {
      if (isTorn) return 'a part of the journal cannot be read';
      if (!names.includes(name) || this.#bad.delete(name)) this.#write(name, file.bytes);
    }
    const end = runs.at(-1)?.lastSeq ?? 0;
    // What goes on behind them may just have been written by another process.
    const kept = [...runs, ...placesIn(names).filter(({ firstSeq }) => firstSeq > end)];
    const others = new Set(names);
    for (const { name } of kept) others.delete(name);
    for (const name of others) this.#sweep(`${this.#folder}/${name}`);
    // A copied journal has a name of its own once it is written to.
    for (const path of filesBelow(this.#ports, this.#folders()[0]!))
      if (!path.startsWith(`${this.#folder}/`)) removeIfThere(this.#ports.fs, path);
    return undefined;
  }

  /** None where the folder cannot be read, or others could have written to it. */
  #names(): string[] {
    try {
      for (const dir of this.#folders()) refuseUnsafe(this.#ports.fs, dir);
      return readdirIfThere(this.#ports.fs, this.#folder);
    } catch (error) {
      if (!(error instanceof Ben10Error) && errno(error) === undefined) throw error;
      return [];
    }
  }

  /** Undefined if it is gone, or not exactly what was written since the last erasure. */
  #read(name: string): Run | undefined {
    try {
      const bytes = readFile(this.#ports.fs, `${this.#folder}/${name}`, FILE_BYTES_MAX);
      const file = openIndex(bytes, this.#ports.xxh64);
      if (file?.range.erasureEpoch !== this.#epoch) return undefined;
      const run = runOf(file);
      // An event is one document at most.
      return run.name === name && file.rows <= eventsOf(run) ? run : undefined;
    } catch (error) {
      if (errno(error) === undefined) throw error;
      return undefined;
    }
  }

  /** Writes nothing when events were erased since: it may hold some of them. */
  #write(name: string, bytes: Buffer): void {
    const { fs, random } = this.#ports;
    if (bytes.length > FILE_BYTES_MAX) return;
    for (const dir of this.#folders()) refuseUnsafe(fs, dir);
    ensureDir(fs, this.#folder, { durable: false });
    const path = `${this.#folder}/${name}`;
    const isVoid = () => this.#isVoid();
    try {
      writeFileAtomic(fs, path, bytes, randomHex(random, 6), { durable: false, isVoid });
    } catch (error) {
      // An erasure may have removed the temporary file.
      if (errno(error) !== 'ENOENT' || !isVoid()) throw error;
    }
    // An erasure meanwhile may have listed the files before this one was there.
    if (isVoid()) removeIfThere(fs, path);
  }

  /** Whether events were erased since. Without a manifest nothing was. */
  #isVoid(): boolean {
    const epoch = readManifest(this.#ports, this.#layout)?.erasureEpoch;
    return epoch !== undefined && epoch !== this.#epoch;
  }

  #sweep(path: string): void {
    const { fs, clock } = this.#ports;
    // It may be being written.
    const { mtimeMs = 0 } = (path.endsWith('.tmp') && fs.statIfThere(path)) || {};
    if (Math.abs(clock.now() - mtimeMs) > TEMP_AGE_MS) removeIfThere(fs, path);
  }

  #folders(): string[] {
    return [`${this.#layout.root}/${SEARCH_PLACE}`, this.#folder];
  }
}
