import {
  type EventDataOf,
  event,
  list,
  number,
  object,
  oneOf,
  optional,
  record,
  type TypeOf,
  words,
} from '../fields.ts';

const todo = object({
  content: words,
  status: oneOf('pending', 'in_progress', 'completed'),
});
/** A repository, a container, a device, a server that listens, a tool: something outside that can be another at the next look. */
const thing = object({
  kind: words,
  name: words,
  /** What counts as a change when it is another: the branch, `running`, the version. */
  state: words,
  /** What is told beside it, and changes all the time. */
  detail: optional(words),
  /** It was there at the look before, and who could tell of it does not answer now: it is as it was then. */
  unseen: optional(oneOf(true)),
});
/** Relative to the project, `.` for its own folder; absolute outside of it. */
const worktree = words;

export const WORKSPACE = {
  /** A field that is absent leaves what was said before. */
  'work.saved': event('disk', 'What somebody is at was saved: task, files, notes, todos.', {
    worktree,
    /** What made it be saved: `manual`, `pre-compact`. */
    trigger: words,
    taskSummary: optional(words),
    workingFiles: optional(list(words)),
    notes: optional(words),
    todos: optional(list(todo)),
  }),
  /** Kinds that were not looked at, or not in time, are not named. */
  'environment.observed': event(
    'process',
    'What is around the project: branches, containers, devices, servers, versions of tools.',
    {
      worktree,
      /** The kinds that were looked at: what of them is not in `things` is not there, but for those in `cut`. */
      kinds: list(words),
      things: list(thing),
      /** By kind, which settings say how it is looked at: where they are others than before, nothing has changed by that. */
      asked: optional(record(words)),
      /** Kinds of which there is more than is listed; all that was listed before and ran, and is there, is listed. */
      cut: optional(list(words)),
    },
  ),
  'environment.told': event(
    'process',
    'Changes around the project were mentioned to the model. By reference.',
    { worktree, upto: number, chars: number },
  ),
};

export type WorkSaved = EventDataOf<(typeof WORKSPACE)['work.saved']>;
export type EnvironmentObserved = EventDataOf<(typeof WORKSPACE)['environment.observed']>;
export type EnvironmentTold = EventDataOf<(typeof WORKSPACE)['environment.told']>;
export type Todo = TypeOf<typeof todo>;
export type EnvironmentThing = TypeOf<typeof thing>;
