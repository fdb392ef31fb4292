import type { Text, Trace } from './common-types.ts';

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
  error: Text;
  /** Of a shell command, when the error says it. */
  exitCode?: number;
  isInterrupt?: boolean;
  durationMs?: number;
  trace?: Trace;
}
