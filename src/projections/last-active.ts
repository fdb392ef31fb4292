import type { JournalEvent } from '../events/types.ts';
import { readU48, writeU48 } from '../journal/format/bytes.ts';

export interface StoredActivity {
  /** Latest time of any event, milliseconds since the epoch. */
  at: number;
  /** The session of the last turn. */
  mark: string;
  /** Seqs at which another session became the last active one, as six-byte differences. */
  turns: Uint8Array;
  /** The last turn that was dropped; 0 when none was. */
  dropped: number;
}

/** What sessions do. Reading a transcript says nothing about when its session was active. */
export const ACTIVE_TYPES: readonly string[] = [
  'session.started',
  'session.ended',
  'prompt.submitted',
  'tool.called',
  'compaction.finished',
  'turn.ended',
];
const ACTIVE = new Set([...ACTIVE_TYPES, 'journal.based']);
/** Sessions side by side may take turns with each event. */
export const TURNS_MAX = 20_000;
const TURN_BYTES = 6;
const NONE: StoredActivity = { at: -1, mark: '', turns: new Uint8Array(), dropped: 0 };

/** The last active session at any point of arrival: the one with the latest time, or of several the last to arrive. */
export class LastActive {
  #at: number;
  #mark: string;
  #dropped: number;
  readonly #turns: number[];

  constructor(stored: StoredActivity = NONE) {
    this.#at = stored.at;
    this.#mark = stored.mark;
    this.#dropped = stored.dropped;
    let seq = stored.dropped;
    this.#turns = [];
    for (let at = 0; at < stored.turns.length; at += TURN_BYTES) {
      seq += readU48(stored.turns, at);
      this.#turns.push(seq);
    }
  }

  /** Call in order of seq. @param mark of the event's session */
  saw({ seq, at, type }: Pick<JournalEvent, 'seq' | 'at' | 'type'>, mark: string): void {
    if (!ACTIVE.has(type) || (at ?? 0) < this.#at) return;
    this.#at = at ?? 0;
    if (mark === this.#mark) return;
    this.#mark = mark;
    this.#turns.push(seq);
    if (this.#turns.length <= TURNS_MAX) return;
    const half = this.#turns.splice(0, TURNS_MAX / 2);
    this.#dropped = half.at(-1)!;
  }

  /** An event of the last active session at `upto`; null when there was none yet, undefined when no longer known. */
  eventAt(upto: number): number | null | undefined {
    let low = 0;
    let high = this.#turns.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#turns[middle]! <= upto) low = middle + 1;
      else high = middle;
    }
    if (low > 0) return this.#turns[low - 1]!;
    return this.#dropped === 0 ? null : undefined;
  }

  stored(): StoredActivity {
    const dropped = this.#dropped;
    const turns = new Uint8Array(this.#turns.length * TURN_BYTES);
    for (const [index, seq] of this.#turns.entries())
      writeU48(turns, seq - (this.#turns[index - 1] ?? dropped), index * TURN_BYTES);
    return { at: this.#at, mark: this.#mark, turns, dropped };
  }
}
