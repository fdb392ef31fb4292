import type { FileStat } from '../platform/fs.ts';
import type { FolderSize } from './storage.ts';

/** A folder below the root, its inode and time, and what its files take. */
export type KnownFolder = readonly [path: string, ino: number, mtimeMs: number, FolderSize];

/** Fewer files are measured again sooner than what is known of all folders is stored again. */
const NEWS_FILES_MIN = 64;
/** A folder that was changed so lately may be changed again at what its file system takes for the same time, milliseconds. */
const SETTLED_MS = 1000;

/**
 * What folders of files take: a journal has one for each session that left a state, thousands in the end. Their files are put there whole and never grow, so it holds until a name in the folder is
 * added, replaced or taken away: that is the folder's own time.
 */
export class KnownFolders {
  readonly #root: string;
  readonly #except: string;
  readonly #now: number;
  readonly #known: Map<string, KnownFolder>;
  readonly #met = new Map<string, KnownFolder>();
  #measured = 0;

  /** @param except below the root, where files grow */
  constructor(before: readonly KnownFolder[], root: string, except: string, now: number) {
    this.#known = new Map(before.map((one) => [one[0], one]));
    this.#root = root;
    this.#except = except;
    this.#now = now;
  }

  /** Whether so many were measured that the next one had better know of them. */
  get hasNews(): boolean {
    return this.#measured >= NEWS_FILES_MIN;
  }

  /** Those that were met, for the next one. */
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

  /** @param size of a folder in which there are files alone */
  note(path: string, { ino, mtimeMs }: FileStat, size: FolderSize): void {
    if (path.startsWith(this.#except)) return;
    if (this.#now - mtimeMs < SETTLED_MS) return;
    const name = path.slice(this.#root.length);
    this.#met.set(name, [name, ino, mtimeMs, size]);
    this.#measured += size.files;
  }
}
