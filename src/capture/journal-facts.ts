import { decodeHead } from '../journal/envelope.ts';
import { FRAME_KIND } from '../journal/format.ts';
import type { JournalReader } from '../journal/reader.ts';

/** Every id in a journal: what imports and replaced transcripts are compared with. One pass over all its headers. */
export class JournalFacts {
  /** Of what a transcript told, of enrichments, and of what was erased: that must not come back from a transcript. */
  readonly #traced = new Set<string>();
  readonly #untraced = new Set<string>();

  constructor(reader: JournalReader) {
    for (const { entry } of reader.entries()) {
      if (entry === undefined) continue;
      const id = entry.id.toString('hex');
      const isTraced = entry.kind === FRAME_KIND.husk || isFromTranscript(entry.payload);
      (isTraced ? this.#traced : this.#untraced).add(id);
    }
  }

  isTraced(id: string): boolean {
    return this.#traced.has(id);
  }

  /** Told by a hook; a transcript may have added to it since. */
  isTold(id: string): boolean {
    return this.#untraced.has(id);
  }

  settle(id: string): void {
    this.#traced.add(id);
  }
}

function isFromTranscript(payload: Buffer): boolean {
  try {
    const { source } = decodeHead(payload);
    return source === 'transcript' || source === 'import';
  } catch {
    return false;
  }
}
