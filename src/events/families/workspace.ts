import * as f from '../fields.ts';

const todo = f.object({
  content: f.words,
  status: f.oneOf('pending', 'in_progress', 'completed'),
});
/** Something outside that can change between looks: a repository, container, device, listening server or tool. */
const thing = f.object({
  kind: f.words,
  name: f.words,
  /** What counts as a change: the branch, `running`, the version. */
  state: f.words,
  /** Shown beside the state; changes all the time. */
  detail: f.optional(f.words),
  /** It was there at the last look, and its program does not answer now: kept as it was. */
  unseen: f.optional(f.oneOf(true)),
});
/** Relative to the project, `.` for its own folder; absolute outside of it. */
const worktree = f.words;

export const WORKSPACE = {
  /** An absent field keeps its earlier value. */
  'work.saved': f.event('disk', 'The state of the work was saved: task, files, notes, todos.', {
    worktree,
    /** What caused the save: `manual`, `pre-compact`. */
    trigger: f.words,
    taskSummary: f.optional(f.words),
    workingFiles: f.optional(f.list(f.words)),
    notes: f.optional(f.words),
    todos: f.optional(f.list(todo)),
  }),
  /** Kinds that were not examined, or not in time, are left out. */
  'environment.observed': f.quiet(
    'process',
    'What is around the project: branches, containers, devices, servers, versions of tools.',
    {
      worktree,
      /** Kinds that were examined: what is missing from `things` is gone, except for kinds in `cut`. */
      kinds: f.list(f.words),
      things: f.list(thing),
      /** By kind, the settings of the look: differences after a change of settings are no changes. */
      asked: f.optional(f.record(f.words)),
      /** Kinds with more things than listed; everything that was listed and running before is listed. */
      cut: f.optional(f.list(f.words)),
    },
  ),
  'environment.told': f.quiet(
    'process',
    'Changes around the project were reported to the model. Stored by reference.',
    { worktree, upto: f.number, chars: f.number },
  ),
};

export type WorkSaved = f.EventDataOf<(typeof WORKSPACE)['work.saved']>;
export type EnvironmentObserved = f.EventDataOf<(typeof WORKSPACE)['environment.observed']>;
export type EnvironmentTold = f.EventDataOf<(typeof WORKSPACE)['environment.told']>;
export type Todo = f.TypeOf<typeof todo>;
export type EnvironmentThing = f.TypeOf<typeof thing>;
