import { atOnce } from '../platform/at-once.ts';
import { Ben10Error } from '../platform/errors.ts';
import { sha256Hex } from '../platform/sha256.ts';
import type { Project } from '../project/open.ts';
import type { Projection } from '../projections/contract.ts';
import { withRelevance } from '../projections/file-relevance.ts';
import { type ContextState, context } from '../projections/folds/context.ts';
import { type FilesState, files } from '../projections/folds/files.ts';
import { sessions } from '../projections/folds/sessions.ts';
import { tasks } from '../projections/folds/tasks.ts';
import { tools } from '../projections/folds/tools.ts';
import { usage } from '../projections/folds/usage.ts';
import { type ResolvedPoint, resolvePoint } from './resolve.ts';
import { sessionsAt } from './sessions.ts';
import { activeBy } from './time-index.ts';

export { eventsUpto } from './events.ts';

/** What can be replayed, by name. */
export const PROJECTIONS: Readonly<Record<string, Projection>> = {
  context: context as Projection,
  sessions: sessions as Projection,
  files: files as Projection,
  tools: tools as Projection,
  tasks: tasks as Projection,
  usage: usage as Projection,
};

export interface Replayed<S = unknown> {
  /** As `ResolvedPoint` has them. */
  point: { seq: number; at: number | null };
  projection: string;
  version: number;
  /** Null for a projection over the whole project, and when there is no session yet. */
  session: string | null;
  state: S;
}

export interface ReplayOptions {
  point?: string;
  /** A name in `PROJECTIONS`; `context` by default. */
  projection?: string;
  /** An id or the unique start of one; by default the point's own, else the one that was active last at the point. */
  session?: string;
}

/**
 * The state of a projection at a point.
 * @throws Ben10Error POINT_INVALID, POINT_NOT_FOUND, USAGE for an unknown projection
 */
export const replay = (project: Project, options: ReplayOptions = {}): Replayed =>
  atOnce(replaying(project, options));

/** The same in short steps, for who must not be busy for long at a time. */
export function* replaying(
  project: Project,
  options: ReplayOptions = {},
): Generator<void, Replayed> {
  const name = options.projection ?? 'context';
  if (!Object.hasOwn(PROJECTIONS, name)) {
    throw new Ben10Error('USAGE', `there is no projection "${name.slice(0, 60)}"`, {
      next: `Use one of: ${Object.keys(PROJECTIONS).join(', ')}`,
    });
  }
  const { point, session } = options;
  const resolved = resolvePoint(project, point, session === undefined ? {} : { session });
  yield;
  return yield* reaching(project, resolved, name);
}

/** `replay` at a point that was found already, of the session that it is in. */
export const replayAt = (project: Project, resolved: ResolvedPoint, name = 'context'): Replayed =>
  atOnce(reaching(project, resolved, name));

function* reaching(
  project: Project,
  resolved: ResolvedPoint,
  name: string,
): Generator<void, Replayed> {
  const { seq, at } = resolved;
  const projection = PROJECTIONS[name]!;
  const about = { point: { seq, at }, projection: name, version: projection.version };
  if (projection.scope === 'project') {
    const { state } = yield* project.states.reaching(projection, null, resolved.cut);
    return { ...about, session: null, state };
  }
  const session = sessionAt(project, resolved);
  yield;
  const { state } = yield* project.states.reaching(context, session, resolved.cut);
  // The parts come out of the whole, so that all of them see one history: the same facts in the same order.
  return { ...about, session, state: name === 'context' ? state : partOf(state, name) };
}

const partOf = (state: ContextState, name: string): unknown => state[name as 'files'];

/**
 * A replayed state as it is shown as data, with what follows from it: of each file its relevance and the like, and of the folder
 * `directoryHash`, SHA-256 of its path in hex, by which states of one folder are told to belong together without saying where it is.
 */
export function shownReplay<R extends Replayed>(replayed: R): R {
  const { projection, state } = replayed;
  if (projection === 'files') return { ...replayed, state: withRelevance(state as FilesState) };
  if (projection !== 'context') return replayed;
  const whole = state as ContextState;
  const { directory } = whole;
  const directoryHash = directory && sha256Hex(directory);
  return { ...replayed, state: { ...whole, directoryHash, files: withRelevance(whole.files) } };
}

/** `replayAt` for those who want to know what is in a context. */
export const contextAt = (project: Project, resolved: ResolvedPoint): Replayed<ContextState> =>
  replayAt(project, resolved) as Replayed<ContextState>;

/** The point's session, else the one that was active last. */
export function sessionAt(project: Project, { session, cut }: ResolvedPoint): string | null {
  if (session !== null) return session;
  // A cut by history without a session is one by time alone.
  if (cut.before !== undefined) return activeBy(project, cut.before.time - 1);
  const active = project.states.activeSession(cut.upto);
  return active === undefined ? (sessionsAt(project, cut)[0]?.session ?? null) : active;
}
