import * as f from '../fields.ts';

/** What an issue tracker was told of checkpoints and plans, and what it said. */
export const TRACKER = {
  'tracker.seen': f.quiet('interval', 'The tracker said how an issue stands.', {
    issue: f.words,
    title: f.words,
    state: f.words,
  }),
  'tracker.delivered': f.event('disk', 'The tracker was told of a checkpoint or a plan.', {
    checkpoint: f.optional(f.name),
    plan: f.optional(f.name),
    issue: f.words,
    /** `comment`, `issue` (its state and label), `attachment`, `shard:2`, `checklist:110`. */
    what: f.name,
    /** The tracker's own name of what was made. */
    remoteId: f.optional(f.name),
  }),
  'tracker.failed': f.event('disk', 'The tracker could not be told.', {
    /** Only this issue; else nothing reaches the tracker. */
    issue: f.optional(f.words),
    code: f.name,
    attempt: f.number,
    /** When it is tried again, milliseconds since the epoch. */
    retryAt: f.number,
  }),
};

type Data<T extends keyof typeof TRACKER> = f.EventDataOf<(typeof TRACKER)[T]>;
export type TrackerSeen = Data<'tracker.seen'>;
export type TrackerDelivered = Data<'tracker.delivered'>;
export type TrackerFailed = Data<'tracker.failed'>;
