import { fact } from '../events/identity.ts';
import type { CompactionFinished } from '../events/types.ts';
import { type CursorsState, summaryMark } from '../projections/folds/cursors.ts';
import type { Observation } from './observation.ts';

/**
 * Gives a hook's compaction the name that the transcript will give it: the prompt that it happened in, and how
 * many of that prompt's compactions came before.
 * @returns undefined when it is known already: the hook was repeated, or the transcript was faster
 */
export function nameCompaction(seen: Observation, state: CursorsState): Observation | undefined {
  const { promptId, summary } = seen.data as CompactionFinished;
  if (promptId === undefined) return seen;
  const same = state.compactions.filter((one) => one.promptId === promptId);
  const mark = summaryMark(summary);
  if (same.some((one) => one.hookSummary === mark || one.hookSummary === null)) return undefined;
  return { ...seen, fact: fact.compaction(promptId, same.length) };
}
