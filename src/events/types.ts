/**
 * The shapes of every event's data. Plain types: the hook has no validator; `schemas/` says the same in zod for
 * the server, the CLI and the tests, and a test holds the two together. Optional fields are absent, never null.
 */

/** Where a fact stands in the client's own transcript: known once the transcript has been read. */
export interface Trace {
  /** Byte offset of its record in the transcript of its thread: the client's order. */
  pos: number;
  uuid?: string;
  parent?: string;
  /**
   * Only on a prompt that rewound the conversation: the byte offset of the record that it goes on from. What
   * stands between the two is an abandoned branch.
   */
  rewoundTo?: number;
}

export interface SessionStarted {
  /** startup, resume, clear, compact, fork. */
  source: string;
  cwd?: string;
  transcriptPath?: string;
  model?: string;
  /** Since version 2: where the project is a git worktree, its root; else its root as well. */
  worktree: string;
}

export interface SessionEnded {
  reason: string;
}

export interface PromptSubmitted {
  text: string;
  promptId?: string;
  cwd?: string;
  trace?: Trace;
}

export interface MessageRecorded {
  role: 'assistant' | 'user';
  /** `text` and `thinking` of the model; `command` is a slash or shell command typed by the user and its output. */
  kind: 'text' | 'thinking' | 'command';
  text: string;
  /** Of the API message that it is a part of. */
  messageId?: string;
  model?: string;
  trace?: Trace;
}

export interface ToolCalled {
  toolUseId: string;
  name: string;
  input: unknown;
  promptId?: string;
  trace?: Trace;
}

export interface ToolSucceeded {
  toolUseId: string;
  name?: string;
  /** What the tool answered, in the client's own structure; a reference for ben10's own tools. */
  response?: unknown;
  durationMs?: number;
  trace?: Trace;
}

export interface ToolFailed {
  toolUseId: string;
  name?: string;
  error: string;
  /** Of a shell command, when the error says it. */
  exitCode?: number;
  isInterrupt?: boolean;
  durationMs?: number;
  trace?: Trace;
}

export interface SubagentStarted {
  agentType: string;
}

export interface SubagentStopped {
  agentType: string;
  lastMessage?: string;
  transcriptPath?: string;
}

export interface CompactionStarted {
  /** manual, auto. */
  trigger: string;
  customInstructions?: string;
}

export interface CompactionFinished {
  trigger: string;
  summary: string;
  promptId?: string;
  preTokens?: number;
  postTokens?: number;
  trace?: Trace;
}

export interface TurnEnded {
  lastMessage?: string;
  /** Set when a failure of the model's service ended it. */
  error?: string;
}

/** Tokens of one API message. The same message may be sampled again: its last line counts. */
export interface UsageSampled {
  messageId: string;
  model?: string;
  inputTokens: number;
  outputTokens: number;
  cacheCreationTokens: number;
  cacheReadTokens: number;
  trace?: Trace;
}

/** How far a transcript has been read: the cursor of reconciliation. */
export interface TranscriptRead {
  path: string;
  /** Bytes. */
  from: number;
  to: number;
  /** XXH64 of the up to 256 bytes before `to`, hex: tells a replaced file from a grown one. */
  tail: string;
  records: number;
  /** Lines that are not JSON objects. */
  malformed: number;
  /** Record types that this version does not know, with their counts. */
  unknown: Record<string, number>;
}

/** More about a fact that another witness recorded first. */
export interface FactEnriched {
  /** The fact's id, hex. */
  of: string;
  trace?: Trace;
  /** Fields of the fact's data that the later witness knows better. */
  more?: Record<string, unknown>;
}

export interface RecallInjected {
  /** The hook that carried it. */
  event: string;
  source: string;
  chars: number;
  items: { kind: string; seq: number; key: string }[];
}

export interface ContextSaved {
  name: string;
  /** The state that was saved: everything up to this seq. */
  upto: number;
  file: string;
}

export interface ContextRestored {
  point: string;
  mode: string;
  chars: number;
}

export interface CheckpointCreated {
  upto: number;
  projections: string[];
}

/** A hook that this version has no event for, whole. */
export interface HookReceived {
  event: string;
  payload: unknown;
}

export interface EventData {
  'session.started': SessionStarted;
  'session.ended': SessionEnded;
  'prompt.submitted': PromptSubmitted;
  'message.recorded': MessageRecorded;
  'tool.called': ToolCalled;
  'tool.succeeded': ToolSucceeded;
  'tool.failed': ToolFailed;
  'subagent.started': SubagentStarted;
  'subagent.stopped': SubagentStopped;
  'compaction.started': CompactionStarted;
  'compaction.finished': CompactionFinished;
  'turn.ended': TurnEnded;
  'usage.sampled': UsageSampled;
  'transcript.read': TranscriptRead;
  'fact.enriched': FactEnriched;
  'recall.injected': RecallInjected;
  'context.saved': ContextSaved;
  'context.restored': ContextRestored;
  'checkpoint.created': CheckpointCreated;
  'hook.received': HookReceived;
}

export type EventType = keyof EventData;

export type Source = 'hook' | 'mcp-hook' | 'transcript' | 'tool' | 'cli' | 'import' | 'journal';

/** An event as readers get it: the envelope, and where it stands in the journal. */
export interface JournalEvent<T = unknown> {
  seq: number;
  /** 32 hex digits. */
  id: string;
  type: string;
  version: number;
  session: string | null;
  agent: string | null;
  client: string | null;
  source: string;
  /** Milliseconds since the epoch, the source's own time. */
  at: number | null;
  data: T;
}
