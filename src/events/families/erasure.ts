import * as f from '../fields.ts';

export const ERASURE = {
  /** Readers return it in place of the tombstone, with the tombstone's id and seq. */
  'event.superseded': f.quiet(
    'disk',
    'Replaces an erased event: the same event without what was erased.',
    {
      /** Of the tombstone. */
      seq: f.number,
      /** The original envelope, its data without what was erased. */
      event: f.object({
        type: f.words,
        version: f.number,
        session: f.nullable(f.words),
        agent: f.nullable(f.words),
        client: f.nullable(f.words),
        source: f.words,
        at: f.nullable(f.number),
        data: f.anything,
      }),
    },
  ),
  /** Which events are erased, never what was in them. */
  'erasure.requested': f.event(
    'disk',
    'A request to erase these events; any later process completes it.',
    {
      /** How they were found. */
      by: f.oneOf('event', 'pattern', 'rule', 'age'),
      /** The redaction rule, where `by` is `rule`. */
      rule: f.optional(f.words),
      /** Seqs, ascending. */
      targets: f.list(f.number),
      /** With `by: age`: everything up to this seq goes too, except `kept`. */
      upto: f.optional(f.number),
      kept: f.optional(f.list(f.number)),
      /** First and last seq of the `journal.based` events that replace it. */
      bases: f.optional(f.list(f.number)),
      /** Origin of the seqs, 32 hex digits; the journal's own by default. */
      origin: f.optional(f.name),
    },
  ),
  'erasure.done': f.event(
    'disk',
    'The requested events are erased everywhere that ben10 can reach.',
    {
      /** Seq of the request. */
      request: f.number,
      /** Tombstones made, segments rewritten and blobs removed by the process that finished it. */
      events: f.number,
      segments: f.number,
      blobs: f.number,
    },
  ),
  'journal.based': f.quiet(
    'disk',
    'The state of dropped events, on which later states are folded.',
    {
      projection: f.name,
      /** Of the projection. */
      version: f.number,
      /** The state covers everything up to this seq. */
      upto: f.number,
      /** JSON. */
      state: f.text,
      /** Which of the events up to there are in the state, as in a stored state. */
      frontier: f.object({
        seq: f.number,
        folded: f.list(f.number),
        place: f.nullable(
          f.object({ time: f.number, rank: f.oneOf(0, 1), thread: f.words, position: f.number }),
        ),
        reached: f.list(f.pair(f.words, f.number)),
        recent: f.list(f.name),
      }),
    },
  ),
};

export type EventSuperseded = f.EventDataOf<(typeof ERASURE)['event.superseded']>;
export type ErasureRequested = f.EventDataOf<(typeof ERASURE)['erasure.requested']>;
export type JournalBased = f.EventDataOf<(typeof ERASURE)['journal.based']>;
