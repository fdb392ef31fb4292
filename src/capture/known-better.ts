import type { CompactionFinished, PromptSubmitted, ToolFailed } from '../events/types.ts';
import { defined } from './json.ts';
import type { Observation } from './observation.ts';

/** Clients cut long errors in the middle for hooks. */
const HOOK_ERROR_CHARS = 9_000;

/**
 * Fields that a transcript has better than the hook: they replace what was recorded.
 * @param isSameText the hook is known to have reported the same text
 */
export function knownBetter(seen: Observation, isSameText: boolean): Record<string, unknown> {
  if (seen.type === 'prompt.submitted') {
    const { text, branch } = seen.data as PromptSubmitted;
    // A lost hook may have left its name to the next prompt with the same id.
    return defined({ text: isSameText ? undefined : text, branch });
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
