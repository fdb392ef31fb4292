import * as f from '../fields.ts';

/** What stays in the context beside a compaction's summary. */
const compactionKept = f.object({
  /** Records that stay in the context as they were. */
  uuids: f.list(f.name),
  /** How many files the client read again after the summary. */
  files: f.number,
});

const quietUnlessSaid = f.quietIf(({ kind }) => kind === 'thinking' || kind === 'command');

export const CONVERSATION = {
  'prompt.submitted': f.event('interval', 'The user said something.', {
    text: f.text,
    promptId: f.optional(f.name),
    cwd: f.optional(f.words),
    /** The git branch at the time, which only transcripts name. */
    branch: f.optional(f.words),
    trace: f.optional(f.trace),
  }),
  'message.recorded': quietUnlessSaid(
    'process',
    "A text or thought of the model's, or a local command of the user's.",
    {
      role: f.oneOf('assistant', 'user'),
      /**
       * `text` and `thinking` are the model's; a user's `text` is a sub-agent's task. `command` is what the client
       * puts in the user's place: its own commands with their output, notifications of tasks.
       */
      kind: f.oneOf('text', 'thinking', 'command'),
      text: f.text,
      /** Of the API message that it is a part of. */
      messageId: f.optional(f.name),
      model: f.optional(f.words),
      trace: f.optional(f.trace),
    },
  ),
  'subagent.started': f.quiet('process', 'A sub-agent was started.', { agentType: f.words }),
  'subagent.stopped': f.event('interval', 'A sub-agent ended.', {
    agentType: f.words,
    lastMessage: f.optional(f.text),
    transcriptPath: f.optional(f.words),
  }),
  'compaction.started': f.quiet(
    'disk',
    'The client is about to replace the conversation by a summary.',
    {
      /** manual, auto. */
      trigger: f.words,
      customInstructions: f.optional(f.text),
    },
  ),
  'compaction.finished': f.event('disk', 'The client replaced the conversation by this summary.', {
    trigger: f.words,
    /** Empty when the source has none. */
    summary: f.text,
    promptId: f.optional(f.name),
    preTokens: f.optional(f.number),
    postTokens: f.optional(f.number),
    kept: f.optional(compactionKept),
    trace: f.optional(f.trace),
  }),
  /** A message may be sampled several times: the last one counts. */
  'usage.sampled': f.quiet('process', 'Tokens of one API message.', {
    messageId: f.name,
    model: f.optional(f.words),
    inputTokens: f.number,
    outputTokens: f.number,
    cacheCreationTokens: f.number,
    /** Those of them that are kept for an hour, which costs more than the usual five minutes. */
    cacheHourTokens: f.optional(f.number),
    cacheReadTokens: f.number,
    /** Set in a forked session for tokens that the original session used. */
    copied: f.optional(f.oneOf(true)),
    trace: f.optional(f.trace),
  }),
};

type Data<T extends keyof typeof CONVERSATION> = f.EventDataOf<(typeof CONVERSATION)[T]>;
export type PromptSubmitted = Data<'prompt.submitted'>;
export type MessageRecorded = Data<'message.recorded'>;
export type SubagentStopped = Data<'subagent.stopped'>;
export type CompactionStarted = Data<'compaction.started'>;
export type CompactionFinished = Data<'compaction.finished'>;
export type CompactionKept = f.TypeOf<typeof compactionKept>;
export type UsageSampled = Data<'usage.sampled'>;
