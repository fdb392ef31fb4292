import * as f from '../fields.ts';

export const SESSION = {
  'session.started': f.event(
    'interval',
    'The client started, resumed, cleared, compacted or forked a session.',
    {
      /** startup, resume, clear, compact, fork. */
      source: f.words,
      cwd: f.optional(f.words),
      transcriptPath: f.optional(f.words),
      model: f.optional(f.words),
      /** Since version 2: the root of the git worktree, or of the project. */
      worktree: f.words,
    },
    // Version 1 knew no worktrees: the folder was the only one.
    (data) => ({ ...data, worktree: typeof data.cwd === 'string' ? data.cwd : '' }),
  ),
  'session.ended': f.event('disk', 'The client ended a session.', { reason: f.words }),
  'turn.ended': f.event('disk', 'The model stopped and waits for the user.', {
    lastMessage: f.optional(f.text),
    /** Set when a failure of the model's service ended the turn. */
    error: f.optional(f.words),
  }),
  'hook.received': f.quiet('process', 'A hook without an event of its own, stored as it came.', {
    event: f.words,
    payload: f.anything,
  }),
};

export type SessionStarted = f.EventDataOf<(typeof SESSION)['session.started']>;
export type TurnEnded = f.EventDataOf<(typeof SESSION)['turn.ended']>;
