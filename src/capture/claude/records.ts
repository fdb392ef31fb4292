import { fact } from '../../events/identity.ts';
import type {
  CompactionFinished,
  MessageRecorded,
  PromptSubmitted,
  Trace,
  UsageSampled,
} from '../../events/types.ts';
import { count, defined, isObject, type Json, text, time } from '../json.ts';
import { type Observation, observation } from '../observation.ts';
import { isMachineText } from './machine-text.ts';
import { failed, resultText, succeeded } from './tool-outcome.ts';

/** Records that the client keeps for itself: their content is elsewhere, or is none of ours. */
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
/** What a reader of one transcript remembers from record to record. */
export interface RecordContext {
  session: string;
  /** Of the file: a sub-agent's own, or null. */
  agent: string | null;
  /** Agents of inline side chains (clients before 2.1), by record uuid. */
  sidechains: Map<string, string>;
  /** A compaction's boundary that waits for its summary. */
  boundary: { pos: number; uuid: string; metadata: Json; at: number | null } | undefined;
  /** How many prompts and compactions each prompt id has had, by `prompt:` or `compaction:` and the id. */
  ordinals: Map<string, number>;
  /** Of the last prompt: a queued one has it too, but does not say so. */
  promptId: string | undefined;
  /** Tool names by tool use id: an outcome does not say whose it is. */
  toolNames: Map<string, string>;
}

export type RecordResult = Observation[] | 'known' | 'unknown';

/** @param pos byte offset of the record's line */
export function observeRecord(record: Json, pos: number, context: RecordContext): RecordResult {
  const type = text(record.type);
  if (type === 'assistant') return assistant(record, pos, context);
  if (type === 'user') return user(record, pos, context);
  if (type === 'attachment') return attachment(record, pos, context);
  if (type === 'system' && record.subtype === 'compact_boundary') {
    const before = flushBoundary(context);
    const metadata = isObject(record.compactMetadata) ? record.compactMetadata : {};
    context.boundary = {
      pos,
      uuid: text(record.uuid) ?? `@${pos}`,
      metadata,
      at: time(record.timestamp),
    };
    return before;
  }
  return type !== undefined && BOOKKEEPING.has(type) ? 'known' : 'unknown';
}

/** A boundary without a summary is a compaction all the same. */
export function flushBoundary(context: RecordContext): Observation[] {
  const { boundary } = context;
  if (boundary === undefined) return [];
  context.boundary = undefined;
  const where = { session: context.session, agent: context.agent, at: boundary.at };
  return [
    compaction(
      context,
      where,
      boundary.uuid,
      '',
      { pos: boundary.pos, uuid: boundary.uuid },
      boundary.metadata,
    ),
  ];
}

function whereOf(record: Json, context: RecordContext) {
  // A resumed transcript can begin with records of the session that it goes on from.
  const session = text(record.sessionId) ?? context.session;
  return { session, agent: agentOf(record, context), at: time(record.timestamp) };
}

/** Inline side chains are told apart by the record that they start with. */
function agentOf(record: Json, context: RecordContext): string | null {
  if (context.agent !== null || record.isSidechain !== true) return context.agent;
  const own = text(record.agentId);
  const parent = text(record.parentUuid);
  const uuid = text(record.uuid) ?? '';
  const agent =
    own ?? (parent && context.sidechains.get(parent)) ?? `sidechain-${uuid.slice(0, 8)}`;
  context.sidechains.set(uuid, agent);
  return agent;
}

/** Parts of one record stand behind each other: a line is always longer than it has parts. */
const traceOf = (record: Json, pos: number, part: number): Trace =>
  defined<Trace>({ pos: pos + part, uuid: text(record.uuid) });

function assistant(record: Json, pos: number, context: RecordContext): RecordResult {
  const message = isObject(record.message) ? record.message : {};
  const blocks = Array.isArray(message.content) ? message.content.filter(isObject) : [];
  const where = whereOf(record, context);
  // What the client itself says in the model's place (an API error) is not the model's.
  if (record.isApiErrorMessage === true || message.model === '<synthetic>') return 'known';
  const uuid = text(record.uuid) ?? `@${pos}`;
  const found: Observation[] = [];
  blocks.forEach((block, part) => {
    const one = assistantBlock(block, part, { uuid, message, where, context });
    if (one !== undefined) found.push({ ...one, trace: traceOf(record, pos, part) });
  });
  const tokens = usageOf(message, uuid, where);
  if (tokens !== undefined) found.push({ ...tokens, trace: traceOf(record, pos, blocks.length) });
  return found;
}

function assistantBlock(
  block: Json,
  part: number,
  about: {
    uuid: string;
    message: Json;
    where: ReturnType<typeof whereOf>;
    context: RecordContext;
  },
): Observation | undefined {
  const { uuid, message, where, context } = about;
  const said = block.type === 'thinking' ? text(block.thinking) : text(block.text);
  if ((block.type === 'text' || block.type === 'thinking') && said !== undefined) {
    const data = defined<MessageRecorded>({
      role: 'assistant',
      kind: block.type,
      text: said,
      messageId: text(message.id),
      model: text(message.model),
    });
    return observation('message.recorded', fact.message(uuid, part), where, data);
  }
  const name = text(block.name);
  if (block.type !== 'tool_use' || name === undefined) return undefined;
  const toolUseId = text(block.id) ?? `${uuid}:${part}`;
  context.toolNames.set(toolUseId, name);
  const data = { toolUseId, name, input: block.input ?? null };
  return observation('tool.called', fact.toolCall(toolUseId), where, data);
}

function usageOf(
  message: Json,
  uuid: string,
  where: ReturnType<typeof whereOf>,
): Observation | undefined {
  const { usage } = message;
  const messageId = text(message.id);
  if (!isObject(usage) || messageId === undefined) return undefined;
  const data = defined<UsageSampled>({
    messageId,
    model: text(message.model),
    inputTokens: count(usage.input_tokens) ?? 0,
    outputTokens: count(usage.output_tokens) ?? 0,
    cacheCreationTokens: count(usage.cache_creation_input_tokens) ?? 0,
    cacheReadTokens: count(usage.cache_read_input_tokens) ?? 0,
  });
  return observation('usage.sampled', fact.usage(messageId, uuid), where, data);
}

function user(record: Json, pos: number, context: RecordContext): RecordResult {
  const content = isObject(record.message) ? record.message.content : undefined;
  const where = whereOf(record, context);
  const trace = traceOf(record, pos, 0);
  if (record.isCompactSummary === true) {
    const { boundary } = context;
    context.boundary = undefined;
    const metadata = boundary?.metadata ?? {};
    const owner = text(record.promptId) ?? boundary?.uuid ?? text(record.uuid) ?? `@${pos}`;
    const one = compaction(context, where, owner, resultText(content), trace, metadata);
    const promptId = text(record.promptId);
    return [promptId === undefined ? one : { ...one, data: { ...one.data, promptId } }];
  }
  const before = flushBoundary(context);
  const blocks = Array.isArray(content) ? content.filter(isObject) : [];
  const outcomes = blocks.flatMap((block, part) =>
    outcome(block, part, record, pos, where, context),
  );
  if (outcomes.length > 0) return [...before, ...outcomes];
  const said = resultText(content);
  if (record.isMeta === true || said === '') return before.length > 0 ? before : 'known';
  return [...before, { ...userText(record, said, where, pos, context), trace }];
}

function userText(
  record: Json,
  said: string,
  where: ReturnType<typeof whereOf>,
  pos: number,
  context: RecordContext,
): Observation {
  const uuid = text(record.uuid) ?? `@${pos}`;
  if (where.agent !== null || isMachineText(said)) {
    const kind = where.agent === null ? 'command' : 'text';
    return observation('message.recorded', fact.message(uuid, 0), where, {
      role: 'user',
      kind,
      text: said,
    });
  }
  const promptId = text(record.promptId);
  context.promptId = promptId;
  return prompt(said, promptId, uuid, record, where, context);
}

function prompt(
  said: string,
  promptId: string | undefined,
  uuid: string,
  record: Json,
  where: ReturnType<typeof whereOf>,
  context: RecordContext,
): Observation {
  const owner = promptId ?? uuid;
  const data = defined<PromptSubmitted>({ text: said, promptId, cwd: text(record.cwd) });
  const n = nextOrdinal(context, `prompt:${owner}`);
  return observation('prompt.submitted', fact.prompt(owner, n), where, data);
}

/** What the user typed while the model was at work, and the client handed on in mid-turn. */
function attachment(record: Json, pos: number, context: RecordContext): RecordResult {
  const about = isObject(record.attachment) ? record.attachment : {};
  const said = resultText(about.prompt);
  const typed = about.type === 'queued_command' && about.commandMode === 'prompt' && said !== '';
  if (!typed || isMachineText(said) || record.isMeta === true || about.isMeta === true)
    return 'known';
  const where = whereOf(record, context);
  if (where.agent !== null) return 'known';
  const uuid = text(about.source_uuid) ?? text(record.uuid) ?? `@${pos}`;
  const one = prompt(said, context.promptId, uuid, record, where, context);
  return [{ ...one, trace: traceOf(record, pos, 0) }];
}

function outcome(
  block: Json,
  part: number,
  record: Json,
  pos: number,
  where: ReturnType<typeof whereOf>,
  context: RecordContext,
): Observation[] {
  if (block.type !== 'tool_result') return [];
  const uuid = text(record.uuid) ?? `@${pos}`;
  const toolUseId = text(block.tool_use_id) ?? text(record.sourceToolUseID) ?? `${uuid}:${part}`;
  const name = context.toolNames.get(toolUseId);
  const trace = traceOf(record, pos, part);
  const id = fact.toolOutcome(toolUseId);
  if (block.is_error === true) {
    const error = resultText(block.content);
    const data = failed({ toolUseId, name, error, isInterrupt: undefined, durationMs: undefined });
    return [{ ...observation('tool.failed', id, where, data), trace }];
  }
  // The structured answer is what hooks carry too; the text is for clients that do not write it.
  const structured = record.toolUseResult;
  const usable = structured !== undefined && structured !== null && typeof structured !== 'string';
  const response = usable ? structured : block.content;
  const data = succeeded({ toolUseId, name, response, durationMs: undefined });
  return [{ ...observation('tool.succeeded', id, where, data), trace }];
}

function nextOrdinal(context: RecordContext, key: string): number {
  const n = context.ordinals.get(key) ?? 0;
  context.ordinals.set(key, n + 1);
  return n;
}

function compaction(
  context: RecordContext,
  where: ReturnType<typeof whereOf>,
  owner: string,
  summary: string,
  trace: Trace,
  metadata: Json,
): Observation<'compaction.finished'> {
  const n = nextOrdinal(context, `compaction:${owner}`);
  const data = defined<CompactionFinished>({
    trigger: text(metadata.trigger) ?? 'unknown',
    summary,
    preTokens: count(metadata.preTokens),
    postTokens: count(metadata.postTokens),
  });
  return { ...observation('compaction.finished', fact.compaction(owner, n), where, data), trace };
}
