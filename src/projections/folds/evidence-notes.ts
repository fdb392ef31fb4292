import type { Fact } from '../contract.ts';
import type { NoteKind, Noteworthy } from '../noteworthy.ts';
import type { Refuted } from './refuted.ts';
import { mainPosition } from './rewind.ts';

export interface Note {
  kind: NoteKind;
  text: string;
  weight: number;
  seq: number;
  at: number;
  tick: number;
  pos: number | null;
  failed?: number;
  /** The fact that refuted it. */
  refuted?: Refuted;
}

const NOTES_MAX = 600;
const NOTES_SLACK = 150;
const NOTES_CHARS_MAX = 90_000;
/** Steps after which a note or an outcome counts half when some are dropped. */
export const KEPT_STEPS = 5000;

/** A repeated note moves to the end. Beyond the limit the least important are dropped. @param tick the current step */
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
