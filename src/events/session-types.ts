import type { Text } from './common-types.ts';

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

export interface TurnEnded {
  lastMessage?: Text;
  /** Set when a failure of the model's service ended it. */
  error?: string;
}

/** A hook that this version has no event for, whole. */
export interface HookReceived {
  event: string;
  payload: unknown;
}
