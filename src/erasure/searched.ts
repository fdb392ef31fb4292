import type { Entry } from '../journal/format/frame.ts';
import type { Project } from '../project/open.ts';
import type { Finder } from './finder.ts';

/**
 * What a search has seen, so that the second search only looks at what is new: it holds the journal's locks, and
 * hooks wait. Events are known by their salted digest, blobs by their name, files by their times.
 */
export class Searched {
  /** All that the pattern has matched. */
  readonly matches = new Set<string>();
  readonly #met = new Set<string>();
  readonly #clean = new Set<string>();
  #finder: Finder | undefined;

  /** True once for each name. */
  isNew(name: string): boolean {
    if (this.#met.has(name)) return false;
    this.#met.add(name);
    return true;
  }

  /** The last finder, unless there are new matches: what it did not find before it does not find now. */
  finder(make: () => Finder, isMore: boolean): Finder {
    if (this.#finder === undefined || isMore) {
      this.#clean.clear();
      this.#finder = make();
    }
    return this.#finder;
  }

  /** Whether the finder finds nothing there. */
  isClean(name: string | undefined): boolean {
    return name !== undefined && this.#clean.has(name);
  }

  noteClean(name: string | undefined): void {
    if (name !== undefined) this.#clean.add(name);
  }

  /** Whether it is there; asked only if it is not known to be clean. */
  holds(name: string | undefined, isThere: () => boolean): boolean {
    if (this.isClean(name)) return false;
    if (isThere()) return true;
    this.noteClean(name);
    return false;
  }
}

export const nameOfEvent = ({ seq, commit }: Entry): string =>
  `${seq} ${commit.toString('latin1')}`;

/** Undefined if it is gone. */
export function nameOfFile({ ports }: Project, path: string): string | undefined {
  const stat = ports.fs.statIfThere(path);
  return stat && `${path} ${stat.ino} ${stat.size} ${stat.mtimeMs}`;
}
