import { fact } from '../../events/identity.ts';
import type { CompactionKept, Trace } from '../../events/types.ts';
import { count, isObject, type Json, name } from '../json.ts';
import { type Observation, observation } from '../observation.ts';
import { type RecordAt, type RecordContext, type RecordWhere, traceOf } from './record-context.ts';

/** Clients keep a few; more are not recorded. */
const KEPT_MAX = 500;

/** A compaction has two records: the boundary with the numbers, and the summary, which may come later. */
export function openBoundary(at: RecordAt): void {
  const { record, uuid, where, context } = at;
  context.boundary = {
    trace: traceOf(at),
    uuid,
    after: name(record.logicalParentUuid) ?? null,
    metadata: isObject(record.compactMetadata) ? record.compactMetadata : {},
    at: where.at,
  };
}

/** A boundary without a summary is a compaction, too. */
export function flushBoundary(context: RecordContext): Observation[] {
  const { boundary, session, agent } = context;
  if (boundary === undefined) return [];
  const { at, uuid, trace } = boundary;
  return [compaction(context, { session, agent, at, time: trace.time }, uuid, '', trace)];
}

export function summaryRecord(at: RecordAt, summary: string): Observation {
  const { record, uuid, where, context } = at;
  const promptId = name(record.promptId);
  const owner = promptId ?? context.boundary?.uuid ?? uuid;
  return compaction(context, where, owner, summary, traceOf(at), promptId);
}

function compaction(
  context: RecordContext,
  where: RecordWhere,
  owner: string,
  summary: string,
  trace: Trace,
  promptId?: string,
): Observation {
  const { boundary } = context;
  context.boundary = undefined;
  const n = context.prompts.next('compaction', owner);
  const metadata = boundary?.metadata ?? {};
  // The event shares it: files counted before the append are in it.
  context.kept = boundary && keptOf(metadata);
  const seen = observation('compaction.finished', fact.compaction(owner, n), where, {
    trigger: name(metadata.trigger) ?? 'unknown',
    summary,
    promptId,
    preTokens: count(metadata.preTokens),
    postTokens: count(metadata.postTokens),
    kept: context.kept,
  });
  const after = boundary?.after ?? null;
  return { ...seen, trace, ...(after !== null && { goesOnFrom: after }) };
}

function keptOf({ preservedMessages }: Json): CompactionKept {
  const uuids = isObject(preservedMessages) ? preservedMessages.uuids : undefined;
  const named = Array.isArray(uuids) ? uuids.map(name).filter((one) => one !== undefined) : [];
  return { uuids: named.slice(0, KEPT_MAX), files: 0 };
}

/** Files that the client reads again stand between the summary and the next message. */
export function countFile({ attachment }: Json, { kept }: RecordContext): void {
  if (kept !== undefined && isObject(attachment) && attachment.type === 'file') kept.files += 1;
}
