import type { CompactionFinished, ContextMetrics, UsageSampled } from '../../events/types.ts';
import type { Project } from '../../project/open.ts';
import type { Fact } from '../../projections/contract.ts';
import { readEvents } from '../../projections/events.ts';
import {
  applyConversation,
  CONVERSATION_TYPES,
  emptyConversation,
} from '../../projections/folds/conversation.ts';
import type { SnapshotRecord } from '../../projections/folds/snapshots.ts';
import { SessionHistory } from '../../projections/history.ts';

/** Events after a snapshot in which its compaction, and the model's next answer, are looked for. */
const SEARCH_EVENTS = 5000;
/** Events before a snapshot in which the records are looked for that the client kept: they are the newest. */
const KEPT_EVENTS = 500;

/** What a compaction left of the model's context. */
export interface Left {
  after: ContextMetrics;
  /** Tokens before, by the same measure as `after.tokens`, where that is another one than a state's. */
  tokensBefore?: number;
  /** Who counted the tokens: the client when it compacted, or the model's answers before and after. */
  tokensBy: 'client' | 'answers';
}

/** What is left of which nothing is known but that it is over. */
export const SUMMARY_ALONE: ContextMetrics = { messages: 1, files: 0, toolExecutions: 0 };

const TELLING = ['compaction.finished', 'usage.sampled', 'fact.enriched', 'transcript.read'];
const KEPT = [...CONVERSATION_TYPES, 'fact.enriched', 'transcript.read'];

/**
 * What the compaction left that a snapshot was taken before: its summary, the messages and tool calls that the client's transcript
 * says were kept as they were, and the files whose content the client put behind them. The tokens are the client's where it counted
 * before and after, else those of the model's first answer after it (which holds the next prompt as well) beside those of its last.
 * @returns undefined while nobody has told of the compaction
 */
export function leftBehind(
  project: Project,
  { upto, session }: Pick<SnapshotRecord, 'upto' | 'session'>,
): Left | undefined {
  const to = upto + SEARCH_EVENTS;
  const facts = factsIn(project, { from: upto + 1, to, session, types: TELLING });
  const index = facts.findIndex(
    ({ type, agent }) => type === 'compaction.finished' && agent === null,
  );
  if (index === -1) return undefined;
  const { kept, preTokens, postTokens } = facts[index]!.data as CompactionFinished;
  const uuids = new Set(kept?.uuids);
  const from = Math.max(1, upto - KEPT_EVENTS);
  const stayed =
    uuids.size === 0
      ? []
      : factsIn(project, { from, to, session, types: KEPT }).filter(
          ({ trace, agent }) => agent === null && uuids.has(trace?.uuid ?? ''),
        );
  const known = { ...countsOf(stayed), files: kept?.files ?? 0 };
  if (preTokens !== undefined && postTokens !== undefined) {
    const after = { tokens: postTokens, ...known };
    return { after, tokensBefore: preTokens, tokensBy: 'client' };
  }
  const tokens = tokensOfNext(facts.slice(index + 1));
  return { after: { ...(tokens !== undefined && { tokens }), ...known }, tokensBy: 'answers' };
}

function factsIn(
  { reader, ports }: Project,
  query: Parameters<typeof readEvents>[2],
): readonly Fact[] {
  const history = new SessionHistory();
  for (const event of readEvents(reader, ports.xxh64, query)) history.add(event);
  return history.ordered().map(({ fact }) => fact);
}

/** Counted as a state counts them, with the summary. */
function countsOf(stayed: readonly Fact[]): Pick<ContextMetrics, 'messages' | 'toolExecutions'> {
  const conversation = emptyConversation();
  for (const fact of stayed) applyConversation(conversation, fact);
  const calls = stayed.filter(({ type }) => type === 'tool.called');
  return {
    messages: SUMMARY_ALONE.messages + conversation.messageCount,
    toolExecutions: calls.length,
  };
}

function tokensOfNext(facts: readonly Fact[]): number | undefined {
  const next = facts.find(({ type, agent, data }) => {
    return type === 'usage.sampled' && agent === null && !(data as UsageSampled).copied;
  });
  if (next === undefined) return undefined;
  const { inputTokens, cacheCreationTokens, cacheReadTokens } = next.data as UsageSampled;
  return inputTokens + cacheCreationTokens + cacheReadTokens;
}
