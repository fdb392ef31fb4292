import {
  anything,
  type EventDataOf,
  event,
  list,
  name,
  nullable,
  number,
  object,
  oneOf,
  optional,
  pair,
  text,
  words,
} from '../fields.ts';

export const ERASURE = {
  /** Readers return it in place of the tombstone, with the tombstone's id and seq. */
  'event.superseded': event(
    'disk',
    'What stands for an erased event from now on: the same without what had to go.',
    {
      /** Of the tombstone. */
      seq: number,
      /** The original envelope, its data without what was erased. */
      event: object({
        type: words,
        version: number,
        session: nullable(words),
        agent: nullable(words),
        client: nullable(words),
        source: words,
        at: nullable(number),
        data: anything,
      }),
    },
  ),
  /** Which events are erased, never what was in them. */
  'erasure.requested': event(
    'disk',
    'These events are to be erased: from here on whoever comes by finishes it.',
    {
      /** How they were found. */
      by: oneOf('event', 'pattern', 'rule', 'age'),
      /** The redaction rule, where `by` is `rule`. */
      rule: optional(words),
      /** Seqs, ascending. */
      targets: list(number),
      /** With `by: age`: everything up to this seq goes too, except `kept`. */
      upto: optional(number),
      kept: optional(list(number)),
      /** First and last seq of the `journal.based` events that replace it. */
      bases: optional(list(number)),
      /** Origin of the seqs, 32 hex digits; the journal's own by default. */
      origin: optional(name),
    },
  ),
  'erasure.done': event('disk', 'Nothing of the requested events is left that ben10 can reach.', {
    /** Seq of the request. */
    request: number,
    /** Tombstones made, segments rewritten and blobs removed by the process that finished it. */
    events: number,
    segments: number,
    blobs: number,
  }),
  'journal.based': event(
    'disk',
    'What was known of events that were dropped, for all that is folded from here on.',
    {
      projection: name,
      /** Of the projection. */
      version: number,
      /** The state covers everything up to this seq. */
      upto: number,
      /** JSON. */
      state: text,
      /** Which of the events up to there are in the state, as in a stored state. */
      frontier: object({
        seq: number,
        folded: list(number),
        place: nullable(
          object({ time: number, rank: oneOf(0, 1), thread: words, position: number }),
        ),
        reached: list(pair(words, number)),
        recent: list(name),
      }),
    },
  ),
};

export type EventSuperseded = EventDataOf<(typeof ERASURE)['event.superseded']>;
export type ErasureRequested = EventDataOf<(typeof ERASURE)['erasure.requested']>;
export type JournalBased = EventDataOf<(typeof ERASURE)['journal.based']>;
