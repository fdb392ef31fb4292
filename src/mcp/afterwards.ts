/** Work that can wait until the answer was sent: one task in each turn of the event loop. */
export class Afterwards {
  readonly #tasks: (() => void)[] = [];
  #answers = 0;
  #isComing = false;

  add(task: () => void): void {
    this.#tasks.push(task);
    if (this.#answers === 0) this.#come();
  }

  /** Tasks that are added meanwhile run after the answer. */
  async after<T>(answer: () => Promise<T>): Promise<T> {
    this.#answers += 1;
    try {
      return await answer();
    } finally {
      this.#answers -= 1;
      this.#come();
    }
  }

  /** Runs the remaining tasks, at the end of the process. */
  finish(): void {
    for (const task of this.#tasks.splice(0)) task();
  }

  #come(): void {
    if (this.#isComing || this.#tasks.length === 0) return;
    this.#isComing = true;
    setImmediate(() => {
      this.#isComing = false;
      const task = this.#tasks.shift();
      this.#come();
      task?.();
    });
  }
}
