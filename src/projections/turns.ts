import type { JournalEvent } from '../events/types.ts';

/** So many turns are gone over a fact when it is in no transcript: both their ends have looked for one. */
const TURNS_TO_PASS = 2;
const HOOKS: ReadonlySet<string> = new Set(['hook', 'mcp-hook']);

/**
 * Where the main thread's turns end, as its hooks tell it: each of these hooks looks for what is new in the transcripts, and where
 * there are none it is all that tells how far the session has got. A turn that was interrupted has no end, so the prompts behind it
 * count by themselves.
 */
export class Turns {
  /** Seqs of the newest few, rising. */
  readonly #ends: number[] = [];
  readonly #prompts: number[] = [];
  /** The newest that a hook told was a turn's end. */
  #isOver = false;

  /** Call for every event. */
  saw({ seq, type, agent, source }: JournalEvent): void {
    if (agent !== null || !HOOKS.has(source)) return;
    const isEnd = type === 'turn.ended';
    // Of a client that has its hooks twice, or whose end was told again, it is one end.
    if (isEnd && this.#isOver) this.#ends.pop();
    if (isEnd) noted(this.#ends, seq);
    else if (type === 'prompt.submitted') noted(this.#prompts, seq);
    this.#isOver = isEnd;
  }

  /** Whether enough of them came after that event. */
  havePassed(seq: number): boolean {
    return [this.#ends, this.#prompts].some(
      (list) => list.length === TURNS_TO_PASS && list[0]! > seq,
    );
  }
}

function noted(list: number[], seq: number): void {
  list.push(seq);
  if (list.length > TURNS_TO_PASS) list.shift();
}
