/** The beginning and the end of a stream; what is between them is counted, and takes no memory. */
export class Ends {
  readonly #first: Buffer;
  readonly #ring: Buffer;
  bytes = 0;

  constructor(firstBytes: number, lastBytes: number) {
    this.#first = Buffer.alloc(firstBytes);
    this.#ring = Buffer.alloc(lastBytes);
  }

  add(chunk: Buffer): void {
    const behind = this.#first.length;
    const taken = chunk.copy(this.#first, Math.min(this.bytes, behind));
    this.bytes += chunk.length;
    const rest = chunk.subarray(taken).subarray(-this.#ring.length);
    if (rest.length === 0) return;
    const at = (this.bytes - behind - rest.length) % this.#ring.length;
    const fits = rest.copy(this.#ring, at);
    rest.copy(this.#ring, 0, fits);
  }

  get first(): Buffer {
    return this.#first.subarray(0, this.bytes);
  }

  /** What came behind `first`, or the end of it. */
  get last(): Buffer {
    const behind = Math.max(0, this.bytes - this.#first.length);
    const { length } = this.#ring;
    if (behind <= length) return this.#ring.subarray(0, behind);
    const at = behind % length;
    return Buffer.concat([this.#ring.subarray(at), this.#ring.subarray(0, at)]);
  }
}
