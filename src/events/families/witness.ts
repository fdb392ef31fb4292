import * as f from '../fields.ts';

/** The prompt in work where a reading ended; the next reading goes on counting. */
const runningPrompt = f.object({
  promptId: f.name,
  /** How many prompts and compactions with this id have been read. */
  prompts: f.number,
  compactions: f.number,
});

export const WITNESS = {
  'transcript.read': f.quiet(
    'process',
    'A transcript was read up to here; the cursor of reconciliation.',
    {
      path: f.words,
      /** Bytes. */
      from: f.number,
      to: f.number,
      /** XXH64 of up to 256 bytes before `to`, hex: tells a replaced file from one that grew. */
      tail: f.name,
      records: f.number,
      /** Lines that are not JSON objects. */
      malformed: f.number,
      /** Unknown record types, with their counts. */
      unknown: f.record(f.number),
      /** Set if the file goes on after `to`. */
      partial: f.optional(f.oneOf(true)),
      /** Set if the journal may hold facts from after `to`, read from another copy of the transcript. */
      overlapping: f.optional(f.oneOf(true)),
      /** The latest time up to `to`, milliseconds. */
      latest: f.optional(f.number),
      running: f.optional(runningPrompt),
    },
  ),
  'fact.enriched': f.quiet('process', 'A second source knows more about a recorded fact.', {
    /** The fact's id, hex. */
    of: f.name,
    /** The fact's type: says which projections fold it. */
    type: f.name,
    trace: f.optional(f.trace),
    /** Fields that the later source knows better. */
    more: f.optional(f.record(f.anything)),
  }),
};

export type TranscriptRead = f.EventDataOf<(typeof WITNESS)['transcript.read']>;
export type FactEnriched = f.EventDataOf<(typeof WITNESS)['fact.enriched']>;
export type RunningPrompt = f.TypeOf<typeof runningPrompt>;
