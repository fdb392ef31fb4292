import { fact } from '../../events/identity.ts';
import type { CompactionFinished, CompactionKept, Trace } from '../../events/types.ts';
import { count, defined, isObject, type Json, name } from '../json.ts';
import { type Observation, observation } from '../observation.ts';
import type { Boundary, RecordContext, RecordWhere } from './record-context.ts';
import { traceOf } from './record-trace.ts';

/** Clients keep a few; more are not recorded. */
const KEPT_MAX = 500;

/** A compaction has two records: the boundary with the numbers, and the summary, which may come later. */
export function openBoundary(
  record: Json,
  pos: number,
  where: RecordWhere,
  context: RecordContext,
): void {
  context.boundary = {
    trace: traceOf(record, pos, 0, where),
    uuid: name(record.uuid) ?? `@${pos}`,
    after: name(record.logicalParentUuid) ?? null,
    metadata: isObject(record.compactMetadata) ? record.compactMetadata : {},
    at: where.at,
  };
}

/** A boundary without a summary is a compaction, too. */
export function flushBoundary(context: RecordContext): Observation[] {
  const { boundary } = context;
  if (boundary === undefined) return [];
  context.boundary = undefined;
  const { session, agent } = context;
  const { at, uuid, trace } = boundary;
  const where = { session, agent, at, time: trace.time };
  return [compaction(context, where, undefined, uuid, '', trace, boundary)];
}

export function summaryRecord(
  context: RecordContext,
  where: RecordWhere,
  record: Json,
  summary: string,
  trace: Trace,
): Observation {
  const { boundary } = context;
  context.boundary = undefined;
  const promptId = name(record.promptId);
  const owner = promptId ?? boundary?.uuid ?? name(record.uuid) ?? `@${trace.pos}`;
  return compaction(context, where, promptId, owner, summary, trace, boundary);
}

function compaction(
  context: RecordContext,
  where: RecordWhere,
  promptId: string | undefined,
  owner: string,
  summary: string,
  trace: Trace,
  boundary: Boundary | undefined,
): Observation<'compaction.finished'> {
  const n = context.prompts.next('compaction', owner);
  const metadata = boundary?.metadata ?? {};
  // The event shares it: files counted before the append are in it.
  context.kept = boundary && keptOf(metadata);
  const data = defined<CompactionFinished>({
    trigger: name(metadata.trigger) ?? 'unknown',
    summary,
    promptId,
    preTokens: count(metadata.preTokens),
    postTokens: count(metadata.postTokens),
    kept: context.kept,
  });
  const seen = observation('compaction.finished', fact.compaction(owner, n), where, data);
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
