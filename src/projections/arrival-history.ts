import { isKnownType } from '../events/catalogue.ts';
import { hasShape } from '../events/shape.ts';
import type { JournalEvent } from '../events/types.ts';
import type { Frontier } from './frontier.ts';
import { comparePlaces, type Place, type Placed } from './order.ts';

/** Events as they arrived, unmerged: for counts, and for what is about the arrival itself. */
export class ArrivalHistory {
  readonly late = false;
  readonly #placed: Placed[] = [];
  readonly #start: Frontier | undefined;
  #seq: number;

  /** @param start as in `SessionHistory` */
  constructor(start?: Frontier) {
    this.#start = start;
    this.#seq = start?.seq ?? 0;
  }

  /** What is not of its type's shape is passed over. */
  add(event: JournalEvent): void {
    this.#seq = event.seq;
    if (isKnownType(event.type) && !hasShape(event)) return;
    this.#placed.push(arrived(event));
  }

  /** Up to there nothing else is of the projection: what is rare must not be looked for again from its last event on. */
  passed(seq: number): void {
    this.#seq = Math.max(this.#seq, seq);
  }

  ordered(): Placed[] {
    return this.#placed;
  }

  settled(placed: readonly Placed[]): { count: number; frontier: Frontier } {
    const seq = this.#seq;
    // What arrived last need not have happened last: an import brings the past.
    const place = placed.reduce<Place | null>(
      (latest, one) => (latest && comparePlaces(latest, one.place) > 0 ? latest : one.place),
      this.#start?.place ?? null,
    );
    const frontier = { seq, folded: [], last: seq, place, reached: [], recent: [] };
    return { count: placed.length, frontier };
  }
}

function arrived(event: JournalEvent): Placed {
  const { seq, id, type, session, agent, client, source, data } = event;
  const at = event.at ?? 0;
  const who = { session, agent, client, source };
  const fact = { seq, id, type, ...who, at, data, trace: undefined };
  return { fact, place: { time: at, rank: 1, thread: '', position: seq } };
}
