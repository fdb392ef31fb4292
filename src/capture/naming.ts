import { fact } from '../events/identity.ts';
import type { CompactionFinished, PromptSubmitted } from '../events/types.ts';
import { type CursorsState, type Seen, textMark } from '../projections/folds/cursors.ts';
import type { Observation } from './observation.ts';

/**
 * Gives a hook's prompt or compaction the name that the transcript will give it: the client's prompt id, and how
 * many with that id came before. (A prompt that is queued while another is worked on has the other's id.)
 * @returns undefined when it is known already: the hook was repeated, or the transcript was faster
 */
export function nameByOrder(seen: Observation, state: CursorsState): Observation | undefined {
  if (seen.type === 'prompt.submitted') {
    const { promptId, text } = seen.data as PromptSubmitted;
    return named(seen, state.prompts, promptId, text, fact.prompt);
  }
  if (seen.type === 'compaction.finished') {
    const { promptId, summary } = seen.data as CompactionFinished;
    return named(seen, state.compactions, promptId, summary, fact.compaction);
  }
  return seen;
}

function named(
  seen: Observation,
  known: readonly Seen[],
  promptId: string | undefined,
  text: string,
  name: (promptId: string, n: number) => string,
): Observation | undefined {
  if (promptId === undefined) return seen;
  const same = known.filter((one) => one.promptId === promptId);
  const mark = textMark(text);
  // One that only the transcript told: most likely this very one, and if not, the transcript will tell this one too.
  if (same.some((one) => one.hookMark === mark || one.hookMark === null)) return undefined;
  return { ...seen, fact: name(promptId, same.length) };
}
