import type { HOOK_EVENTS } from '../../../src/capture/claude/hook-names.ts';

/** What every hook of Claude Code may say, by its documentation and types (2.1.329). Each value is its field's own. */
export const COMMON = {
  session_id: 'the session',
  transcript_path: '/the/transcript.jsonl',
  cwd: '/the/folder',
  prompt_id: 'the prompt',
  permission_mode: 'the mode',
  agent_id: 'the agent',
  agent_type: 'the kind of agent',
  effort: { level: 'the effort' },
};

const tool = {
  tool_name: 'TheTool',
  tool_input: { given: 'the input' },
  tool_use_id: 'the call',
  mcp_server: { name: 'the server', source: 'where it is set' },
};
const stop = {
  stop_hook_active: true,
  last_assistant_message: 'The last message.',
  background_tasks: [{ id: 'b1', type: 'shell', status: 'running', description: 'a task' }],
  session_crons: [{ id: 'c1', schedule: '* * * * *', recurring: true, prompt: 'a cron' }],
};
const modelSwitch = {
  from_model: 'the old model',
  to_model: 'the new model',
  requested_model: 'the model asked for',
  source: 'command',
  context_tokens: 71,
  prompt_cache_warm: true,
  cache_ttl: '5m',
  estimated_cache_write_usd: 0.73,
  pricing: { input: 0.79 },
};
const task = {
  task_id: 'the task',
  task_subject: 'Its subject',
  task_description: 'Its description',
  teammate_name: 'the teammate',
  team_name: 'the team',
};

/** By event, what it says beside `COMMON`. */
export const DOCUMENTED: Record<(typeof HOOK_EVENTS)[number], Record<string, unknown>> = {
  SessionStart: {
    source: 'resume',
    model: 'the model',
    session_title: 'The title',
    seconds_since_last_response: 61,
    context_tokens: 67,
    prompt_cache_likely_expired: true,
    estimated_cache_write_usd: 0.71,
  },
  SessionEnd: { reason: 'logout' },
  Setup: { trigger: 'maintenance' },
  UserPromptSubmit: { prompt: 'Do it.', source: 'sdk', session_title: 'The title' },
  UserPromptExpansion: {
    expansion_type: 'slash_command',
    command_name: 'the command',
    command_args: 'its arguments',
    command_source: 'its source',
    prompt: 'Do it.',
  },
  PreToolUse: tool,
  PostToolUse: { ...tool, tool_response: { said: 'the response' }, duration_ms: 53 },
  PostToolUseFailure: { ...tool, error: 'The error', is_interrupt: true, duration_ms: 59 },
  PostToolBatch: { tool_calls: [{ ...tool, tool_response: 'the response' }] },
  PermissionRequest: { ...tool, permission_suggestions: [{ rule: 'the rule' }] },
  PermissionDenied: { ...tool, reason: 'The reason' },
  Notification: { message: 'The message', title: 'Its title', notification_type: 'idle_prompt' },
  Stop: stop,
  StopFailure: {
    error: 'rate_limit',
    error_details: 'The details',
    last_assistant_message: 'The last message.',
  },
  SubagentStart: {},
  SubagentStop: { ...stop, agent_transcript_path: '/the/agent.jsonl' },
  PreCompact: { trigger: 'manual', custom_instructions: 'Keep this.' },
  PostCompact: { trigger: 'manual', compact_summary: 'The summary.' },
  PreModelSwitch: modelSwitch,
  PostModelSwitch: modelSwitch,
  TaskCreated: task,
  TaskCompleted: task,
  TeammateIdle: { teammate_name: 'the teammate', team_name: 'the team' },
  InstructionsLoaded: {
    file_path: '/the/CLAUDE.md',
    memory_type: 'Project',
    load_reason: 'include',
    globs: ['*.ts'],
    trigger_file_path: '/the/trigger.ts',
    parent_file_path: '/the/parent.md',
  },
  ConfigChange: { source: 'skills', file_path: '/the/settings.json' },
  CwdChanged: { old_cwd: '/the/old', new_cwd: '/the/new' },
  DirectoryAdded: { directory: '/the/directory', source: 'register_repo_root' },
  FileChanged: { file_path: '/the/file', event: 'unlink' },
  WorktreeCreate: { name: 'the worktree' },
  WorktreeRemove: { worktree_path: '/the/worktree' },
  Elicitation: {
    mcp_server_name: 'the server',
    message: 'The message',
    mode: 'url',
    url: 'https://example.com/',
    elicitation_id: 'the question',
    requested_schema: { type: 'object' },
  },
  ElicitationResult: {
    mcp_server_name: 'the server',
    action: 'accept',
    content: { answer: 'the answer' },
    mode: 'form',
    elicitation_id: 'the question',
  },
  MessageDisplay: {
    turn_id: 'the turn',
    message_id: 'the message',
    index: 83,
    final: true,
    delta: 'a piece',
  },
};
