import {
  type EventDataOf,
  event,
  list,
  name,
  number,
  object,
  oneOf,
  optional,
  words,
} from '../fields.ts';

/** What ben10 did for the model or a person. */
export const OWN = {
  'recall.injected': event(
    'interval',
    'ben10 gave these items back to the model. By reference: it is no evidence of anything.',
    {
      /** The hook that carried it. */
      event: words,
      source: words,
      chars: number,
      items: list(object({ kind: name, seq: number, key: name })),
    },
  ),
  'context.saved': event('disk', 'A state was saved under a name.', {
    name: words,
    /** The state covers everything up to this seq. */
    upto: number,
    file: name,
  }),
  'context.restored': event('interval', 'A state was rendered for the model or a person.', {
    point: words,
    mode: words,
    chars: number,
    /** The newest event of the given state; absent in earlier versions. */
    upto: optional(number),
  }),
  'context.cleared': event(
    'disk',
    'From here on the session’s context is empty; what was before stays in the journal.',
    {
      /** The state before it covers everything up to this seq. */
      upto: number,
    },
  ),
  'context.merged': event(
    'disk',
    'What a state believes of files that were changed from outside.',
    {
      strategy: oneOf('journal', 'disk', 'newest'),
      files: list(
        object({
          path: words,
          /** Which version counts from now on. */
          believed: oneOf('journal', 'disk'),
          /**
           * Hash of the content on disk, hex: of text as the files projection computes it, else SHA-256. Absent if
           * there is no file.
           */
          hash: optional(name),
          /** Size of what was hashed. */
          bytes: optional(number),
          /** The file's new path, if it was moved and the disk counts. */
          movedTo: optional(words),
        }),
      ),
    },
  ),
  'checkpoint.created': event('disk', 'A checkpoint was asked for by hand.', {
    upto: number,
    projections: list(name),
  }),
  'preference.retracted': event(
    'disk',
    'Something that was taken for a preference of the user’s is none.',
    {
      /** The preference's name in the projection. */
      key: words,
      /** Its text, by which other sessions know it; absent in earlier versions. */
      text: optional(words),
    },
  ),
};

type Data<T extends keyof typeof OWN> = EventDataOf<(typeof OWN)[T]>;
export type RecallInjected = Data<'recall.injected'>;
export type ContextSaved = Data<'context.saved'>;
export type ContextRestored = Data<'context.restored'>;
export type ContextCleared = Data<'context.cleared'>;
export type ContextMerged = Data<'context.merged'>;
export type CheckpointCreated = Data<'checkpoint.created'>;
export type PreferenceRetracted = Data<'preference.retracted'>;
