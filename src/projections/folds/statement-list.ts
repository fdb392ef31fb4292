import type { Fact } from '../contract.ts';

export interface Statement {
  text: string;
  /** Of the fact that stated it last. */
  seq: number;
  at: number;
  /** Byte offset in the transcript of the fact that stated it first, where known: what a rewind cuts at. */
  pos: number | null;
}

/** A statement that is made again moves to the end: it still holds. */
export function state(list: Statement[], texts: readonly string[], fact: Fact): void {
  const { seq, at, trace } = fact;
  for (const text of texts) {
    const index = list.findIndex((one) => one.text === text);
    const [before] = index === -1 ? [] : list.splice(index, 1);
    list.push({ text, seq, at, pos: before === undefined ? (trace?.pos ?? null) : before.pos });
  }
}

/**
 * Without what was stated on an abandoned branch alone.
 * @param rewoundTo the last byte offset that is still on the live branch
 */
export const forget = <T extends Statement>(list: readonly T[], rewoundTo: number): T[] =>
  list.filter(({ pos }) => pos === null || pos <= rewoundTo);
