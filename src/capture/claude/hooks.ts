import { fact } from '../../events/identity.ts';
import { fileOf } from '../../projections/tools-text.ts';
import { count, isObject, type Json, name, path, text } from '../json.ts';
import { type Observation, observation } from '../observation.ts';
import { hookEventName } from './hook-names.ts';
import { isMachineText } from './machine-text.ts';
import { failed, succeeded } from './tool-outcome.ts';

/** Fired for every update of the screen; the transcript has the same. */
const NOISE = new Set(['MessageDisplay']);
/** Session of a hook that does not name one. */
export const UNKNOWN_SESSION = 'unknown';

interface HookWhere {
  session: string;
  agent: string | null;
  at: number;
}

type Reader = (input: Json, where: HookWhere) => Observation | undefined;

/**
 * What a hook's stdin says.
 * @param given the event's name on the command line; the input's own name wins
 * @param input parsed stdin; unknown fields are fine
 * @param at when it happened, milliseconds, as near as the caller knows: hooks do not say it
 * @returns undefined for hooks that are noise
 */
export function observeHook(given: string, input: Json, at: number): Observation | undefined {
  const event = hookEventName(name(input.hook_event_name) ?? given);
  if (NOISE.has(event)) return undefined;
  const session = name(input.session_id) ?? UNKNOWN_SESSION;
  const where = { session, agent: name(input.agent_id) ?? null, at };
  const read = Object.hasOwn(READERS, event) ? READERS[event] : undefined;
  return read?.(input, where) ?? received(event, input, where);
}

function received(event: string, input: Json, where: HookWhere): Observation {
  const payload = event === 'PostToolBatch' ? batchIds(input) : input;
  return observation('hook.received', null, where, { event, payload });
}

/** Its answers came with their own hooks and are not stored twice. */
function batchIds(input: Json): Json {
  const calls = Array.isArray(input.tool_calls) ? input.tool_calls.filter(isObject) : [];
  return { tool_use_ids: calls.map((call) => name(call.tool_use_id) ?? '') };
}

function toolCall(input: Json, where: HookWhere): Observation<'tool.called'> | undefined {
  const toolUseId = name(input.tool_use_id);
  const tool = name(input.tool_name);
  if (toolUseId === undefined || tool === undefined) return undefined;
  const called = input.tool_input ?? null;
  const data = { toolUseId, name: tool, input: called, promptId: name(input.prompt_id) };
  return observation('tool.called', fact.toolCall(toolUseId), where, data);
}

/** The call that an outcome's hook repeats; it began as long before as the tool took. */
const callBefore = (input: Json, where: HookWhere): Observation<'tool.called'> | undefined =>
  toolCall(input, { ...where, at: Math.max(0, where.at - (count(input.duration_ms) ?? 0)) });

const READERS: Record<string, Reader> = {
  SessionStart: (input, where) =>
    observation('session.started', null, where, {
      source: name(input.source) ?? 'unknown',
      cwd: path(input.cwd),
      transcriptPath: path(input.transcript_path),
      model: name(input.model),
      worktree: path(input.cwd) ?? '',
    }),

  SessionEnd: (input, where) =>
    observation('session.ended', null, where, { reason: name(input.reason) ?? 'unknown' }),

  // Prompts and compactions get their names where earlier ones are counted (`naming.ts`).
  UserPromptSubmit(input, where) {
    const said = text(input.prompt);
    // The end of a background task arrives as a prompt, too.
    if (said === undefined || isMachineText(said)) return undefined;
    const data = { text: said, promptId: name(input.prompt_id), cwd: path(input.cwd) };
    return observation('prompt.submitted', null, where, data);
  },

  PreToolUse: toolCall,

  PostToolUse(input, where) {
    const toolUseId = name(input.tool_use_id);
    if (toolUseId === undefined) return undefined;
    const one = succeeded(where, {
      toolUseId,
      name: name(input.tool_name),
      response: input.tool_response,
      durationMs: count(input.duration_ms),
    });
    return { ...one, file: fileOf(input.tool_input), call: callBefore(input, where) };
  },

  PostToolUseFailure(input, where) {
    const toolUseId = name(input.tool_use_id);
    if (toolUseId === undefined) return undefined;
    const one = failed(where, {
      toolUseId,
      name: name(input.tool_name),
      error: text(input.error) ?? '',
      isInterrupt: typeof input.is_interrupt === 'boolean' ? input.is_interrupt : undefined,
      durationMs: count(input.duration_ms),
    });
    return { ...one, call: callBefore(input, where) };
  },

  SubagentStart(input, where) {
    if (where.agent === null) return undefined;
    const agentType = name(input.agent_type) ?? 'unknown';
    return observation('subagent.started', fact.subagentStart(where.agent), where, { agentType });
  },

  // A compaction ends a summarising agent as well, which has no type.
  SubagentStop(input, where) {
    const agentType = name(input.agent_type);
    if (where.agent === null || agentType === undefined) return undefined;
    return observation('subagent.stopped', null, where, {
      agentType,
      lastMessage: text(input.last_assistant_message),
      transcriptPath: path(input.agent_transcript_path),
    });
  },

  PreCompact: (input, where) =>
    observation('compaction.started', null, where, {
      trigger: name(input.trigger) ?? 'unknown',
      customInstructions: text(input.custom_instructions),
    }),

  PostCompact: (input, where) =>
    observation('compaction.finished', null, where, {
      trigger: name(input.trigger) ?? 'unknown',
      summary: text(input.compact_summary) ?? '',
      promptId: name(input.prompt_id),
    }),

  Stop: (input, where) =>
    observation('turn.ended', null, where, { lastMessage: text(input.last_assistant_message) }),

  StopFailure: (input, where) =>
    observation('turn.ended', null, where, {
      lastMessage: text(input.last_assistant_message),
      error: name(input.error) ?? 'unknown',
    }),
};
