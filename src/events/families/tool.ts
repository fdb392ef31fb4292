import {
  anything,
  type EventDataOf,
  event,
  flag,
  name,
  number,
  optional,
  text,
  trace,
  words,
} from '../fields.ts';

export const TOOL = {
  'tool.called': event('process', 'The model called a tool.', {
    toolUseId: name,
    name: words,
    input: anything,
    promptId: optional(name),
    trace: optional(trace),
  }),
  'tool.succeeded': event('process', 'A tool call came back.', {
    toolUseId: name,
    name: optional(words),
    /** The answer in the client's own structure; a reference for ben10's own tools. */
    response: optional(anything),
    durationMs: optional(number),
    trace: optional(trace),
  }),
  'tool.failed': event('process', 'A tool call failed, was denied or interrupted.', {
    toolUseId: name,
    name: optional(words),
    error: text,
    /** Of a shell command, if the error names it. */
    exitCode: optional(number),
    isInterrupt: optional(flag),
    durationMs: optional(number),
    trace: optional(trace),
  }),
};

export type ToolCalled = EventDataOf<(typeof TOOL)['tool.called']>;
export type ToolSucceeded = EventDataOf<(typeof TOOL)['tool.succeeded']>;
export type ToolFailed = EventDataOf<(typeof TOOL)['tool.failed']>;
