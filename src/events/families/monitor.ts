import * as f from '../fields.ts';

const level = f.oneOf('L0', 'L1', 'L2', 'L3');
/** 0 to 100 and above: a client may count past its own window. */
const percent = f.number;
/** The id of the last compaction's event and the count of rewinds, or `start`: what a level is said once in. */
const epoch = f.name;
const limit = f.object({ percent: f.number, resetsAt: f.optional(f.number) });

/** How full the agent's context is, and what was said of it. */
export const MONITOR = {
  'context.sampled': f.quiet(
    'process',
    'How full the context is, as the client or its transcript says.',
    {
      tokens: f.optional(f.number),
      window: f.number,
      windowFrom: f.oneOf('client', 'setting', 'model', 'observed', 'assumed'),
      percent,
      via: f.oneOf('statusline', 'transcript', 'hook'),
      model: f.optional(f.words),
      costUsd: f.optional(f.number),
      /** What is used of the account's limits; times in seconds since the epoch, as the client gives them. */
      limits: f.optional(f.object({ fiveHour: f.optional(limit), sevenDay: f.optional(limit) })),
    },
  ),
  'context.level-changed': f.event('interval', 'The context came into another level.', {
    from: level,
    to: level,
    percent,
    tokens: f.number,
    window: f.number,
    epoch,
    /** The thresholds at that time, in percent. */
    l1: f.number,
    l2: f.number,
    l3: f.number,
    /** Set if a known compaction point brought the thresholds forward. */
    forwardedBy: f.optional(f.oneOf('compaction')),
  }),
  /** The text is not stored: it is no evidence. */
  'context.alerted': f.event(
    'interval',
    'The model or the user was told how full the context is.',
    {
      level,
      epoch,
      /** The hook that carried it. */
      event: f.words,
      to: f.oneOf('model', 'user'),
      chars: f.number,
      /** What the user is told once a session, by name; else it is the level. */
      hint: f.optional(f.name),
    },
  ),
  'context.compacting': f.quiet('interval', "The client's settings of compaction.", {
    /** It compacts only when asked to. */
    isOff: f.optional(f.oneOf(true)),
    /** Tokens that it takes for its window. */
    window: f.optional(f.number),
    /** Of that window. */
    percent: f.optional(f.number),
  }),
  'checkpoint.deferred': f.event('disk', 'A due checkpoint was put off.', {
    level,
    epoch,
    /** The percent up to which it waits. */
    until: f.number,
  }),
  'task.estimated': f.event('interval', 'The size of a task was estimated.', {
    /** Names the task within its session or file; never its words. */
    key: f.name,
    subject: f.words,
    tokens: f.number,
    low: f.number,
    high: f.number,
    window: f.number,
    /** What it was estimated from, by name. */
    features: f.record(f.number),
  }),
  'shards.planned': f.event('disk', 'A task was cut into shards.', {
    /** 16 hex digits. */
    plan: f.name,
    /** The file, relative to the project. */
    source: f.words,
    /** Of the file, hex. */
    sha256: f.name,
    /** Whose sub-issues they become. */
    issue: f.optional(f.words),
    shards: f.list(f.object({ title: f.words, items: f.list(f.words), tokens: f.number })),
  }),
};

type Data<T extends keyof typeof MONITOR> = f.EventDataOf<(typeof MONITOR)[T]>;
export type ContextSampled = Data<'context.sampled'>;
export type ContextLevelChanged = Data<'context.level-changed'>;
export type ContextCompacting = Data<'context.compacting'>;
export type ContextAlerted = Data<'context.alerted'>;
export type CheckpointDeferred = Data<'checkpoint.deferred'>;
export type TaskEstimated = Data<'task.estimated'>;
export type ShardsPlanned = Data<'shards.planned'>;
export type Level = f.TypeOf<typeof level>;
