import type { CompactionFinished, PromptSubmitted, Text } from '../events/types.ts';
import { type CursorsState, type Seen, textMark } from '../projections/folds/cursors.ts';
import type { Observation } from './observation.ts';

/** What is known of a fact: nothing, only what a hook told, or all that a transcript can add. */
export type Standing = { is: 'new' } | { is: 'untraced'; of: string } | { is: 'traced' };

/**
 * Facts of one session that hooks told and no transcript yet. As long as the cursor is good, nothing else can be
 * known of what stands behind it, so reconciliation needs no look at the journal.
 */
export class ToldByHooks {
  readonly #state: CursorsState;
  readonly #kept: (text: Text) => Text;
  readonly #untraced: Set<string>;

  /** @param kept what becomes of a text when it is kept: the journal's texts are redacted */
  constructor(state: CursorsState, kept: (text: Text) => Text) {
    this.#state = state;
    this.#kept = kept;
    this.#untraced = new Set(Object.keys(state.untraced));
  }

  /**
   * The id under which a hook told it, hex; undefined when none did.
   * @param id the fact's id by the transcript's name for it, hex
   */
  find(seen: Observation, id: string): string | undefined {
    return this.#untraced.has(id) ? id : this.#findByText(seen);
  }

  settle(id: string): void {
    this.#untraced.delete(id);
  }

  /** One that had no name, or another one: the oldest that says the same, else the oldest that may be meant. */
  #findByText(seen: Observation): string | undefined {
    const list = listOf(seen, this.#state);
    const candidates = list.filter((one) => this.#untraced.has(one.id) && mayBe(one, seen));
    if (candidates.length === 0) return undefined;
    const mark = this.markOf(seen);
    return (candidates.find((one) => one.mark === mark) ?? candidates[0])!.id;
  }

  /** Of a prompt or a compaction. */
  markOf(seen: Observation): string {
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
  // A fork's copies of older prompts have the new one's id, but their own times.
  return one.forkedAt !== null && one.promptId === promptId && (seen.at ?? 0) >= one.forkedAt;
}
