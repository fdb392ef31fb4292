import { readBigU64, readU48, writeBigU64, writeU48 } from '../journal/format/bytes.ts';

/** All of a session's events lie between them. */
export interface Bounds {
  /** Seq; 0 without events. */
  first: number;
  last: number;
}

/** Stored form, oldest session first: eight bytes a mark, two six-byte seqs a session. */
export interface StoredTable {
  marks: Uint8Array;
  seqs: Uint8Array;
}

const MARK_BYTES = 8;
const SEQ_BYTES = 6;
const ROOM_MIN = 64;

/** The bounds of many sessions, by mark. A hook needs one or two of thousands, so stored bytes are searched, not decoded. */
export class SessionTable {
  #marks: Buffer;
  #seqs: Buffer;
  #start = 0;
  #end: number;
  readonly #searched: number;
  /** Places of the sessions asked for or added. */
  readonly #known = new Map<bigint, number>();

  /** @throws TypeError when the bytes are no table */
  constructor({ marks, seqs }: StoredTable = { marks: Buffer.alloc(0), seqs: Buffer.alloc(0) }) {
    this.#end = marks.length / MARK_BYTES;
    if (!Number.isInteger(this.#end) || seqs.length !== this.#end * 2 * SEQ_BYTES)
      throw new TypeError('not a table of sessions');
    this.#marks = Buffer.from(marks.buffer, marks.byteOffset, marks.length);
    this.#seqs = Buffer.from(seqs);
    this.#searched = this.#end;
  }

  get size(): number {
    return this.#end - this.#start;
  }

  find(mark: bigint): Bounds | undefined {
    const place = this.#placeOf(mark);
    if (place === undefined) return undefined;
    const at = place * 2 * SEQ_BYTES;
    return { first: readU48(this.#seqs, at), last: readU48(this.#seqs, at + SEQ_BYTES) };
  }

  /** Records an event, newer than all others. */
  saw(mark: bigint, seq: number): void {
    const place = this.#placeOf(mark) ?? this.#add(mark, seq);
    writeU48(this.#seqs, seq, place * 2 * SEQ_BYTES + SEQ_BYTES);
  }

  dropFirst(): void {
    this.#known.delete(readBigU64(this.#marks, this.#start * MARK_BYTES));
    this.#start += 1;
  }

  stored(): StoredTable {
    return {
      marks: this.#marks.subarray(this.#start * MARK_BYTES, this.#end * MARK_BYTES),
      seqs: this.#seqs.subarray(this.#start * 2 * SEQ_BYTES, this.#end * 2 * SEQ_BYTES),
    };
  }

  #placeOf(mark: bigint): number | undefined {
    const known = this.#known.get(mark);
    if (known !== undefined) return known;
    const place = this.#search(mark);
    if (place !== undefined) this.#known.set(mark, place);
    return place;
  }

  #search(mark: bigint): number | undefined {
    const wanted = Buffer.alloc(MARK_BYTES);
    writeBigU64(wanted, mark, 0);
    const marks = this.#marks.subarray(0, this.#searched * MARK_BYTES);
    for (let at = this.#start * MARK_BYTES; ; at += 1) {
      at = marks.indexOf(wanted, at);
      if (at === -1) return undefined;
      if (at % MARK_BYTES === 0) return at / MARK_BYTES;
    }
  }

  #add(mark: bigint, first: number): number {
    const place = this.#end;
    if ((place + 1) * MARK_BYTES > this.#marks.length) {
      const room = Math.max(ROOM_MIN, 2 * place);
      this.#marks = grown(this.#marks, room * MARK_BYTES);
      this.#seqs = grown(this.#seqs, room * 2 * SEQ_BYTES);
    }
    writeBigU64(this.#marks, mark, place * MARK_BYTES);
    writeU48(this.#seqs, first, place * 2 * SEQ_BYTES);
    this.#known.set(mark, place);
    this.#end += 1;
    return place;
  }
}

function grown(bytes: Buffer, to: number): Buffer {
  const room = Buffer.alloc(to);
  room.set(bytes);
  return room;
}
