import * as f from '../fields.ts';

/** A checkpoint's name: 16 hex digits; all events of one checkpoint share it. */
const checkpoint = f.name;
const level = f.oneOf('L1', 'L2', 'L3', 'C', 'manual');

const claim = f.object({
  /** As in the document: `[C7 …]`. */
  n: f.number,
  /** What it is about: `file`, `command`, `todo`, `decision`… */
  kind: f.name,
  /** Seen by a tool call, said by somebody, or derived from other events. */
  basis: f.oneOf('seen', 'said', 'derived'),
  /** The event that shows it. */
  seq: f.number,
  /** The path, command or words that it speaks of. */
  subject: f.words,
  /** What is claimed of the subject, in a form that can be derived again: an exit code, a state, a content's hash. */
  fact: f.words,
});

/** A checkpoint of the work: the work in progress, and the document for the next session. */
export const HANDOFF = {
  'checkpoint.begun': f.event('disk', 'A checkpoint of the work was begun.', {
    checkpoint,
    level,
    trigger: f.oneOf('alert', 'tool', 'turn-end', 'pre-compact', 'session-end', 'manual', 'loop'),
    percent: f.optional(f.number),
    epoch: f.name,
    /** As `session.started` names it. */
    worktree: f.words,
    issue: f.optional(f.words),
    /** The user wants no commit of the work in progress. */
    isWipOff: f.optional(f.flag),
    /** What the agent or the user gave along. */
    reason: f.optional(f.words),
    note: f.optional(f.text),
    nextSteps: f.optional(f.list(f.words)),
    rejected: f.optional(f.list(f.words)),
    summary: f.optional(f.text),
  }),
  'wip.committed': f.event('disk', 'The work in progress was committed.', {
    checkpoint,
    commit: f.name,
    tree: f.name,
    parent: f.optional(f.name),
    ref: f.words,
    mode: f.oneOf('branch', 'ref'),
    files: f.number,
    leftOut: f.list(f.object({ path: f.words, why: f.words })),
  }),
  'wip.undone': f.event('disk', 'A commit of work in progress was taken back.', {
    checkpoint,
    commit: f.name,
  }),
  'handoff.created': f.event('disk', 'A handoff document was written.', {
    checkpoint,
    /** Relative to the worktree. */
    file: f.words,
    /** Of the document, hex. */
    sha256: f.name,
    /** It knows everything up to this seq. */
    upto: f.number,
    /** The journal's chain there, hex. */
    chain: f.name,
    title: f.words,
    type: f.oneOf('change'),
    concepts: f.list(f.name),
    level,
    percent: f.optional(f.number),
    worktree: f.words,
    branch: f.optional(f.words),
    /** Of the document before it in the same session. */
    previous: f.optional(f.name),
    nextSteps: f.list(f.words),
    claims: f.list(claim),
    text: f.text,
  }),
  /** Belongs to the session that goes on from it. */
  'handoff.resumed': f.event('disk', 'A session went on from a handoff.', {
    /** Its checkpoint. */
    handoff: checkpoint,
    holds: f.number,
    changed: f.number,
  }),
};

type Data<T extends keyof typeof HANDOFF> = f.EventDataOf<(typeof HANDOFF)[T]>;
export type CheckpointBegun = Data<'checkpoint.begun'>;
export type WipCommitted = Data<'wip.committed'>;
export type WipUndone = Data<'wip.undone'>;
export type HandoffCreated = Data<'handoff.created'>;
export type HandoffResumed = Data<'handoff.resumed'>;
export type Claim = f.TypeOf<typeof claim>;
export type CheckpointLevel = f.TypeOf<typeof level>;
