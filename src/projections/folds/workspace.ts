import type { EnvironmentObserved, EnvironmentThing, Todo, WorkSaved } from '../../events/types.ts';
import { dropOldest, fieldOf, headOf, keepNewest, keepNewestWithin, keyOf } from '../bounds.ts';
import { type Fact, foldedBy, type Projection } from '../contract.ts';

/** What somebody said that they are working on. */
export interface WorkState {
  /** Null until stated; a save without one keeps it. */
  taskSummary: string | null;
  workingFiles: string[];
  notes: string | null;
  todos: Todo[];
  trigger: string;
  at: number;
  seq: number;
  /** When the task was last stated, and its event; 0 when never. */
  saidAt: number;
  saidSeq: number;
}

/** A thing in the environment appeared, changed or disappeared. */
export interface EnvironmentChange {
  kind: string;
  name: string;
  /** Null when it did not exist. */
  from: string | null;
  to: string | null;
  at: number;
  seq: number;
}

export interface WorktreeState {
  work: WorkState | null;
  things: EnvironmentThing[];
  /** Kinds that were looked at before: a first look is no change. */
  kinds: string[];
  /** Settings, and cut lists, of the newest look at each kind; older events have none. */
  asked?: Record<string, string>;
  cut?: string[];
  changes: EnvironmentChange[];
  /** Of the last look with news; 0 before the first. */
  seq: number;
  at: number;
}

export interface WorkspaceState {
  /** By worktree, as in the events; the last active is last. */
  worktrees: Record<string, WorktreeState>;
  /** By session: the last change that was mentioned to it, or that preceded it. */
  told: Record<string, number>;
}

const WORKTREES_MAX = 12;
const WORKTREE_CHARS = 1000;
const SESSIONS_MAX = 200;
const SESSION_CHARS = 200;
const KINDS_MAX = 20;
const KIND_CHARS = 40;
const THINGS_MAX = 120;
export const NAME_CHARS = 80;
export const STATE_CHARS = 80;
export const DETAIL_CHARS = 120;
const CHANGES_MAX = 60;
export const TASK_CHARS = 2000;
export const NOTES_CHARS = 4000;
export const FILES_MAX = 50;
const FILES_CHARS_MAX = 10_000;
const FILE_CHARS = 1000;
export const TODOS_MAX = 50;
export const TODO_CHARS = 200;

/** The state of the work and its environment, by worktree of the project. */
export const workspace: Projection<WorkspaceState> = {
  name: 'workspace',
  version: 1,
  scope: 'project',
  initial: () => ({ worktrees: {}, told: {} }),
  ...foldedBy<WorkspaceState>({
    'work.saved': saved,
    'environment.observed': observed,
    'environment.told': (state, fact) => tell(state, fact, fact.data.upto),
    // A new session knows the environment as it is; one that goes on was told earlier.
    'session.started': (state, fact) => {
      if (fact.session !== null && fieldOf(state.told, nameOf(fact.session)) === undefined)
        tell(state, fact, fact.seq);
    },
  }),
};

const nameOf = (session: string): string => headOf(session, SESSION_CHARS);

function tell({ told }: WorkspaceState, { session }: Fact, upto: number): void {
  if (session === null) return;
  const key = keyOf(nameOf(session));
  delete told[key];
  told[key] = upto;
  dropOldest(told, SESSIONS_MAX);
}

function worktreeOf({ worktrees }: WorkspaceState, given: string): WorktreeState {
  const name = headOf(given, WORKTREE_CHARS);
  const known = fieldOf(worktrees, name);
  const found = known ?? { work: null, things: [], kinds: [], changes: [], seq: 0, at: 0 };
  delete worktrees[keyOf(name)];
  worktrees[keyOf(name)] = found;
  dropOldest(worktrees, WORKTREES_MAX);
  return found;
}

function saved(state: WorkspaceState, { data, at, seq }: Fact<WorkSaved>): void {
  const worktree = worktreeOf(state, data.worktree);
  const before = worktree.work;
  // An empty task means that none was given, not that there is none.
  const task = data.taskSummary?.trim() ? headOf(data.taskSummary, TASK_CHARS) : undefined;
  const files = data.workingFiles?.map((file) => headOf(file, FILE_CHARS));
  if (files !== undefined) keepNewestWithin(files, FILES_MAX, FILES_CHARS_MAX, (one) => one.length);
  const todos = data.todos?.slice(0, TODOS_MAX).map(({ content, status }) => {
    return { content: headOf(content, TODO_CHARS), status };
  });
  const notes = data.notes === undefined ? undefined : headOf(data.notes, NOTES_CHARS);
  worktree.work = {
    taskSummary: task ?? before?.taskSummary ?? null,
    workingFiles: files ?? before?.workingFiles ?? [],
    notes: notes ?? before?.notes ?? null,
    todos: todos ?? before?.todos ?? [],
    trigger: headOf(data.trigger, KIND_CHARS),
    at,
    seq,
    saidAt: task === undefined ? (before?.saidAt ?? 0) : at,
    saidSeq: task === undefined ? (before?.saidSeq ?? 0) : seq,
  };
}

function observed(state: WorkspaceState, { data, at, seq }: Fact<EnvironmentObserved>): void {
  const worktree = worktreeOf(state, data.worktree);
  const kinds = new Set(data.kinds.slice(0, KINDS_MAX).map((kind) => headOf(kind, KIND_CHARS)));
  const now = new Map<string, EnvironmentThing>();
  for (const thing of data.things.slice(0, THINGS_MAX).map(bounded))
    if (kinds.has(thing.kind)) now.set(`${thing.kind} ${thing.name}`, thing);
  const known = new Set(worktree.kinds);
  const before = new Map(worktree.things.map((one) => [`${one.kind} ${one.name}`, one]));
  const cut = new Set(data.cut?.map((kind) => headOf(kind, KIND_CHARS)));
  const wasCut = new Set(worktree.cut);
  // Hints are settings, not part of the environment.
  const isNews = ({ kind }: EnvironmentThing) =>
    kinds.has(kind) && known.has(kind) && kind !== 'hint' && isAskedAsBefore(worktree, data, kind);
  const change = (thing: EnvironmentThing, from: string | null, to: string | null) =>
    worktree.changes.push({ kind: thing.kind, name: thing.name, from, to, at, seq });
  for (const [key, thing] of before) {
    const isListed = !cut.has(thing.kind) || isActive(thing);
    if (isNews(thing) && isListed && !now.has(key)) change(thing, thing.state, null);
  }
  for (const [key, thing] of now) {
    const from = before.get(key)?.state ?? null;
    if (thing.unseen === true || (from === null && wasCut.has(thing.kind))) continue;
    if (isNews(thing) && from !== thing.state) change(thing, from, thing.state);
  }
  keepNewest(worktree.changes, CHANGES_MAX);
  const others = worktree.things.filter(({ kind }) => !kinds.has(kind));
  worktree.things = [...others, ...now.values()];
  keepNewest(worktree.things, THINGS_MAX);
  worktree.kinds = [...new Set([...worktree.kinds, ...kinds])].slice(-KINDS_MAX);
  worktree.cut = [...[...wasCut].filter((kind) => !kinds.has(kind)), ...cut].slice(-KINDS_MAX);
  for (const [kind, how] of Object.entries(data.asked ?? {}).slice(0, KINDS_MAX)) {
    worktree.asked ??= {};
    worktree.asked[keyOf(headOf(kind, KIND_CHARS))] = headOf(how, STATE_CHARS);
    dropOldest(worktree.asked, KINDS_MAX);
  }
  worktree.seq = seq;
  worktree.at = at;
}

/** Whether a kind was looked at with the same settings as before; unknown in old events. */
function isAskedAsBefore({ asked }: WorktreeState, data: EnvironmentObserved, kind: string) {
  const before = asked && fieldOf(asked, kind);
  const now = data.asked && fieldOf(data.asked, kind);
  return before === undefined || now === undefined || before === headOf(now, STATE_CHARS);
}

/** Comes first where room is short. */
export const isActive = ({ kind, state }: EnvironmentThing): boolean =>
  kind !== 'container' || state === 'running';

const bounded = ({ kind, name, state, detail, unseen }: EnvironmentThing): EnvironmentThing => ({
  kind: headOf(kind, KIND_CHARS),
  name: headOf(name, NAME_CHARS),
  state: headOf(state, STATE_CHARS),
  ...(detail !== undefined && { detail: headOf(detail, DETAIL_CHARS) }),
  ...(unseen === true && { unseen }),
});
