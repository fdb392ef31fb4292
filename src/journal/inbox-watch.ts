import type { Layout } from './layout.ts';
import type { JournalPorts } from './ports.ts';

/** File systems keep times in steps of up to 2 s (FAT): a change within the same step does not show. */
const GRAIN_MS = 2000;
/** The clock of a file server may be any time: no look is relied on for longer. */
const TRUST_MS = 1000;

/** When the inbox was looked at, and when it had changed last by then. */
interface Look {
  at: number;
  changedAt: number;
}

/** Spares a writer that appends often the listing of an inbox that is empty, as it nearly always is. */
export class InboxWatch {
  readonly #ports: JournalPorts;
  readonly #layout: Layout;
  #empty: Look | undefined;
  #last: Look | undefined;

  constructor(ports: JournalPorts, layout: Layout) {
    this.#ports = ports;
    this.#layout = layout;
  }

  /** True when it was found empty less than a second ago and nothing has come since. Call before it is listed. */
  isEmpty(): boolean {
    const changedAt = this.#ports.fs.statIfThere(this.#layout.inbox)?.mtimeMs ?? 0;
    const at = this.#ports.clock.now();
    this.#last = { at, changedAt };
    if (this.#empty === undefined || changedAt !== this.#empty.changedAt) return false;
    const age = at - this.#empty.at;
    return age >= 0 && age < TRUST_MS && this.#empty.at - changedAt > GRAIN_MS;
  }

  /** After the listing. */
  found(isEmpty: boolean): void {
    this.#empty = isEmpty ? this.#last : undefined;
  }
}
