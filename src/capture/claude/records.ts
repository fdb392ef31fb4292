import type { MessageRecorded } from '../../events/types.ts';
import { type Json, name, text, time as timeOf } from '../json.ts';
import type { Observation } from '../observation.ts';
import { assistantRecord } from './assistant-records.ts';
import { countFile, flushBoundary, openBoundary } from './compactions.ts';
import type { RecordContext } from './record-context.ts';
import { queuedPrompt, takenPrompt, userRecord } from './user-records.ts';

/** The client's own records: their content is elsewhere, or of no interest. */
const BOOKKEEPING = new Set([
  'agent-name',
  'ai-title',
  'api-request',
  'api-request-blob',
  'api-request-shape',
  'atis-latch',
  'bridge-session',
  'cost-state',
  'custom-title',
  'file-history-snapshot',
  'frame-link',
  'last-prompt',
  'mode',
  'permission-mode',
  'pr-link',
  'progress',
  'queue-operation',
  'relocated',
  'result',
  'started',
  'summary',
  'system',
  'tools-used',
  'worktree-state',
]);

/**
 * What one record of a transcript says.
 * @param pos byte offset of its line
 * @returns no facts for the client's own records, undefined for unknown types
 */
export function observeRecord(
  record: Json,
  pos: number,
  context: RecordContext,
): Observation[] | undefined {
  const type = text(record.type);
  if (type === undefined) return undefined;
  const inline = context.sideChains.agentOf(record);
  const time = timeOf(record.timestamp);
  if (time !== null) context.latest = Math.max(context.latest ?? 0, time);
  const where = {
    // A main thread may begin with records of the session that it continues; a sub-agent's does not.
    session: (context.agent === null && name(record.sessionId)) || context.session,
    agent: context.agent ?? inline,
    at: time,
    time: time === context.latest && time !== null ? undefined : (context.latest ?? 0),
  };
  const at = { record, pos, uuid: name(record.uuid) ?? `@${pos}`, where, context };
  const taken = inline === null ? context.queue.follow(record) : undefined;
  if (taken !== undefined) return said(goOn(takenPrompt(at, taken), context), context);
  if (type === 'user') return said(userRecord(at), context);
  if (type === 'assistant') return said(goOn(assistantRecord(at), context), context);
  if (type === 'attachment') {
    countFile(record, context);
    return said(goOn(queuedPrompt(at), context), context);
  }
  if (type === 'system' && record.subtype === 'compact_boundary') {
    const before = flushBoundary(context);
    openBoundary(at);
    return before;
  }
  return BOOKKEEPING.has(type) ? [] : undefined;
}

/** Once the conversation goes on, no summary will come for a boundary. */
const goOn = (found: Observation[], context: RecordContext): Observation[] =>
  found.length === 0 ? found : [...flushBoundary(context), ...found];

/** A command's notes come before the client's files after a summary; what anybody says comes after them. */
function said(found: Observation[], context: RecordContext): Observation[] {
  const isSaid = ({ type, data }: Observation) =>
    type === 'message.recorded'
      ? (data as MessageRecorded).role === 'assistant'
      : type !== 'compaction.finished';
  if (found.some(isSaid)) context.kept = undefined;
  return found;
}
