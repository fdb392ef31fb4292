import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Written at once: fewer system calls, and the first lines still come soon. */
const CHUNK_CHARS = 32 * 1024;

/**
 * Writes lines to a stream that may be slower than we are, or end before we do: waits for it, and gives its errors a
 * chance to be heard.
 */
export class LineWriter {
  readonly #stream: Writable;
  #pending = '';

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  async line(text: string): Promise<void> {
    this.#pending += `${text}\n`;
    if (this.#pending.length >= CHUNK_CHARS) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.#pending === '') return;
    const chunk = this.#pending;
    this.#pending = '';
    if (!this.#stream.write(chunk)) await once(this.#stream, 'drain');
    // A pipe takes what it is given before this turn ends: only the next one brings its error.
    await new Promise((resolve) => setImmediate(resolve));
  }
}
