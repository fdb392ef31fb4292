import type { NewEvent } from './inbox.ts';
import type { Appended } from './writer.ts';

interface Waiting {
  event: NewEvent;
  resolve(outcome: Pick<Appended, 'spooled'>): void;
  reject(error: unknown): void;
}

/**
 * Appends together what callers ask for within one turn of the event loop: one lock, one write, at most one sync. Each is
 * answered only after that.
 */
export class GroupCommit {
  readonly #append: (events: readonly NewEvent[]) => Appended;
  #waiting: Waiting[] = [];

  /** @param append as `JournalWriter` has it */
  constructor(append: (events: readonly NewEvent[]) => Appended) {
    this.#append = append;
  }

  /** Rejects with what `append` throws. */
  append(event: NewEvent): Promise<Pick<Appended, 'spooled'>> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => this.flush());
      this.#waiting.push({ event, resolve, reject });
    });
  }

  /** Appends at once what waits. @returns false if nothing did */
  flush(): boolean {
    const group = this.#waiting;
    this.#waiting = [];
    if (group.length === 0) return false;
    if (this.#commit(group) || group.length === 1) return true;
    // One bad event must not lose the others. Those already written are recognised by their ids.
    for (const one of group) this.#commit([one]);
    return true;
  }

  /** False when it failed; a group of one has been told. */
  #commit(group: readonly Waiting[]): boolean {
    try {
      const outcome = this.#append(group.map(({ event }) => event));
      for (const { resolve } of group) resolve(outcome);
      return true;
    } catch (error) {
      if (group.length === 1) group[0]!.reject(error);
      return false;
    }
  }
}
