import { fact } from '../events/identity.ts';
import type { CompactionFinished, PromptSubmitted, Text } from '../events/types.ts';
import { type CursorsState, type Seen, textMark } from '../projections/folds/cursors.ts';
import type { Observation } from './observation.ts';

/**
 * Names a hook's prompt or compaction as the transcript will: by the client's prompt id, and how many with that id
 * came before. (A queued prompt has the id of the one in work.)
 * @param kept see `Recorder.kept`
 * @returns undefined if it is known: the hook was repeated, or the transcript was faster
 */
export function nameByOrder(
  seen: Observation,
  state: CursorsState,
  kept: (text: Text) => Text,
): Observation | undefined {
  if (seen.type === 'prompt.submitted') {
    const { promptId, text } = seen.data as PromptSubmitted;
    const mark = textMark(kept(text));
    if (isKnown(state.prompts, promptId, mark, state.worked)) return undefined;
    if (promptId === undefined) return seen;
    // A fork copies the old prompts under the new id: its number shows when the transcript is read.
    const owner = state.forkedAt === null ? promptId : `fork:${promptId}`;
    return { ...seen, fact: fact.prompt(owner, countOf(state.prompts, promptId)) };
  }
  if (seen.type === 'compaction.finished') {
    const { promptId, summary } = seen.data as CompactionFinished;
    // Its words are not the transcript's, but no other compaction has begun since.
    if (promptId === undefined && seen.agent === null && state.begun?.isTraced) return undefined;
    if (isKnown(state.compactions, promptId, textMark(kept(summary)))) return undefined;
    if (promptId === undefined) return seen;
    return { ...seen, fact: fact.compaction(promptId, countOf(state.compactions, promptId)) };
  }
  return seen;
}

const countOf = (list: readonly Seen[], promptId: string): number =>
  list.filter((one) => one.promptId === promptId).length;

/** @param worked id of the newest one that work followed */
function isKnown(
  list: readonly Seen[],
  promptId: string | undefined,
  mark: string,
  worked: string | null = null,
): boolean {
  // Only its text tells it apart: people repeat themselves, but not before the first was read or worked on.
  if (promptId === undefined) {
    const last = list.findIndex(({ id }) => id === worked);
    return list.some(
      (one, index) =>
        one.mark === mark && one.byHook !== one.traced && !(one.byHook && index <= last),
    );
  }
  // Only the transcript has reported it: most likely this one, and if not, the transcript will report this one,
  // too.
  return list.some((one) => one.promptId === promptId && (one.mark === mark || !one.byHook));
}
