import type { CompactionFinished, SnapshotCompleted, UsageSampled } from '../../events/types.ts';
import type { Project } from '../../project/open.ts';
import { readEvents } from '../../projections/events.ts';
import type { SnapshotRecord } from '../../projections/folds/snapshots.ts';
import { SessionHistory } from '../../projections/history.ts';
import { append } from '../append.ts';
import { recentSnapshots } from './recent.ts';

/** Events after a snapshot in which its compaction, and the model's next answer, are looked for. */
const SEARCH_EVENTS = 5000;

/**
 * Notes that the compaction is over which a session's newest snapshot was taken for, and what it left of the context. Called
 * again when more can be known, it adds that; else it does nothing.
 * @throws Ben10Error FS_WRITE_ERROR, FS_PERMISSION_DENIED
 */
export function completeSnapshot(project: Project, session: string): SnapshotCompleted | undefined {
  const newest = recentSnapshots(project).findLast(
    (one) => one.session === session && one.trigger !== 'memory_pressure',
  );
  if (newest === undefined || newest.after?.tokens !== undefined) return undefined;
  const tokens = tokensAfter(project, newest);
  if (newest.after !== null && tokens === undefined) return undefined;
  // The model's context holds the summary, as one message, and no file or outcome besides.
  const after = {
    ...(tokens !== undefined && { tokens }),
    messages: 1,
    files: 0,
    toolExecutions: 0,
  };
  const data: SnapshotCompleted = { snapshot: newest.id, after };
  append(project, 'snapshot.completed', session, data, 'hook');
  return data;
}

const TELLING = ['compaction.finished', 'usage.sampled', 'fact.enriched', 'transcript.read'];

/**
 * Tokens in the model's context after the compaction that a snapshot was taken before: as the client told with the
 * compaction, else with the model's first answer after it (which holds the next prompt as well). Undefined while nobody has told.
 */
export function tokensAfter(
  { reader, ports }: Project,
  { upto, session }: Pick<SnapshotRecord, 'upto' | 'session'>,
): number | undefined {
  const history = new SessionHistory();
  const query = { from: upto + 1, to: upto + SEARCH_EVENTS, session, types: TELLING };
  for (const event of readEvents(reader, ports.xxh64, query)) history.add(event);
  const facts = history.ordered().map(({ fact }) => fact);
  const index = facts.findIndex(
    ({ type, agent }) => type === 'compaction.finished' && agent === null,
  );
  const told = (facts[index]?.data as CompactionFinished | undefined)?.postTokens;
  if (index === -1 || told !== undefined) return told;
  const next = facts.slice(index + 1).find(({ type, agent, data }) => {
    return type === 'usage.sampled' && agent === null && !(data as UsageSampled).copied;
  });
  if (next === undefined) return undefined;
  const { inputTokens, cacheCreationTokens, cacheReadTokens } = next.data as UsageSampled;
  return inputTokens + cacheCreationTokens + cacheReadTokens;
}
