import type {
  CompactionFinished,
  ContextMetrics,
  SnapshotCompleted,
  UsageSampled,
} from '../../events/types.ts';
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
import { append } from '../append.ts';
import { recentSnapshots } from './recent.ts';

/** Events after a snapshot that are searched for its compaction and the next answer. */
const SEARCH_EVENTS = 5000;
/** Events before a snapshot that are searched for messages the client kept. */
const KEPT_EVENTS = 500;

/** What a compaction left in the model's context. */
export interface Left {
  after: ContextMetrics;
  /** Tokens before, counted as in `after`, if that differs from the state's count. */
  tokensBefore?: number;
  /** The client's own count, or the usage of the answers before and after. */
  tokensBy: 'client' | 'answers';
}

/** When nothing else is known. */
const SUMMARY_ALONE: ContextMetrics = { messages: 1, files: 0, toolExecutions: 0 };

const TELLING = ['compaction.finished', 'usage.sampled', 'fact.enriched', 'transcript.read'];
const KEPT = [...CONVERSATION_TYPES, 'fact.enriched', 'transcript.read'];

/**
/**
 * What a compaction left: its summary, the messages and calls that the client kept, and the files that it added. Tokens are the
 * client's count, else the usage of the first answer afterwards, which includes the next prompt.
 * @returns undefined while the compaction is unknown
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

/** Counted as in a state, with the summary. */
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

/**
 * Records that a session's compaction ended and what it left, for the snapshot taken before it; called again it adds what is known
 * since.
 * @throws Ben10Error FS_WRITE_ERROR, FS_PERMISSION_DENIED
 */
export function completeSnapshot(project: Project, session: string): SnapshotCompleted | undefined {
  const newest = recentSnapshots(project).findLast(
    (one) => one.session === session && one.trigger !== 'memory_pressure',
  );
  if (newest === undefined || newest.after?.tokens !== undefined) return undefined;
  const after = leftBehind(project, newest)?.after ?? SUMMARY_ALONE;
  if (newest.after !== null && after.tokens === undefined) return undefined;
  const data: SnapshotCompleted = { snapshot: newest.id, after };
  append(project, 'snapshot.completed', session, data, 'hook');
  return data;
}
