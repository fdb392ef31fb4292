import type { CompactionFinished, PromptSubmitted, ToolFailed } from '../events/types.ts';
import { defined } from './json.ts';
import type { Observation } from './observation.ts';

/** Clients cut long errors in the middle before they hand them to hooks. */
const HOOK_ERROR_CHARS = 9_000;

/**
 * Fields that a transcript has better than the hook that told the fact: they take the place of what was recorded.
 * @param isSameText what the hook told is known to be the same text
 */
export function knownBetter(seen: Observation, isSameText: boolean): Record<string, unknown> {
  if (seen.type === 'prompt.submitted') {
    // A hook that was lost can have left its name to the next prompt with the same id.
    return isSameText ? {} : { text: (seen.data as PromptSubmitted).text };
  }
  if (seen.type === 'compaction.finished') {
    const { summary, preTokens, postTokens, kept } = seen.data as CompactionFinished;
    return defined({ summary: summary === '' ? undefined : summary, preTokens, postTokens, kept });
  }
  if (seen.type === 'tool.failed') {
    const { error } = seen.data as ToolFailed;
    return typeof error === 'string' && error.length >= HOOK_ERROR_CHARS ? { error } : {};
  }
  return {};
}
