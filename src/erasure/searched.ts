import type { Entry } from '../journal/format/frame.ts';
import type { Project } from '../project/open.ts';
import type { Finder } from './finder.ts';

/**
 * What a search has looked at, so that the same search, done again, only looks at what has come since: the second time the
 * journal's locks are held, and hooks wait. Nothing that changes is known by its place alone: an event is known by its
 * salted digest, a text beside the journal by its name, which is one, and a file by its times.
 */
export class Searched {
  /** All that the pattern has found. */
  readonly matches = new Set<string>();
  readonly #met = new Set<string>();
  readonly #clean = new Set<string>();
  #finder: Finder | undefined;

  /** True once for each name: from then on its text has been met with the pattern. */
  isNew(name: string): boolean {
    if (this.#met.has(name)) return false;
    this.#met.add(name);
    return true;
  }

  /** The one of before as long as nothing else was found: what it has not found it does not find now. */
  finder(make: () => Finder, isMore: boolean): Finder {
    if (this.#finder === undefined || isMore) {
      this.#clean.clear();
      this.#finder = make();
    }
    return this.#finder;
  }

  /** Whether the finder is known to find nothing there. */
  isClean(name: string | undefined): boolean {
    return name !== undefined && this.#clean.has(name);
  }

  noteClean(name: string | undefined): void {
    if (name !== undefined) this.#clean.add(name);
  }
}

export const nameOfEvent = ({ seq, commit }: Entry): string =>
  `${seq} ${commit.toString('latin1')}`;

/** Undefined where it is gone: then nothing is known of it. */
export function nameOfFile({ ports }: Project, path: string): string | undefined {
  const stat = ports.fs.statIfThere(path);
  return stat && `${path} ${stat.ino} ${stat.size} ${stat.mtimeMs}`;
}
