import { sha256 } from '../../platform/sha256.ts';
import type { Secrets } from './pack.ts';

export interface Kept {
  /** Of the whole block. */
  tokens: number;
  /** The content is the bytes as they are, but for a last line feed: nothing was redacted, converted or cleaned. */
  isRaw: boolean;
  /** Where they are in what is not raw. */
  secrets?: Secrets;
}

const NAME_BYTES = 16;
/** Name, count, length of the secrets' places. */
const ENTRY_BYTES = NAME_BYTES + 8;
const ENTRIES_MAX = 50_000;

/**
 * Counts of earlier renders, by content and never by a file's time, so that a render of what is known needs no tokenizer and redacts
 * nothing. Whoever stores it keeps it with the version of ben10: another one may redact more.
 */
export class KeptCounts {
  readonly #key: Uint8Array;
  readonly #counts = new Map<string, Kept>();
  #isChanged = false;

  /** @param key of the journal, so that a stored name tells nobody that a content is there @param stored as `toBytes` gave it */
  constructor(key: Uint8Array, stored: Uint8Array = new Uint8Array()) {
    this.#key = key;
    const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.length);
    for (let at = 0; at + ENTRY_BYTES <= bytes.length; ) {
      const name = bytes.toString('latin1', at, at + NAME_BYTES);
      const value = bytes.readUInt32LE(at + NAME_BYTES);
      const length = bytes.readUInt32LE(at + NAME_BYTES + 4);
      at += ENTRY_BYTES + length;
      if (at > bytes.length) break; // torn
      const secrets = length > 0 && {
        secrets: JSON.parse(bytes.toString('latin1', at - length, at)),
      };
      this.#counts.set(name, { tokens: value >>> 1, isRaw: value % 2 === 1, ...secrets });
    }
  }

  /** @param how all that a count depends on beside the bytes */
  nameOf(how: string, raw: Uint8Array): string {
    return sha256(this.#key, Buffer.from(how), raw).toString('latin1', 0, NAME_BYTES);
  }

  get(name: string): Kept | undefined {
    const kept = this.#counts.get(name);
    if (kept === undefined) return undefined;
    this.#counts.delete(name);
    this.#counts.set(name, kept); // used last, dropped last
    return kept;
  }

  set(name: string, kept: Kept): void {
    this.#isChanged = true;
    this.#counts.set(name, kept);
    if (this.#counts.size <= ENTRIES_MAX) return;
    const [oldest] = this.#counts.keys();
    this.#counts.delete(oldest!);
  }

  /** Something was added. */
  get isChanged(): boolean {
    return this.#isChanged;
  }

  toBytes(): Buffer {
    const parts: Buffer[] = [];
    for (const [name, { tokens, isRaw, secrets }] of this.#counts) {
      const places = secrets === undefined ? '' : JSON.stringify(secrets);
      const entry = Buffer.alloc(ENTRY_BYTES + places.length);
      entry.write(name, 'latin1');
      entry.writeUInt32LE(tokens * 2 + Number(isRaw), NAME_BYTES);
      entry.writeUInt32LE(places.length, NAME_BYTES + 4);
      entry.write(places, ENTRY_BYTES, 'latin1');
      parts.push(entry);
    }
    return Buffer.concat(parts);
  }
}
