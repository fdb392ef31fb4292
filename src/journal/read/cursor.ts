import { FRAME_KIND_SKIPPABLE } from '../format/format.ts';
import type { Entry } from '../format/frame.ts';
import type { Damage } from './scan.ts';

/** An entry and its segment, or damage in place of entries. */
export type ReadItem =
  | { entry: Entry; segment: string; damage?: never }
  | { damage: Damage; segment: string; entry?: never };

/** How far a reading has come. */
export interface Cursor {
  /** Where it began. */
  from: number;
  /** The lowest seq that has not been read. */
  next: number;
  /** First seq of the last segment that was read. */
  segment: number;
  /** Listings in a row that were out of date. */
  stale: number;
  /** Reported damage may reach up to the next segment. */
  isExplained: boolean;
}

/** Whether to give an item; moves the cursor behind it. */
export function passes(item: ReadItem, cursor: Cursor, to: number): boolean {
  if (item.entry !== undefined) {
    const { seq, kind } = item.entry;
    if (seq < cursor.next || seq > to) return false;
    cursor.next = seq + 1;
    cursor.isExplained = false;
    return kind < FRAME_KIND_SKIPPABLE;
  }
  const { firstSeq, lastSeq } = item.damage;
  if (firstSeq === null) return true;
  if (lastSeq !== null && lastSeq < cursor.next) return false;
  cursor.isExplained = true;
  return firstSeq <= to;
}
