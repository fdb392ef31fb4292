import {
  type EventDataOf,
  event,
  list,
  name,
  number,
  object,
  oneOf,
  optional,
  type TypeOf,
  text,
  trace,
  words,
} from '../fields.ts';

/** What stays in the context beside a compaction's summary. */
const compactionKept = object({
  /** Records that stay in the context as they were. */
  uuids: list(name),
  /** How many files the client read again after the summary. */
  files: number,
});

export const CONVERSATION = {
  'prompt.submitted': event('interval', 'The user said something.', {
    text,
    promptId: optional(name),
    cwd: optional(words),
    trace: optional(trace),
  }),
  'message.recorded': event(
    'process',
    "A text or thought of the model's, or a local command of the user's.",
    {
      role: oneOf('assistant', 'user'),
      /**
       * `text` and `thinking` are the model's; a user's `text` is a sub-agent's task. `command` is what the client
       * puts in the user's place: its own commands with their output, notifications of tasks.
       */
      kind: oneOf('text', 'thinking', 'command'),
      text,
      /** Of the API message that it is a part of. */
      messageId: optional(name),
      model: optional(words),
      trace: optional(trace),
    },
  ),
  'subagent.started': event('process', 'A sub-agent was started.', { agentType: words }),
  'subagent.stopped': event('interval', 'A sub-agent came to its end.', {
    agentType: words,
    lastMessage: optional(text),
    transcriptPath: optional(words),
  }),
  'compaction.started': event(
    'disk',
    'The client is about to replace the conversation by a summary.',
    {
      /** manual, auto. */
      trigger: words,
      customInstructions: optional(text),
    },
  ),
  'compaction.finished': event('disk', 'The client replaced the conversation by this summary.', {
    trigger: words,
    /** Empty when the source has none. */
    summary: text,
    promptId: optional(name),
    preTokens: optional(number),
    postTokens: optional(number),
    kept: optional(compactionKept),
    trace: optional(trace),
  }),
  /** A message may be sampled several times: the last one counts. */
  'usage.sampled': event('process', 'Tokens of one API message.', {
    messageId: name,
    model: optional(words),
    inputTokens: number,
    outputTokens: number,
    cacheCreationTokens: number,
    cacheReadTokens: number,
    /** Set in a forked session for tokens that the original session used. */
    copied: optional(oneOf(true)),
    trace: optional(trace),
  }),
};

type Data<T extends keyof typeof CONVERSATION> = EventDataOf<(typeof CONVERSATION)[T]>;
export type PromptSubmitted = Data<'prompt.submitted'>;
export type MessageRecorded = Data<'message.recorded'>;
export type SubagentStopped = Data<'subagent.stopped'>;
export type CompactionStarted = Data<'compaction.started'>;
export type CompactionFinished = Data<'compaction.finished'>;
export type CompactionKept = TypeOf<typeof compactionKept>;
export type UsageSampled = Data<'usage.sampled'>;
