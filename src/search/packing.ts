/** Bytes that grow: fixed numbers, and numbers of seven bits a byte (varints). */
export class ByteWriter {
  bytes = Buffer.allocUnsafe(1024);
  length = 0;

  /** Makes room for `more` bytes. */
  need(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.length + more));
    this.bytes.copy(grown, 0, 0, this.length);
    this.bytes = grown;
  }

  byte(value: number): void {
    this.need(1);
    this.bytes[this.length] = value;
    this.length += 1;
  }

  uint32(value: number): void {
    this.need(4);
    this.length = this.bytes.writeUInt32LE(value, this.length);
  }

  /** @param value a whole number from 0 to 2^53 */
  varint(value: number): void {
    this.need(8);
    let rest = value;
    while (rest >= 0x80) {
      this.bytes[this.length] = (rest % 0x80) | 0x80;
      this.length += 1;
      rest = Math.floor(rest / 0x80);
    }
    this.bytes[this.length] = rest;
    this.length += 1;
  }

  zeros(count: number): void {
    this.need(count);
    this.bytes.fill(0, this.length, this.length + count);
    this.length += count;
  }

  /** Sets the bits of a number of up to 25, `bit` bits behind the byte `from`, where zeros are. */
  bits(from: number, bit: number, value: number): void {
    let rest = value << (bit & 7);
    for (let at = from + (bit >>> 3); rest !== 0; at += 1) {
      this.bytes[at]! |= rest & 0xff;
      rest >>>= 8;
    }
  }

  copy(bytes: Uint8Array): void {
    this.need(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  text(text: string): void {
    const bytes = Buffer.from(text);
    this.varint(bytes.length);
    this.copy(bytes);
  }

  done(): Buffer {
    return this.bytes.subarray(0, this.length);
  }
}

/** Reads what `ByteWriter` wrote. Behind the end it reads zeros, so that no input makes it run on. */
export class ByteReader {
  at: number;
  readonly #bytes: Buffer;
  readonly #end: number;

  constructor(bytes: Buffer, at: number, end: number) {
    this.#bytes = bytes;
    this.at = at;
    this.#end = end;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#end;
  }

  byte(): number {
    const byte = this.at < this.#end ? this.#bytes[this.at]! : 0;
    this.at += 1;
    return byte;
  }

  varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      if (scale > 2 ** 49) return 0;
    }
  }

  text(): string {
    const length = this.varint();
    const from = Math.min(this.at, this.#end);
    this.at = Math.min(from + length, this.#end);
    return this.#bytes.toString('utf8', from, this.at);
  }
}
