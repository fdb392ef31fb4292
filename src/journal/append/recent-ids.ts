import { readU32 } from '../format/bytes.ts';
import { decodeFrame } from '../format/decode-frame.ts';
import { FRAME_END_MAGIC, FRAME_TRAILER_BYTES, TRAILER } from '../format/format.ts';
import { frameBytes } from '../format/frame.ts';
import type { JournalPorts } from '../format/ports.ts';

/** Ids that a long-lived writer remembers; up to twice as many: half a megabyte. */
export const RECENT_IDS_MAX = 4096;
/** So many searches for an id's bytes cost about as much as reading all ids once. */
export const SEARCHES_MAX = 8;

/** The end of a segment's file. */
interface EndOfSegment {
  bytes: Buffer;
  /** Where it stands in the file. */
  base: number;
  /** The segment's. */
  salt: bigint;
}

/**
 * Ids near the end of the open segment, with the seqs of their first witnesses. A hook asks for one new id and must not
 * decode hundreds of frames for it: frames are decoded once an id's bytes were seen among them, or after many questions.
 */
export class RecentIds {
  readonly #ports: Pick<JournalPorts, 'xxh64'>;
  /** Oldest first. */
  #unread: EndOfSegment[];
  #searches = 0;
  /** By the ids' bytes, the oldest first. */
  #seqs = new Map<string, number>();

  constructor(ports: Pick<JournalPorts, 'xxh64'>, end?: EndOfSegment) {
    this.#ports = ports;
    this.#unread = end === undefined ? [] : [end];
  }

  /** Undefined when it is not near the end. */
  find(id: Buffer): number | undefined {
    return this.#find(id, keyOf(id));
  }

  /** The same; one that is not there is noted with this seq. */
  findOrAdd(id: Buffer, seq: number): number | undefined {
    const key = keyOf(id);
    const known = this.#find(id, key);
    if (known === undefined) this.#add(key, seq);
    return known;
  }

  /**
   * Whether the id's bytes are there. Enough to know if an event was recorded, and needs no decoding: no text holds a digest
   * by chance.
   */
  has(id: Buffer): boolean {
    return this.#seqs.has(keyOf(id)) || this.#unread.some(({ bytes }) => bytes.includes(id));
  }

  #find(id: Buffer, key: string): number | undefined {
    if (this.#unread.length > 0 && this.#mayHold(id)) this.#read();
    return this.#seqs.get(key);
  }

  #mayHold(id: Buffer): boolean {
    this.#searches += 1;
    return (
      this.#searches > SEARCHES_MAX || this.#unread.some(({ bytes }) => bytes.indexOf(id) !== -1)
    );
  }

  #read(): void {
    const own = [...this.#seqs];
    this.#seqs.clear();
    for (const end of this.#unread) {
      for (const [id, seq] of this.#idsIn(end)) this.#note(id, seq);
    }
    for (const [id, seq] of own) this.#note(id, seq);
    this.#unread = [];
  }

  /** From the last frame back to the first that is whole and sound. */
  #idsIn({ bytes, base, salt }: EndOfSegment): [string, number][] {
    const found: [string, number][] = [];
    for (let end = bytes.length; ; ) {
      const length = lengthOfFrameBefore(bytes, end);
      if (length === undefined || length > end) break;
      const frame = decodeFrame(bytes, end - length, salt, this.#ports.xxh64, base);
      if ('problem' in frame) break;
      found.push([keyOf(frame.id), frame.seq]);
      end -= length;
    }
    return found.reverse();
  }

  /** Unless it is there: the seq of its first witness stands. */
  #note(key: string, seq: number): void {
    if (!this.#seqs.has(key)) this.#add(key, seq);
  }

  #add(key: string, seq: number): void {
    // Dropping the oldest of a large map one by one gets slow.
    if (this.#seqs.size === 2 * RECENT_IDS_MAX)
      this.#seqs = new Map([...this.#seqs].slice(RECENT_IDS_MAX));
    this.#seqs.set(key, seq);
  }

  /** Those of the segment before come first; call before anything was found or added. */
  follow(before: RecentIds): void {
    this.#unread.unshift(...before.#unread);
  }
}

const keyOf = (id: Buffer): string => id.toString('latin1');

/** Length of the frame that ends at `end`, as its trailer says. */
export function lengthOfFrameBefore(bytes: Buffer, end: number): number | undefined {
  const at = end - FRAME_TRAILER_BYTES;
  if (at < 0 || readU32(bytes, at + TRAILER.endMagic) !== FRAME_END_MAGIC) return undefined;
  const length = readU32(bytes, at + TRAILER.frameBytes);
  return length >= frameBytes(0) && length % 8 === 0 ? length : undefined;
}
