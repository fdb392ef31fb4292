/** Bytes kept of both ends of a line that is too long. */
export const ENDS_BYTES = 1024;

interface LineHandlers {
  line(text: string): void;
  oversized(bytes: number, head: string, tail: string): void;
}

const NEWLINE = 0x0a;

/** Splits chunks into lines, in linear time. */
export class LineReader {
  readonly #max: number;
  readonly #handlers: LineHandlers;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #head = '';

  /** @param max bytes of a line without its newline */
  constructor(max: number, handlers: LineHandlers) {
    this.#max = max;
    this.#handlers = handlers;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#add(chunk.subarray(start, end));
      this.#finish();
      start = end + 1;
    }
    if (start < chunk.length) this.#add(chunk.subarray(start));
  }

  #add(part: Buffer): void {
    const wasOver = this.#bytes > this.#max;
    this.#bytes += part.length;
    // Only the ends of a line that is too long are kept.
    this.#chunks.push(wasOver ? part.subarray(-ENDS_BYTES) : part);
    if (this.#bytes <= this.#max) return;
    const joined = Buffer.concat(this.#chunks);
    if (!wasOver) this.#head = joined.toString('utf8', 0, ENDS_BYTES);
    this.#chunks = [Buffer.from(joined.subarray(-ENDS_BYTES))];
  }

  #finish(): void {
    const bytes = this.#bytes;
    const head = this.#head;
    const rest = Buffer.concat(this.#chunks).toString('utf8');
    this.#chunks = [];
    this.#bytes = 0;
    this.#head = '';
    if (bytes > this.#max) this.#handlers.oversized(bytes, head, rest);
    else this.#handlers.line(rest);
  }
}
