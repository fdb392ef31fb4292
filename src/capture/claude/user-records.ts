import { fact } from '../../events/identity.ts';
import type { PromptSubmitted } from '../../events/types.ts';
import { defined, isObject, type Json, name, path } from '../json.ts';
import { type Observation, observation } from '../observation.ts';
import { flushBoundary, summaryRecord } from './compactions.ts';
import { promptCommand } from './machine-text.ts';
import type { RecordContext, RecordWhere } from './record-context.ts';
import { traceOf } from './record-trace.ts';
import { failed, resultText, succeeded } from './tool-outcome.ts';
import { typedText } from './typed-text.ts';

/** Records in the user's place: prompts, tool results, summaries, the client's notes. */
export function userRecord(
  record: Json,
  pos: number,
  where: RecordWhere,
  context: RecordContext,
): Observation[] {
  const content = isObject(record.message) ? record.message.content : undefined;
  const promptId = name(record.promptId);
  if (where.agent === null && promptId !== undefined) context.prompts.running = promptId;
  const said = resultText(content);
  if (record.isCompactSummary === true) {
    return [summaryRecord(context, where, record, said, traceOf(record, pos, 0, where))];
  }
  const before = flushBoundary(context);
  const blocks = Array.isArray(content) ? content.filter(isObject) : [];
  const outcomes = blocks.flatMap((block, part) =>
    block.type === 'tool_result' ? [outcome(block, part, record, pos, where, context)] : [],
  );
  if (outcomes.length > 0) return [...before, ...outcomes];
  const typed = typedText(content);
  if (record.isMeta === true || (said === '' && typed === '')) return before;
  return [...before, userText(record, said, typed, pos, where, context)];
}

/** What the user typed during a turn, delivered before its end. */
export function queuedPrompt(
  record: Json,
  pos: number,
  where: RecordWhere,
  context: RecordContext,
): Observation[] {
  const about = isObject(record.attachment) ? record.attachment : {};
  const typed = typedText(about.prompt);
  const isPrompt = about.type === 'queued_command' && about.commandMode === 'prompt';
  if (!isPrompt || typed === '' || where.agent !== null) return [];
  if (record.isMeta === true || about.isMeta === true) return [];
  const uuid = name(about.source_uuid) ?? name(record.uuid) ?? `@${pos}`;
  const one = prompt(typed, context.prompts.running, uuid, record, where, context);
  return [{ ...one, trace: traceOf(record, pos, 0, where) }];
}

/**
 * @param said all texts of the record
 * @param typed the part that the user typed
 */
function userText(
  record: Json,
  said: string,
  typed: string,
  pos: number,
  where: RecordWhere,
  context: RecordContext,
): Observation {
  const uuid = name(record.uuid) ?? `@${pos}`;
  const trace = traceOf(record, pos, 0, where);
  const goesOnFrom = name(record.parentUuid) ?? null;
  const command = promptCommand(said);
  if (where.agent === null && (command !== undefined || typed !== '')) {
    const one = prompt(command ?? typed, name(record.promptId), uuid, record, where, context);
    return { ...one, trace, goesOnFrom };
  }
  const id = fact.message(uuid, 0);
  const task = { role: 'user' as const, kind: 'text' as const, text: said === '' ? typed : said };
  if (where.agent !== null) return { ...observation('message.recorded', id, where, task), trace };
  const note = { ...task, kind: 'command' as const };
  return { ...observation('message.recorded', id, where, note), trace, goesOnFrom };
}

function prompt(
  said: string,
  promptId: string | undefined,
  uuid: string,
  record: Json,
  where: RecordWhere,
  context: RecordContext,
): Observation {
  const owner = promptId ?? uuid;
  const data = defined<PromptSubmitted>({ text: said, promptId, cwd: path(record.cwd) });
  const n = context.prompts.next('prompt', owner);
  return observation('prompt.submitted', fact.prompt(owner, n), where, data);
}

/** By the client's own fields: the text may be a server's. */
const isRefused = ({ toolDenialKind, toolUseResult }: Json): boolean =>
  toolDenialKind === 'user-rejected' || toolUseResult === 'User rejected tool use';

function outcome(
  block: Json,
  part: number,
  record: Json,
  pos: number,
  where: RecordWhere,
  context: RecordContext,
): Observation {
  const uuid = name(record.uuid) ?? `@${pos}`;
  const toolUseId = name(block.tool_use_id) ?? name(record.sourceToolUseID) ?? `${uuid}:${part}`;
  const about = { toolUseId, name: context.toolNames.get(toolUseId), durationMs: undefined };
  const trace = traceOf(record, pos, part, where);
  const id = fact.toolOutcome(toolUseId);
  if (block.is_error === true) {
    const error = resultText(block.content);
    const data = failed({ ...about, error, isInterrupt: isRefused(record) || undefined });
    return { ...observation('tool.failed', id, where, data), trace };
  }
  // Hooks carry the structured answer, too; the text is for clients that do not write it.
  const structured = record.toolUseResult;
  const isUsable =
    structured !== undefined && structured !== null && typeof structured !== 'string';
  const data = succeeded({ ...about, response: isUsable ? structured : block.content });
  const file = context.toolFiles?.get(toolUseId);
  return { ...observation('tool.succeeded', id, where, data), trace, file };
}
