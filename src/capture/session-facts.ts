import type { JournalReader } from '../journal/read/reader.ts';
import { type Retraction, retractions } from '../projections/folds/retractions.ts';
import type { States } from '../projections/states.ts';
import { JournalFacts } from './journal-facts.ts';

/**
 * The ids of the sessions that are asked for, read when they are: the index over the journal says where a session's events are, so
 * that a transcript which nobody has read yet is not compared with all that ever happened.
 */
export class SessionFacts {
  readonly #reader: JournalReader;
  readonly #states: States | undefined;
  readonly #known = new Map<string, JournalFacts>();

  /**
   * @param states undefined to read the whole journal, as one must of which something was erased: what was erased as a whole has no
   * session any more
   */
  constructor(reader: JournalReader, states?: States) {
    this.#reader = reader;
    this.#states = states;
  }

  of(session: string): JournalFacts {
    const part = this.#states === undefined ? '' : session;
    const known = this.#known.get(part);
    if (known !== undefined) return known;
    const facts = new JournalFacts(this.#reader, this.#states?.boundsOf(session));
    this.#known.set(part, facts);
    return facts;
  }

  /** What the user took back, in whatever session; nothing as long as nobody has asked for a session. */
  get retractions(): readonly Retraction[] {
    if (this.#known.size === 0) return [];
    return this.#states?.at(retractions, null).state.known ?? this.of('').retractions;
  }
}
