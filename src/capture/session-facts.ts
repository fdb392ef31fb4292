import type { JournalReader } from '../journal/read/reader.ts';
import { type Retraction, retractions } from '../projections/folds/retractions.ts';
import type { States } from '../projections/states.ts';
import { JournalFacts } from './journal-facts.ts';

/**
 * The ids of single sessions, read on demand: the index tells where a session's events are, so that a new
 * transcript is not compared with the whole journal.
 */
export class SessionFacts {
  readonly #reader: JournalReader;
  readonly #states: States | undefined;
  readonly #known = new Map<string, JournalFacts>();

  /** @param states undefined to read the whole journal, as after an erasure: a tombstone has no session */
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

  /** Retractions of all sessions; none until a session was asked for. */
  get retractions(): readonly Retraction[] {
    if (this.#known.size === 0) return [];
    return this.#states?.at(retractions, null).state.known ?? this.of('').retractions;
  }
}
