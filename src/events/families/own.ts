import * as f from '../fields.ts';
import { metrics } from './snapshot.ts';

/** What ben10 did for the model or a person. */
export const OWN = {
  'recall.injected': f.quietIf(({ chars }) => chars === 0)(
    'interval',
    'ben10 gave these items to the model. Stored by reference: they are no new evidence.',
    {
      /** The hook that carried it. */
      event: f.words,
      source: f.words,
      chars: f.number,
      items: f.list(f.object({ kind: f.name, seq: f.number, key: f.name })),
    },
  ),
  'hook.slow': f.event('process', 'A hook took over a second, or stopped before it was done.', {
    /** The hook. */
    event: f.words,
    /** From the start of its process. */
    ms: f.number,
    /** What it left undone, and why. */
    undone: f.optional(f.words),
  }),
  'context.saved': f.event('disk', 'A state was saved under a name.', {
    name: f.words,
    /** The state covers everything up to this seq. */
    upto: f.number,
    file: f.name,
    /** What the state holds; absent in earlier versions. */
    holds: f.optional(metrics),
  }),
  'save.deleted': f.event('disk', 'All saves of a name so far were deleted.', {
    name: f.words,
    /** The events that recorded them. */
    saves: f.list(f.number),
  }),
  'context.restored': f.event('interval', 'A state was rendered for the model or a person.', {
    point: f.words,
    mode: f.words,
    chars: f.number,
    /** The newest event of the given state; absent in earlier versions. */
    upto: f.optional(f.number),
  }),
  'context.cleared': f.event(
    'disk',
    'The session’s context was emptied; the journal keeps what came before.',
    {
      /** The state before it covers everything up to this seq. */
      upto: f.number,
    },
  ),
  'context.merged': f.event('disk', 'Which version counts for files changed outside the agent.', {
    strategy: f.oneOf('journal', 'disk', 'newest'),
    files: f.list(
      f.object({
        path: f.words,
        /** Which version counts from now on. */
        believed: f.oneOf('journal', 'disk'),
        /**
         * Hash of the content on disk, hex: of text as the files projection computes it, else SHA-256. Absent if
         * there is no file.
         */
        hash: f.optional(f.name),
        /** Size of what was hashed. */
        bytes: f.optional(f.number),
        /** The file's new path, if it was moved and the disk counts. */
        movedTo: f.optional(f.words),
      }),
    ),
  }),
  'checkpoint.created': f.event('disk', 'A checkpoint was asked for by hand.', {
    upto: f.number,
    projections: f.list(f.name),
  }),
  'preference.retracted': f.event('disk', 'A preference was retracted that had been misread.', {
    /** The preference's name in the projection. */
    key: f.words,
    /** Its text, by which other sessions know it; absent in earlier versions. */
    text: f.optional(f.words),
  }),
};

type Data<T extends keyof typeof OWN> = f.EventDataOf<(typeof OWN)[T]>;
export type RecallInjected = Data<'recall.injected'>;
export type HookSlow = Data<'hook.slow'>;
export type ContextSaved = Data<'context.saved'>;
export type SaveDeleted = Data<'save.deleted'>;
export type ContextRestored = Data<'context.restored'>;
export type ContextCleared = Data<'context.cleared'>;
export type ContextMerged = Data<'context.merged'>;
export type CheckpointCreated = Data<'checkpoint.created'>;
export type PreferenceRetracted = Data<'preference.retracted'>;
