import type { FileStat } from '../platform/fs.ts';
import type { FolderSize } from './storage.ts';

/** A folder below the root, its inode and time, and its size. */
export type KnownFolder = readonly [path: string, ino: number, mtimeMs: number, FolderSize];

/** Measuring fewer files again takes less time than storing the result. */
const NEWS_FILES_MIN = 64;
/** A folder changed within this time may change again without a new mtime, milliseconds. */
const SETTLED_MS = 1000;

/** Caches the sizes of folders, of which a journal may have thousands. Their files never grow, so the folder's mtime shows any change. */
export class KnownFolders {
  readonly #root: string;
  readonly #except: string;
  readonly #now: number;
  readonly #known: Map<string, KnownFolder>;
  readonly #met = new Map<string, KnownFolder>();
  #measured = 0;

  /** @param except a folder whose files grow */
  constructor(before: readonly KnownFolder[], root: string, except: string, now: number) {
    this.#known = new Map(before.map((one) => [one[0], one]));
    this.#root = root;
    this.#except = except;
    this.#now = now;
  }

  /** Whether storing the result pays off. */
  get hasNews(): boolean {
    return this.#measured >= NEWS_FILES_MIN;
  }

  /** The folders that were met, for the next process. */
  get list(): KnownFolder[] {
    return [...this.#met.values()];
  }

  sizeOf(path: string, { ino, mtimeMs }: FileStat): FolderSize | undefined {
    const name = path.slice(this.#root.length);
    const known = this.#known.get(name);
    if (known?.[1] !== ino || known[2] !== mtimeMs) return undefined;
    this.#met.set(name, known);
    return known[3];
  }

  /** @param size of a folder without subfolders */
  note(path: string, { ino, mtimeMs }: FileStat, size: FolderSize): void {
    if (path.startsWith(this.#except)) return;
    if (this.#now - mtimeMs < SETTLED_MS) return;
    const name = path.slice(this.#root.length);
    this.#met.set(name, [name, ino, mtimeMs, size]);
    this.#measured += size.files;
  }
}
