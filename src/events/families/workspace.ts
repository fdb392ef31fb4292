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
/** Something outside that can change between looks: a repository, container, device, listening server or tool. */
const thing = object({
  kind: words,
  name: words,
  /** What counts as a change: the branch, `running`, the version. */
  state: words,
  /** Shown beside the state; changes all the time. */
  detail: optional(words),
  /** It was there at the last look, and its program does not answer now: kept as it was. */
  unseen: optional(oneOf(true)),
});
/** Relative to the project, `.` for its own folder; absolute outside of it. */
const worktree = words;

export const WORKSPACE = {
  /** An absent field keeps its earlier value. */
  'work.saved': event('disk', 'What somebody is at was saved: task, files, notes, todos.', {
    worktree,
    /** What caused the save: `manual`, `pre-compact`. */
    trigger: words,
    taskSummary: optional(words),
    workingFiles: optional(list(words)),
    notes: optional(words),
    todos: optional(list(todo)),
  }),
  /** Kinds that were not examined, or not in time, are left out. */
  'environment.observed': event(
    'process',
    'What is around the project: branches, containers, devices, servers, versions of tools.',
    {
      worktree,
      /** Kinds that were examined: what is missing from `things` is gone, except for kinds in `cut`. */
      kinds: list(words),
      things: list(thing),
      /** By kind, the settings of the look: differences after a change of settings are no changes. */
      asked: optional(record(words)),
      /** Kinds with more things than listed; everything that was listed and running before is listed. */
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
