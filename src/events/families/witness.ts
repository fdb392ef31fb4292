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

/** The prompt that was being worked on where a reading ended; a later reading goes on counting. */
const runningPrompt = object({
  promptId: name,
  /** How many prompts and compactions with this id were read so far. */
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
      /** XXH64 of the up to 256 bytes before `to`, hex: tells a replaced file from a grown one. */
      tail: name,
      records: number,
      /** Lines that are not JSON objects. */
      malformed: number,
      /** Record types that this version does not know, with their counts. */
      unknown: record(number),
      /** Set when the file went on behind `to`. */
      partial: optional(oneOf(true)),
      /** Set when the journal may have facts from behind `to`: it may have read another copy of the transcript further. */
      overlapping: optional(oneOf(true)),
      /** The latest time in it up to `to`, milliseconds. */
      latest: optional(number),
      running: optional(runningPrompt),
    },
  ),
  'fact.enriched': event('process', 'A second witness knows more about a recorded fact.', {
    /** The fact's id, hex. */
    of: name,
    /** The fact's type: tells what folds it. */
    type: name,
    trace: optional(trace),
    /** Fields of the fact's data that the later witness knows better. */
    more: optional(record(anything)),
  }),
};

export type TranscriptRead = EventDataOf<(typeof WITNESS)['transcript.read']>;
export type FactEnriched = EventDataOf<(typeof WITNESS)['fact.enriched']>;
export type RunningPrompt = TypeOf<typeof runningPrompt>;
