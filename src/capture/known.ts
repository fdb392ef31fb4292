import type { CompactionFinished, PromptSubmitted, Text } from '../events/types.ts';
import { type CursorsState, type Seen, textMark } from '../projections/folds/cursors.ts';
import type { Observation } from './observation.ts';

/** What is known of a fact: nothing, a hook's report, or all that a transcript can add. */
export type Standing = { is: 'new' } | { is: 'untraced'; of: string } | { is: 'traced' };

/**
 * Facts of a session that hooks reported and no transcript yet. While the cursor is valid nothing else can be
 * known, so reconciliation need not read the journal.
 */
export class HookFacts {
  readonly #state: CursorsState;
  readonly #kept: (text: Text) => Text;
  readonly #untraced: Set<string>;

  /** @param kept a text as it is stored: the journal's texts are redacted */
  constructor(state: CursorsState, kept: (text: Text) => Text) {
    this.#state = state;
    this.#kept = kept;
    this.#untraced = new Set(Object.keys(state.untraced));
  }

  /**
   * The id, hex, under which a hook reported it; undefined if none did.
   * @param id the fact's id by the transcript's name for it, hex
   */
  find(seen: Observation, id: string): string | undefined {
    return this.#untraced.has(id) ? id : this.#findByText(seen);
  }

  settle(id: string): void {
    this.#untraced.delete(id);
  }

  /** Without a name, or with another one: the oldest with the same text, else the oldest possible. */
  #findByText(seen: Observation): string | undefined {
    const candidates = listOf(seen, this.#state).filter(
      (one) => this.#untraced.has(one.id) && mayBe(one, seen),
    );
    if (candidates.length === 0) return undefined;
    const mark = this.#markOf(seen);
    const found = candidates.find((one) => one.mark === mark) ?? candidates.find(isIn(seen));
    return found?.id;
  }

  /**
   * Whether a hook reported a prompt or compaction in the same words.
   * @param of the fact's id, hex
   */
  saysTheSame(seen: Observation, of: string): boolean {
    const known = listOf(seen, this.#state).find((one) => one.id === of);
    return known !== undefined && known.mark === this.#markOf(seen);
  }

  #markOf(seen: Observation): string {
    return textMark(this.#kept(textOf(seen)));
  }
}

function listOf(seen: Observation, state: CursorsState): readonly Seen[] {
  if (seen.type === 'prompt.submitted') return state.prompts;
  return seen.type === 'compaction.finished' ? state.compactions : [];
}

const textOf = ({ type, data }: Observation): Text =>
  type === 'prompt.submitted'
    ? (data as PromptSubmitted).text
    : (data as CompactionFinished).summary;

function mayBe(one: Seen, seen: Observation): boolean {
  const { promptId } = seen.data as PromptSubmitted;
  // Clients before 2.1.196 name no prompts, to hooks or in transcripts.
  if (one.promptId === '' || promptId === undefined) return true;
  return one.forkedAt !== null && one.promptId === promptId;
}

/** A fork's copies of older prompts have the new one's id, but their own times. */
const isIn =
  (seen: Observation) =>
  ({ forkedAt }: Seen): boolean =>
    forkedAt === null || (seen.at ?? 0) >= forkedAt;
