import type { CompactionFinished, ToolFailed } from '../events/types.ts';
import type { CursorsState } from '../projections/folds/cursors.ts';
import { defined } from './json.ts';
import type { ToldByHooks } from './known.ts';
import type { Observation } from './observation.ts';

/** Clients cut long errors in the middle before they hand them to hooks. */
const HOOK_ERROR_CHARS = 9_000;

/**
 * Fields that a transcript has better than the hook that told the fact: they take the place of what was recorded.
 * @param of the fact's id, hex
 */
export function knownBetter(
  seen: Observation,
  of: string,
  state: CursorsState,
  told: ToldByHooks,
): Record<string, unknown> {
  if (seen.type === 'prompt.submitted') {
    // A hook that was lost can have left its name to the next prompt with the same id.
    const mark = state.prompts.find((one) => one.id === of)?.mark;
    return mark === told.markOf(seen) ? {} : { text: (seen.data as { text: unknown }).text };
  }
  if (seen.type === 'compaction.finished') {
    const { summary, preTokens, postTokens } = seen.data as CompactionFinished;
    return defined({ summary: summary === '' ? undefined : summary, preTokens, postTokens });
  }
  if (seen.type === 'tool.failed' && state.untraced[of] === 'tool.failed') {
    const { error } = seen.data as ToolFailed;
    return typeof error === 'string' && error.length >= HOOK_ERROR_CHARS ? { error } : {};
  }
  return {};
}
