import type { Entry } from '../format/frame.ts';

/** Entries as one write put them into a segment. */
export interface Written {
  /** Of the journal, 32 hex digits. */
  origin: string;
  /** The segment's name. */
  segment: string;
  entries: readonly Entry[];
}

/** Entries one behind the other, without a gap. */
type Run = Omit<Written, 'origin'>;

/** What this process appended last: its own readers need not read and decode it again. */
export class WrittenEntries {
  #origin: string | undefined;
  #runs: Run[] = [];
  #bytes = 0;
  readonly #bytesMax: number;

  /** @param bytesMax of payloads */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  add({ origin, segment, entries }: Written): void {
    const bytes = entries.reduce((sum, { payload }) => sum + payload.length, 0);
    if (origin !== this.#origin || this.#bytes + bytes > this.#bytesMax) this.#forget();
    if (bytes > this.#bytesMax || entries.length === 0) return;
    this.#origin = origin;
    this.#bytes += bytes;
    this.#runs.push({ segment, entries });
  }

  #forget(): void {
    this.#runs = [];
    this.#bytes = 0;
  }

  /** Entries with `from <= seq <= to`, rising. @param origin which journal is there now; asked only if it matters */
  runs(from: number, to: number, origin: () => string | undefined): Run[] {
    const isWanted = ({ seq }: Entry) => seq >= from && seq <= to;
    const found = this.#runs.flatMap(({ segment, entries }) => {
      if (entries[0]!.seq > to || entries.at(-1)!.seq < from) return [];
      return [{ segment, entries: entries.filter(isWanted) }];
    });
    return found.length === 0 || origin() !== this.#origin ? [] : found;
  }
}
