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
const ENTRIES_MAX = 50_000;

/**
 * Counts of earlier renders, by content and never by a file's time, so that a render of what is known needs no tokenizer and redacts
 * nothing. Whoever stores it keeps it with the version of ben10: another one may redact more.
 */
export class KeptCounts {
  readonly #key: Uint8Array;
  readonly #counts: Map<string, Kept>;
  isChanged = false;

  /** @param key of the journal, so that a stored name tells nobody that a content is there @param stored as `toBytes` gave it */
  constructor(key: Uint8Array, stored?: Buffer) {
    this.#key = key;
    this.#counts = new Map(stored && JSON.parse(stored.toString()));
  }

  /** @param how all that a count depends on beside the bytes */
  nameOf(how: string, raw: Uint8Array): string {
    const digest = sha256(this.#key, Buffer.from(how), raw);
    return digest.toString('base64url', 0, NAME_BYTES);
  }

  get(name: string): Kept | undefined {
    const kept = this.#counts.get(name);
    if (kept === undefined) return undefined;
    this.#counts.delete(name);
    this.#counts.set(name, kept); // used last, dropped last
    return kept;
  }

  set(name: string, kept: Kept): void {
    this.isChanged = true;
    this.#counts.set(name, kept);
    if (this.#counts.size <= ENTRIES_MAX) return;
    const [oldest] = this.#counts.keys();
    this.#counts.delete(oldest!);
  }

  toBytes(): Buffer {
    return Buffer.from(JSON.stringify([...this.#counts]));
  }
}
