import type { Fact } from '../contract.ts';
import type { NoteKind, Noteworthy } from '../noteworthy.ts';
import type { Refuted } from './refuted.ts';
import { mainPosition } from './rewind.ts';

/** A sentence or a line that is worth giving back by itself. */
export interface Note {
  kind: NoteKind;
  text: string;
  /** See `Noteworthy`. */
  weight: number;
  seq: number;
  at: number;
  tick: number;
  pos: number | null;
  /** See `Noteworthy`. */
  failed?: number;
  /** That it is not so, and what says that; absent while it stands. */
  refuted?: Refuted;
}

const NOTES_MAX = 600;
const NOTES_SLACK = 150;
const NOTES_CHARS_MAX = 90_000;
/** Steps after which a note or an outcome is kept with half its weight. */
export const KEPT_STEPS = 5000;

/**
 * What is said again moves to the end. Of too many the least telling go.
 * @param tick of the step at which it was said
 */
export function withNotes(
  notes: Note[],
  found: readonly Noteworthy[],
  fact: Fact,
  tick: number,
): Note[] {
  const { seq, at } = fact;
  for (const one of found) {
    const index = notes.findIndex(({ text }) => text === one.text);
    if (index !== -1) notes.splice(index, 1);
    notes.push({ ...one, seq, at, tick, pos: mainPosition(fact) });
  }
  if (notes.length <= NOTES_MAX + NOTES_SLACK) return notes;
  let chars = 0;
  const worth = (one: Note) => one.weight * 0.5 ** ((tick - one.tick) / KEPT_STEPS);
  const kept = new Set(
    [...notes]
      .sort((a, b) => worth(b) - worth(a) || b.seq - a.seq)
      .slice(0, NOTES_MAX)
      .filter(({ text }) => {
        chars += text.length;
        return chars <= NOTES_CHARS_MAX;
      }),
  );
  return notes.filter((one) => kept.has(one));
}
