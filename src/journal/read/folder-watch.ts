import type { ReaderPorts } from '../format/ports.ts';

/** File systems keep times in steps of up to 2 s (FAT): a second change within one step does not show. */
const GRAIN_MS = 2000;
/** The clock of a file server may differ, so a look counts for no longer than this. */
const TRUST_MS = 1000;

/** When the folder was looked at, and its inode and time of change. */
interface Look {
  at: number;
  ino: number;
  changedAt: number;
}

/** Tells from a folder's time of change whether it has to be listed again. */
export class FolderWatch {
  readonly #ports: ReaderPorts;
  readonly #path: string;
  #known: Look | undefined;
  #last: Look = { at: 0, ino: 0, changedAt: 0 };

  constructor(ports: ReaderPorts, path: string) {
    this.#ports = ports;
    this.#path = path;
  }

  /** Call before listing the folder. Returns the folder's time of change; 0 if there is no folder. */
  look(): number {
    const { ino, mtimeMs } = this.#ports.fs.statIfThere(this.#path) ?? { ino: 0, mtimeMs: 0 };
    this.#last = { at: this.#ports.clock.now(), ino, changedAt: mtimeMs };
    return mtimeMs;
  }

  /** As of the last look: the folder was listed less than a second before, and no name has come or gone since. */
  get isUnchanged(): boolean {
    if (this.#known === undefined) return false;
    const { at, ino, changedAt } = this.#known;
    if (changedAt !== this.#last.changedAt || ino !== this.#last.ino) return false;
    const age = this.#last.at - at;
    return age >= 0 && age < TRUST_MS && at - changedAt > GRAIN_MS;
  }

  /** Call after listing it. @param isRelied whether the listing may be used again */
  seen(isRelied: boolean): void {
    this.#known = isRelied ? this.#last : undefined;
  }
}
