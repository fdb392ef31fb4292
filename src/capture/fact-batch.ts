import type { NewEvent } from '../journal/append/inbox.ts';
import { CutSecrets } from './cut-secrets.ts';
import { knownBetter } from './known-better.ts';
import type { Observation } from './observation.ts';
import type { Identified, Recorder } from './recorder.ts';

/** Events in one append: limits what a crash repeats, and how long the lock is held. */
export const BATCH_EVENTS = 256;
export const BATCH_BYTES = 4 * 1024 * 1024;

type TranscriptSource = 'transcript' | 'import';

/** An addition to a fact. Encoded at the append: later records may still change it. */
interface More {
  seen: Observation;
  of: string;
  more: Record<string, unknown>;
}
/** A new fact, or an addition to one. */
type Waiting = Identified | More;
const isNew = (one: Waiting): one is Identified => 'id' in one;

/** Facts of a transcript that are appended together. */
export class FactBatch {
  readonly #recorder: Recorder;
  readonly #source: TranscriptSource;
  readonly #cutSecrets: CutSecrets;
  #waiting: Waiting[] = [];

  constructor(recorder: Recorder, source: TranscriptSource) {
    this.#recorder = recorder;
    this.#source = source;
    this.#cutSecrets = new CutSecrets(recorder.redaction);
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  get isFull(): boolean {
    return this.#waiting.length >= BATCH_EVENTS;
  }

  /** @param id of its fact */
  addNew(seen: Observation, id: Buffer): void {
    this.#waiting.push({ seen, id });
  }

  /** @param of the id, hex, under which the fact is in the journal */
  addMore(seen: Observation, of: string, more: Record<string, unknown>): void {
    this.#waiting.push({ seen, of, more });
  }

  /**
   * Appends everything with the cursor after it: both or none.
   * @returns how many facts were in the journal already
   * @throws as `Recorder.append`
   */
  append(cursor: Observation<'transcript.read'>): number {
    const recorder = this.#recorder;
    const waiting = this.#waiting;
    this.#waiting = [];
    const firsts = recorder
      .events(this.#cutSecrets.without(waiting.filter(isNew)), this.#source)
      .values();
    const told = waiting.map((one) =>
      isNew(one)
        ? firsts.next().value!
        : recorder.enrichment(one.seen, one.of, one.more, this.#source),
    );
    const events = [...told, recorder.event(cursor, this.#source)];
    const { seqs, written, spooled } = recorder.append(events);
    if (spooled || written === events.length) return 0;
    // A hook was faster: this append took its event from the inbox. It has no place yet.
    const last = seqs.at(-1)!;
    const late = waiting.filter((_, i) => seqs[i]! <= last - written).filter(isNew);
    const more = late.map(({ seen, id }) => this.#enrichmentOf(seen, id));
    if (more.length > 0) recorder.append(more);
    return more.length;
  }

  #enrichmentOf(seen: Observation, id: Buffer): NewEvent {
    const of = id.toString('hex');
    return this.#recorder.enrichment(seen, of, knownBetter(seen, false), this.#source);
  }
}
