import { fact } from '../../events/identity.ts';
import { isObject, type Json, name, path } from '../json.ts';
import { type Observation, observation } from '../observation.ts';
import { flushBoundary, summaryRecord } from './compactions.ts';
import { promptCommand } from './machine-text.ts';
import { type RecordAt, traceOf } from './record-context.ts';
import { failed, resultText, succeeded } from './tool-outcome.ts';
import { typedText } from './typed-text.ts';

/** Records in the user's place: prompts, tool results, summaries, the client's notes. */
export function userRecord(at: RecordAt): Observation[] {
  const { record, where, context } = at;
  const content = isObject(record.message) ? record.message.content : undefined;
  const promptId = name(record.promptId);
  if (where.agent === null && promptId !== undefined) context.prompts.running = promptId;
  const said = resultText(content);
  if (record.isCompactSummary === true) return [summaryRecord(at, said)];
  const before = flushBoundary(context);
  const blocks = Array.isArray(content) ? content.filter(isObject) : [];
  const outcomes = blocks.flatMap((block, part) =>
    block.type === 'tool_result' ? [outcome(at, block, part)] : [],
  );
  if (outcomes.length > 0) return [...before, ...outcomes];
  const typed = typedText(content);
  if (record.isMeta === true || (said === '' && typed === '')) return before;
  return [...before, userText(at, said, typed)];
}

/** What the user typed during a turn, delivered before its end. */
export function queuedPrompt(at: RecordAt): Observation[] {
  const { record, where, context } = at;
  const about = isObject(record.attachment) ? record.attachment : {};
  const typed = typedText(about.prompt);
  const isPrompt = about.type === 'queued_command' && about.commandMode === 'prompt';
  if (!isPrompt || typed === '' || where.agent !== null) return [];
  if (record.isMeta === true || about.isMeta === true) return [];
  const uuid = name(about.source_uuid) ?? at.uuid;
  return [prompt({ ...at, uuid }, typed, context.prompts.running)];
}

/** One of which the client only recorded that it was queued. */
export const takenPrompt = (at: RecordAt, typed: string): Observation[] =>
  at.where.agent === null ? [prompt(at, typed, at.context.prompts.running)] : [];

/**
 * @param said all texts of the record
 * @param typed the part that the user typed
 */
function userText(at: RecordAt, said: string, typed: string): Observation {
  const { record, uuid, where } = at;
  const goesOnFrom = name(record.parentUuid) ?? null;
  const command = promptCommand(said);
  if (where.agent === null && (command !== undefined || typed !== ''))
    return { ...prompt(at, command ?? typed, name(record.promptId)), goesOnFrom };
  const one = observation('message.recorded', fact.message(uuid, 0), where, {
    role: 'user',
    kind: where.agent === null ? 'command' : 'text',
    text: said === '' ? typed : said,
  });
  return { ...one, trace: traceOf(at), ...(where.agent === null && { goesOnFrom }) };
}

function prompt(at: RecordAt, said: string, promptId: string | undefined): Observation {
  const { record, uuid, where, context } = at;
  const owner = promptId ?? uuid;
  const id = fact.prompt(owner, context.prompts.next('prompt', owner));
  const data = { text: said, promptId, cwd: path(record.cwd), branch: name(record.gitBranch) };
  return { ...observation('prompt.submitted', id, where, data), trace: traceOf(at) };
}

/** By the client's own fields: the text may be a server's. */
const isRefused = ({ toolDenialKind, toolUseResult }: Json): boolean =>
  toolDenialKind === 'user-rejected' || toolUseResult === 'User rejected tool use';

function outcome(at: RecordAt, block: Json, part: number): Observation {
  const { record, uuid, where, context } = at;
  const toolUseId = name(block.tool_use_id) ?? name(record.sourceToolUseID) ?? `${uuid}:${part}`;
  const about = { toolUseId, name: context.toolNames.get(toolUseId), durationMs: undefined };
  const trace = traceOf(at, part);
  if (block.is_error === true) {
    const error = resultText(block.content);
    const isInterrupt = isRefused(record) || undefined;
    return { ...failed(where, { ...about, error, isInterrupt }), trace };
  }
  // Hooks carry the structured answer, too; the text is for clients that do not write it.
  const structured = record.toolUseResult;
  const isUsable =
    structured !== undefined && structured !== null && typeof structured !== 'string';
  const response = isUsable ? structured : block.content;
  const file = context.toolFiles?.get(toolUseId);
  return { ...succeeded(where, { ...about, response }), trace, file };
}
