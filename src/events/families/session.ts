import { anything, type EventDataOf, event, optional, text, words } from '../fields.ts';

export const SESSION = {
  'session.started': event(
    'interval',
    'The client started, resumed, cleared, compacted or forked a session.',
    {
      /** startup, resume, clear, compact, fork. */
      source: words,
      cwd: optional(words),
      transcriptPath: optional(words),
      model: optional(words),
      /** Since version 2: the root of the git worktree, or of the project. */
      worktree: words,
    },
    // Version 1 knew no worktrees: the folder was the only one.
    (data) => ({ ...data, worktree: typeof data.cwd === 'string' ? data.cwd : '' }),
  ),
  'session.ended': event('disk', 'The client ended a session.', { reason: words }),
  'turn.ended': event('disk', 'The model stopped and waits for the user.', {
    lastMessage: optional(text),
    /** Set when a failure of the model's service ended the turn. */
    error: optional(words),
  }),
  'hook.received': event('process', 'A hook that has no event of its own, kept whole.', {
    event: words,
    payload: anything,
  }),
};

export type SessionStarted = EventDataOf<(typeof SESSION)['session.started']>;
export type TurnEnded = EventDataOf<(typeof SESSION)['turn.ended']>;
