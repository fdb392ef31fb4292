export interface Todo {
  content: string;
  status: 'pending' | 'in_progress' | 'completed';
}

/** What somebody is at, for whoever goes on with it. A field that is absent leaves what was said before. */
export interface WorkSaved {
  /** Relative to the project, `.` for its own folder; absolute outside of it. */
  worktree: string;
  /** What made it be saved: `manual`, `pre-compact`. */
  trigger: string;
  taskSummary?: string;
  workingFiles?: string[];
  notes?: string;
  todos?: Todo[];
}

/** A repository, a container, a device, a server that listens, a tool: something outside that can be another at the next look. */
export interface EnvironmentThing {
  kind: string;
  name: string;
  /** What counts as a change when it is another: the branch, `running`, the version. */
  state: string;
  /** What is told beside it, and changes all the time. */
  detail?: string;
  /** It was there at the look before, and who could tell of it does not answer now: it is as it was then. */
  unseen?: true;
}

/** What was found around the project. Kinds that were not looked at, or not in time, are not named. */
export interface EnvironmentObserved {
  /** As in `WorkSaved`. */
  worktree: string;
  /** The kinds that were looked at: what of them is not in `things` is not there, but for those in `cut`. */
  kinds: string[];
  things: EnvironmentThing[];
  /** By kind, which settings say how it is looked at: where they are others than before, nothing has changed by that. */
  asked?: Record<string, string>;
  /** Kinds of which there is more than is listed; all that was listed before and ran, and is there, is listed. */
  cut?: string[];
}

/** The changes up to here were mentioned to this session; by reference, so that it is no evidence of anything. */
export interface EnvironmentTold {
  worktree: string;
  upto: number;
  chars: number;
}
