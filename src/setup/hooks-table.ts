/** How an event reaches ben10: by a process, or by a tool of its MCP server. */
export type Carrier = 'command' | 'mcp';

/** One hook that `init` writes. With `--hooks command`, the default, all are commands. */
export type HookRow = {
  /** The client's name of the event. */
  event: string;
  /** The argument of `ben10 hook`. */
  name: string;
  /** Seconds until the client continues without us, or ends a command in the background. */
  timeout: number;
  /** Whether its group has the matcher `*`, for a tool's name or an agent's type. */
  matcher: boolean;
} & ({ carrier: 'command' } | { carrier: 'mcp'; input: readonly string[] });

/** Fields that every event may have; `agent_id` and `agent_type` only in a sub-agent. Missing ones arrive as ''. */
const COMMON = [
  'session_id',
  'transcript_path',
  'cwd',
  'prompt_id',
  'permission_mode',
  'agent_id',
  'agent_type',
] as const;
/** A hanging server delays each call twice, which must stay below 5 s. Missed events are read from the transcript later. */
const CALL_TIMEOUT_S = 2;
/** Nobody waits for these. */
export const BACKGROUND_TIMEOUT_S = 10;
const CALL = [...COMMON, 'tool_name', 'tool_input', 'tool_use_id'] as const;

const nameOf = (event: string): string => event.replace(/(?<=[a-z])[A-Z]/g, '-$&').toLowerCase();

/** Needs no server, which is not connected yet at SessionStart, and gone at SessionEnd. */
const command = (event: string, timeout: number): HookRow => ({
  event,
  name: nameOf(event),
  carrier: 'command',
  timeout,
  matcher: false,
});

/** So frequent that nobody may wait for a process: the server records them, or a command in the background. */
const mcp = (event: string, input: readonly string[]): HookRow => ({
  event,
  name: nameOf(event),
  carrier: 'mcp',
  timeout: CALL_TIMEOUT_S,
  matcher: true,
  input,
});

/**
 * ben10's hooks, in the order of a session. Names are those of the client's SDK 0.3.329. Left out are events that fire many
 * times a second (MessageDisplay) or repeat others (PostToolBatch).
 */
export const HOOKS: readonly HookRow[] = [
  command('SessionStart', 10),
  command('UserPromptSubmit', 5),
  mcp('PreToolUse', CALL),
  mcp('PostToolUse', [...CALL, 'tool_response', 'duration_ms']),
  mcp('PostToolUseFailure', [...CALL, 'error', 'is_interrupt', 'duration_ms']),
  mcp('SubagentStart', COMMON),
  mcp('SubagentStop', [...COMMON, 'agent_transcript_path', 'last_assistant_message']),
  command('PreCompact', 10),
  command('PostCompact', 5),
  command('Stop', 5),
  command('SessionEnd', 5),
];

/** The name of ben10's server in the client's MCP configuration. */
export const SERVER_NAME = 'ben10';
/** The tool that `mcp_tool` hooks call. */
export const RECORD_TOOL = 'ben10_record';
/** Denying it hides it from the model; hooks can still call it (2.1.329). */
export const RECORD_TOOL_PERMISSION = `mcp__${SERVER_NAME}__${RECORD_TOOL}`;
