/**
 * What need not be done before an answer is given: it is done right behind it, one thing in a turn of the event loop, so that
 * others are heard in between. The process does not end before that.
 */
export class Afterwards {
  readonly #tasks: (() => void)[] = [];
  /** Answers that are being made. */
  #answers = 0;
  #isComing = false;

  add(task: () => void): void {
    this.#tasks.push(task);
    if (this.#answers === 0) this.#come();
  }

  /** What is added meanwhile is done when the answer has gone out. */
  async after<T>(answer: () => Promise<T>): Promise<T> {
    this.#answers += 1;
    try {
      return await answer();
    } finally {
      this.#answers -= 1;
      this.#come();
    }
  }

  /** At the end of the process. */
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
