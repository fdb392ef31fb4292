import { fact } from '../events/identity.ts';
import type { CompactionFinished, PromptSubmitted, Text } from '../events/types.ts';
import { type CursorsState, type Seen, textMark } from '../projections/folds/cursors.ts';
import type { Observation } from './observation.ts';

/**
 * Gives a hook's prompt or compaction the name that the transcript will give it: the client's prompt id, and how
 * many with that id came before. (A prompt that is queued while another is worked on has the other's id.)
 * @param kept what becomes of a text when it is kept: see `Recorder.kept`
 * @returns undefined when it is known already: the hook was repeated, or the transcript was faster
 */
export function nameByOrder(
  seen: Observation,
  state: CursorsState,
  kept: (text: Text) => Text = (text) => text,
): Observation | undefined {
  if (seen.type === 'prompt.submitted') {
    const { promptId, text } = seen.data as PromptSubmitted;
    const mark = textMark(kept(text));
    if (isKnown(state.prompts, promptId, mark, state.worked)) return undefined;
    if (promptId === undefined) return seen;
    // A fork copies the old prompts under the new one's id: which number it has shows when the transcript is read.
    const owner = state.forkedAt === null ? promptId : `fork:${promptId}`;
    return { ...seen, fact: fact.prompt(owner, countOf(state.prompts, promptId)) };
  }
  if (seen.type === 'compaction.finished') {
    const { promptId, summary } = seen.data as CompactionFinished;
    // Its words are not the transcript's, but there is no other one since it began.
    if (promptId === undefined && seen.agent === null && state.begun?.isTraced) return undefined;
    if (isKnown(state.compactions, promptId, textMark(kept(summary)))) return undefined;
    if (promptId === undefined) return seen;
    return { ...seen, fact: fact.compaction(promptId, countOf(state.compactions, promptId)) };
  }
  return seen;
}

const countOf = (list: readonly Seen[], promptId: string): number =>
  list.filter((one) => one.promptId === promptId).length;

/** @param worked the id of the newest one that something was done behind */
function isKnown(
  list: readonly Seen[],
  promptId: string | undefined,
  mark: string,
  worked: string | null = null,
): boolean {
  // Nothing but its text tells it from others: people do say the same again, but not before the first was read, or worked on.
  if (promptId === undefined) {
    const last = list.findIndex(({ id }) => id === worked);
    return list.some(
      (one, index) =>
        one.mark === mark && one.byHook !== one.traced && !(one.byHook && index <= last),
    );
  }
  // One that only the transcript told: most likely this very one, and if not, the transcript will tell this one too.
  return list.some((one) => one.promptId === promptId && (one.mark === mark || !one.byHook));
}
