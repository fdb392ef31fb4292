import * as f from '../fields.ts';

export const TOOL = {
  'tool.called': f.event('process', 'The model called a tool.', {
    toolUseId: f.name,
    name: f.words,
    input: f.anything,
    promptId: f.optional(f.name),
    trace: f.optional(f.trace),
  }),
  'tool.succeeded': f.event('process', 'A tool call succeeded.', {
    toolUseId: f.name,
    name: f.optional(f.words),
    /** The answer in the client's own structure; a reference for ben10's own tools. */
    response: f.optional(f.anything),
    durationMs: f.optional(f.number),
    trace: f.optional(f.trace),
  }),
  'tool.failed': f.event('process', 'A tool call failed, was denied or interrupted.', {
    toolUseId: f.name,
    name: f.optional(f.words),
    error: f.text,
    /** Of a shell command, if the error names it. */
    exitCode: f.optional(f.number),
    isInterrupt: f.optional(f.flag),
    durationMs: f.optional(f.number),
    trace: f.optional(f.trace),
  }),
};

export type ToolCalled = f.EventDataOf<(typeof TOOL)['tool.called']>;
export type ToolSucceeded = f.EventDataOf<(typeof TOOL)['tool.succeeded']>;
export type ToolFailed = f.EventDataOf<(typeof TOOL)['tool.failed']>;
