import { fact } from '../../events/identity.ts';
import { fileOf } from '../../projections/tools-text.ts';
import { count, isObject, type Json, name, text } from '../json.ts';
import { type Observation, observation } from '../observation.ts';
import { keepNewest, type RecordAt, type RecordContext, traceOf } from './record-context.ts';

/** What the model said, called and used. One API message may span several records. */
export function assistantRecord(at: RecordAt): Observation[] {
  const { record, context } = at;
  const message = isObject(record.message) ? record.message : {};
  // The client's own messages (API errors) are not the model's.
  if (record.isApiErrorMessage === true || message.model === '<synthetic>') return [];
  const blocks = Array.isArray(message.content) ? message.content.filter(isObject) : [];
  const found: Observation[] = [];
  for (const [part, block] of blocks.entries()) {
    const one = spoken(at, block, part, message) ?? called(at, block, part);
    if (one === undefined) continue;
    found.push({ ...one, trace: traceOf(at, part) });
    if (one.type === 'tool.called') remember(one as Observation<'tool.called'>, context);
  }
  const tokens = usageOf(at, message);
  if (tokens !== undefined && isNews(tokens, context))
    found.push({ ...tokens, trace: traceOf(at, blocks.length) });
  return found;
}

function spoken(
  { uuid, where }: RecordAt,
  block: Json,
  part: number,
  message: Json,
): Observation | undefined {
  if (block.type !== 'text' && block.type !== 'thinking') return undefined;
  const said = text(block.type === 'thinking' ? block.thinking : block.text);
  if (said === undefined) return undefined;
  return observation('message.recorded', fact.message(uuid, part), where, {
    role: 'assistant',
    kind: block.type,
    text: said,
    messageId: name(message.id),
    model: name(message.model),
  });
}

function called({ uuid, where }: RecordAt, block: Json, part: number): Observation | undefined {
  const tool = name(block.name);
  if (block.type !== 'tool_use' || tool === undefined) return undefined;
  const toolUseId = name(block.id) ?? `${uuid}:${part}`;
  const data = { toolUseId, name: tool, input: block.input ?? null };
  return observation('tool.called', fact.toolCall(toolUseId), where, data);
}

function remember({ data }: Observation<'tool.called'>, context: RecordContext): void {
  context.toolNames.set(data.toolUseId, data.name);
  keepNewest(context.toolNames);
  const file = fileOf(data.input);
  if (file === undefined) return;
  context.toolFiles ??= new Map();
  context.toolFiles.set(data.toolUseId, file);
  keepNewest(context.toolFiles);
}

/** Every record of a message repeats its tokens. */
function isNews({ session, agent, data }: Observation, context: RecordContext): boolean {
  const tokens = JSON.stringify([session, agent, data]);
  const isRepeated = context.tokens === tokens;
  context.tokens = tokens;
  return !isRepeated;
}

function usageOf({ record, uuid, where }: RecordAt, message: Json): Observation | undefined {
  const { usage } = message;
  const messageId = name(message.id);
  if (!isObject(usage) || messageId === undefined) return undefined;
  const spentBy = text(record.requestSessionId);
  return observation('usage.sampled', fact.usage(messageId, uuid), where, {
    messageId,
    model: name(message.model),
    inputTokens: count(usage.input_tokens) ?? 0,
    outputTokens: count(usage.output_tokens) ?? 0,
    cacheCreationTokens: count(usage.cache_creation_input_tokens) ?? 0,
    cacheHourTokens: isObject(usage.cache_creation)
      ? count(usage.cache_creation.ephemeral_1h_input_tokens) || undefined
      : undefined,
    cacheReadTokens: count(usage.cache_read_input_tokens) ?? 0,
    copied: spentBy !== undefined && spentBy !== text(record.sessionId) ? true : undefined,
  });
}
