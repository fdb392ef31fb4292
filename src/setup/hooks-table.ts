/** How an event reaches ben10: a process is started, or a tool of ben10's running MCP server is called. */
export type Carrier = 'command' | 'mcp';

/** One hook that `init` writes. `carrier` is the one with `--hooks mcp`; with `--hooks command` all are commands. */
export type HookRow = Row & ({ carrier: 'command' } | { carrier: 'mcp'; input: readonly string[] });

interface Row {
  /** The client's name of the event. */
  event: string;
  /** The same as `ben10 hook` takes it. */
  name: string;
  /** Seconds after which the client goes on without us. */
  timeout: number;
  /** Whether its group carries the matcher `*`: these events match on a tool's name or an agent's type. */
  matcher: boolean;
  /** What ben10 does with it. */
  doc: string;
}

/**
 * Paths of an event's stdin that an `mcp_tool` hook passes on; one that is missing arrives as an empty string. Every
 * event may carry these; `agent_id` and `agent_type` only inside a sub-agent.
 */
const COMMON = [
  'session_id',
  'transcript_path',
  'cwd',
  'prompt_id',
  'permission_mode',
  'agent_id',
  'agent_type',
] as const;
/**
 * A server that hangs is waited for before and after every call, and a call may be held up by 5 s at most. What is
 * missed so is read from the transcript later.
 */
const CALL_TIMEOUT_S = 2;
const CALL = [...COMMON, 'tool_name', 'tool_input', 'tool_use_id'] as const;

/**
 * The hooks that ben10 asks for, in the order of a session. Once a turn or less: commands, which need no server (it is
 * not connected yet at SessionStart, and gone at SessionEnd). For every tool call: `mcp_tool`, so that no process is
 * started. Field names and events after the client's SDK 0.3.329. Left out on purpose are events that fire many times a
 * second (MessageDisplay) or repeat others (PostToolBatch).
 */
export const HOOKS: readonly HookRow[] = [
  {
    event: 'SessionStart',
    name: 'session-start',
    carrier: 'command',
    timeout: 10,
    matcher: false,
    doc: 'Records the session, reads what the transcript has that no hook brought, gives back what is needed to go on.',
  },
  {
    event: 'UserPromptSubmit',
    name: 'user-prompt-submit',
    carrier: 'command',
    timeout: 5,
    matcher: false,
    doc: 'Records the prompt; after a compaction, gives back what the start of the session could not.',
  },
  {
    event: 'PreToolUse',
    name: 'pre-tool-use',
    carrier: 'mcp',
    timeout: CALL_TIMEOUT_S,
    matcher: true,
    input: CALL,
    doc: 'Records a tool call before it runs.',
  },
  {
    event: 'PostToolUse',
    name: 'post-tool-use',
    carrier: 'mcp',
    timeout: CALL_TIMEOUT_S,
    matcher: true,
    input: [...CALL, 'tool_response', 'duration_ms'],
    doc: "Records a tool call's result.",
  },
  {
    event: 'PostToolUseFailure',
    name: 'post-tool-use-failure',
    carrier: 'mcp',
    timeout: CALL_TIMEOUT_S,
    matcher: true,
    input: [...CALL, 'error', 'is_interrupt', 'duration_ms'],
    doc: "Records a tool call's failure.",
  },
  {
    event: 'SubagentStart',
    name: 'subagent-start',
    carrier: 'mcp',
    timeout: CALL_TIMEOUT_S,
    matcher: true,
    input: COMMON,
    doc: 'Records that a sub-agent begins.',
  },
  {
    event: 'SubagentStop',
    name: 'subagent-stop',
    carrier: 'mcp',
    timeout: CALL_TIMEOUT_S,
    matcher: true,
    input: [...COMMON, 'agent_transcript_path', 'last_assistant_message'],
    doc: 'Records that a sub-agent ends, and its answer.',
  },
  {
    event: 'PreCompact',
    name: 'pre-compact',
    carrier: 'command',
    timeout: 10,
    matcher: false,
    doc: 'Records the compaction, saves the context, tells the compaction what to keep.',
  },
  {
    event: 'PostCompact',
    name: 'post-compact',
    carrier: 'command',
    timeout: 5,
    matcher: false,
    doc: 'Records the summary and works out what was lost.',
  },
  {
    event: 'Stop',
    name: 'stop',
    carrier: 'command',
    timeout: 5,
    matcher: false,
    doc: 'Records the end of the turn and reads what the transcript has that no hook brought.',
  },
  {
    event: 'SessionEnd',
    name: 'session-end',
    carrier: 'command',
    timeout: 5,
    matcher: false,
    doc: 'Records the end of the session and saves the context.',
  },
];

/** The name of ben10's server in the client's MCP configuration. */
export const SERVER_NAME = 'ben10';
/** The tool that `mcp_tool` hooks call. */
export const RECORD_TOOL = 'ben10_record';
/** Denying it hides it from the model; hooks still reach it (seen with 2.1.329). */
export const RECORD_TOOL_PERMISSION = `mcp__${SERVER_NAME}__${RECORD_TOOL}`;
