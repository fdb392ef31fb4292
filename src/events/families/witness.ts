import {
  anything,
  type EventDataOf,
  event,
  name,
  number,
  object,
  oneOf,
  optional,
  record,
  type TypeOf,
  trace,
  words,
} from '../fields.ts';

/** The prompt in work where a reading ended; the next reading goes on counting. */
const runningPrompt = object({
  promptId: name,
  /** How many prompts and compactions with this id have been read. */
  prompts: number,
  compactions: number,
});

export const WITNESS = {
  'transcript.read': event(
    'process',
    'A transcript was read up to here; the cursor of reconciliation.',
    {
      path: words,
      /** Bytes. */
      from: number,
      to: number,
      /** XXH64 of up to 256 bytes before `to`, hex: tells a replaced file from one that grew. */
      tail: name,
      records: number,
      /** Lines that are not JSON objects. */
      malformed: number,
      /** Unknown record types, with their counts. */
      unknown: record(number),
      /** Set if the file goes on after `to`. */
      partial: optional(oneOf(true)),
      /** Set if the journal may hold facts from after `to`, read from another copy of the transcript. */
      overlapping: optional(oneOf(true)),
      /** The latest time up to `to`, milliseconds. */
      latest: optional(number),
      running: optional(runningPrompt),
    },
  ),
  'fact.enriched': event('process', 'A second witness knows more about a recorded fact.', {
    /** The fact's id, hex. */
    of: name,
    /** The fact's type: says which projections fold it. */
    type: name,
    trace: optional(trace),
    /** Fields that the later source knows better. */
    more: optional(record(anything)),
  }),
};

export type TranscriptRead = EventDataOf<(typeof WITNESS)['transcript.read']>;
export type FactEnriched = EventDataOf<(typeof WITNESS)['fact.enriched']>;
export type RunningPrompt = TypeOf<typeof runningPrompt>;
