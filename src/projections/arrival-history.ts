import { isKnownType } from '../events/catalogue.ts';
import { hasShape } from '../events/shape.ts';
import type { JournalEvent } from '../events/types.ts';
import { type Frontier, wholeFrontier } from './frontier.ts';
import { comparePlaces, type Place, type Placed } from './order.ts';

/** Events as they arrived, unmerged: for counts, and for facts about the arrival itself. */
export class ArrivalHistory {
  readonly late = false;
  readonly #placed: Placed[] = [];
  readonly #start: Frontier | undefined;
  #seq: number;

  constructor(start?: Frontier) {
    this.#start = start;
    this.#seq = start?.seq ?? 0;
  }

  add(event: JournalEvent): void {
    this.#seq = event.seq;
    if (isKnownType(event.type) && !hasShape(event)) return;
    this.#placed.push(arrived(event));
  }

  /** Nothing else of the projection comes up to there, so that rare types are not searched for again. */
  passed(seq: number): void {
    this.#seq = Math.max(this.#seq, seq);
  }

  ordered(): Placed[] {
    return this.#placed;
  }

  settled(placed: readonly Placed[]): { count: number; frontier: Frontier } {
    const seq = this.#seq;
    // The newest to arrive need not be the newest to happen: an import brings old events.
    const place = placed.reduce<Place | null>(
      (latest, one) => (latest && comparePlaces(latest, one.place) > 0 ? latest : one.place),
      this.#start?.place ?? null,
    );
    return { count: placed.length, frontier: wholeFrontier(seq, place) };
  }
}

function arrived(event: JournalEvent): Placed {
  const { seq, id, type, session, agent, client, source, data } = event;
  const at = event.at ?? 0;
  const who = { session, agent, client, source };
  const fact = { seq, id, type, ...who, at, data, trace: undefined };
  return { fact, place: { time: at, rank: 1, thread: '', position: seq } };
}
