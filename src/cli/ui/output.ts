import { once } from 'node:events';
import type { Writable } from 'node:stream';

const CHUNK_CHARS = 32 * 1024;

/** Writes lines to a stream, waits if it is slow, and notices if it is closed. */
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
    // A pipe reports its error in the next turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
  }
}
