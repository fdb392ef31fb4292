import type { ReaderPorts } from '../format/ports.ts';

/** File systems keep times in steps of up to 2 s (FAT): a change within the same step does not show. */
const GRAIN_MS = 2000;
/** The clock of a file server may be any time: no look is relied on for longer. */
const TRUST_MS = 1000;

/** When the folder was looked at, which one it was, and when it had changed last by then. */
interface Look {
  at: number;
  ino: number;
  changedAt: number;
}

/** Spares who comes by often a closer look at what is in a folder, where nothing comes and goes as a rule. */
export class FolderWatch {
  readonly #ports: ReaderPorts;
  readonly #path: string;
  #known: Look | undefined;
  #last: Look = { at: 0, ino: 0, changedAt: 0 };

  constructor(ports: ReaderPorts, path: string) {
    this.#ports = ports;
    this.#path = path;
  }

  /** Call before a closer look. Returns when a name came into the folder or left it, as the file system tells; 0 without one. */
  look(): number {
    const { ino, mtimeMs } = this.#ports.fs.statIfThere(this.#path) ?? { ino: 0, mtimeMs: 0 };
    this.#last = { at: this.#ports.clock.now(), ino, changedAt: mtimeMs };
    return mtimeMs;
  }

  /** As of the last look: true when all that is in it was seen less than a second before, and nothing has come or gone since. */
  get isUnchanged(): boolean {
    if (this.#known === undefined) return false;
    const { at, ino, changedAt } = this.#known;
    if (changedAt !== this.#last.changedAt || ino !== this.#last.ino) return false;
    const age = this.#last.at - at;
    return age >= 0 && age < TRUST_MS && at - changedAt > GRAIN_MS;
  }

  /** After the closer look: whether what was seen is to be relied on. */
  seen(isRelied: boolean): void {
    this.#known = isRelied ? this.#last : undefined;
  }
}
