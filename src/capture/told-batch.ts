import type { NewEvent } from '../journal/inbox.ts';
import { knownBetter } from './known-better.ts';
import type { Observation } from './observation.ts';
import type { Recorder } from './recorder.ts';

/** Events in one append: bounds what a crash repeats, and how long the lock is held. */
export const BATCH_EVENTS = 256;
export const BATCH_BYTES = 4 * 1024 * 1024;

type TranscriptSource = 'transcript' | 'import';

/** Facts of a transcript that wait to be appended together. */
export class ToldBatch {
  readonly #recorder: Recorder;
  readonly #source: TranscriptSource;
  #events: NewEvent[] = [];
  /** What each event was made of, when it told a fact for the first time. */
  #firsts: (Observation | undefined)[] = [];
  #bytes = 0;

  constructor(recorder: Recorder, source: TranscriptSource) {
    this.#recorder = recorder;
    this.#source = source;
  }

  get isEmpty(): boolean {
    return this.#events.length === 0;
  }

  get isFull(): boolean {
    return this.#events.length >= BATCH_EVENTS || this.#bytes >= BATCH_BYTES;
  }

  addNew(seen: Observation): void {
    this.#push(this.#recorder.event(seen, this.#source), seen);
  }

  /** @param of the id, hex, under which the fact is in the journal */
  addMore(seen: Observation, of: string, more: Record<string, unknown>): void {
    this.#push(this.#recorder.enrichment(seen, of, more, this.#source), undefined);
  }

  #push(event: NewEvent, first: Observation | undefined): void {
    this.#events.push(event);
    this.#firsts.push(first);
    this.#bytes += event.payload.length;
  }

  /**
   * Appends all of it and the cursor behind it: both or none.
   * @returns how many facts turned out to be in the journal already
   * @throws as `Recorder.append`
   */
  append(cursor: Observation<'transcript.read'>): number {
    const recorder = this.#recorder;
    const events = [...this.#events, recorder.event(cursor, this.#source)];
    const { seqs, written, spooled } = recorder.append(events);
    const firsts = this.#firsts;
    this.#events = [];
    this.#firsts = [];
    this.#bytes = 0;
    if (spooled || written === events.length) return 0;
    // A hook was faster by a hair: its event came out of the inbox with this very append. It has no place yet.
    const last = seqs.at(-1)!;
    const late = firsts.filter((first, i) => first !== undefined && seqs[i]! <= last - written);
    const more = (late as Observation[]).map((seen) => this.#enrichmentOf(seen));
    if (more.length > 0) recorder.append(more);
    return more.length;
  }

  #enrichmentOf(seen: Observation): NewEvent {
    const of = this.#recorder.event(seen, this.#source).id.toString('hex');
    return this.#recorder.enrichment(seen, of, knownBetter(seen, false), this.#source);
  }
}
