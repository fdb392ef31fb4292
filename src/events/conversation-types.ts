import type { Text, Trace } from './common-types.ts';

export interface PromptSubmitted {
  text: Text;
  promptId?: string;
  cwd?: string;
  trace?: Trace;
}

export interface MessageRecorded {
  role: 'assistant' | 'user';
  /**
   * `text` and `thinking` of the model; `text` of the user only in a sub-agent's thread: its task. `command` is what
   * stands in the user's place and is no prompt: a command of the client's own and its output, a task's notification.
   */
  kind: 'text' | 'thinking' | 'command';
  text: Text;
  /** Of the API message that it is a part of. */
  messageId?: string;
  model?: string;
  trace?: Trace;
}

export interface SubagentStarted {
  agentType: string;
}

export interface SubagentStopped {
  agentType: string;
  lastMessage?: Text;
  transcriptPath?: string;
}

export interface CompactionStarted {
  /** manual, auto. */
  trigger: string;
  customInstructions?: Text;
}

export interface CompactionFinished {
  trigger: string;
  /** Empty when its witness has none. */
  summary: Text;
  promptId?: string;
  preTokens?: number;
  postTokens?: number;
  kept?: CompactionKept;
  trace?: Trace;
}

/** What stands behind a compaction besides its summary, as its transcript says. */
export interface CompactionKept {
  /** Of the records that stay in the context as they were. */
  uuids: string[];
  /** Files whose content the client put behind the summary by itself. */
  files: number;
}

/** Tokens of one API message. The same message may be sampled again: its last line counts. */
export interface UsageSampled {
  messageId: string;
  model?: string;
  inputTokens: number;
  outputTokens: number;
  cacheCreationTokens: number;
  cacheReadTokens: number;
  /** Set in a forked session on what the session that it was forked from has used. */
  copied?: true;
  trace?: Trace;
}
