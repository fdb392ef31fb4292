import type { JournalEvent } from '../events/types.ts';
import { atOnce } from '../platform/at-once.ts';
import { Ben10Error } from '../platform/errors.ts';
import { sha256Hex } from '../platform/sha256.ts';
import type { Project } from '../project/open.ts';
import type { Projection } from '../projections/contract.ts';
import { readEvents } from '../projections/events.ts';
import { withRelevance } from '../projections/file-relevance.ts';
import { type ContextState, context } from '../projections/folds/context.ts';
import { type FilesState, files } from '../projections/folds/files.ts';
import { sessions } from '../projections/folds/sessions.ts';
import { tasks } from '../projections/folds/tasks.ts';
import { tools } from '../projections/folds/tools.ts';
import { usage } from '../projections/folds/usage.ts';
import { SessionHistory } from '../projections/history.ts';
import { comparePlaces, type Place } from '../projections/order.ts';
import { filesWithoutExcluded, withoutExcluded } from '../projections/without-excluded.ts';
import { type ResolvedPoint, resolvePoint } from './resolve.ts';
import { sessionsAt } from './sessions.ts';
import { activeBy } from './time-index.ts';

export const PROJECTIONS: Readonly<Record<string, Projection>> = {
  context: context as Projection,
  sessions: sessions as Projection,
  files: files as Projection,
  tools: tools as Projection,
  tasks: tasks as Projection,
  usage: usage as Projection,
};

export interface Replayed<S = unknown> {
  point: { seq: number; at: number | null };
  projection: string;
  version: number;
  /** Null for a projection of the whole project, or without any session. */
  session: string | null;
  state: S;
}

export interface ReplayOptions {
  point?: string | undefined;
  /** A name in `PROJECTIONS`; `context` by default. */
  projection?: string;
  /** An id or a unique start of one; by default the point's session, else the last active one. */
  session?: string | undefined;
}

/** The state of a projection at a point. @throws Ben10Error POINT_INVALID, POINT_NOT_FOUND, USAGE for an unknown projection */
export const replay = (project: Project, options: ReplayOptions = {}): Replayed =>
  atOnce(replaying(project, options));

/** The same in short steps. */
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
  const resolved = resolvePoint(project, options.point, options);
  yield;
  return yield* reaching(project, resolved, name);
}

/** `replay` at a resolved point. */
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
  // Parts come from the whole context, so that all see the same history.
  return { ...about, session, state: name === 'context' ? state : partOf(state, name) };
}

const partOf = (state: ContextState, name: string): unknown => state[name as 'files'];

/** With derived values for output: each file's relevance, and `directoryHash`, which identifies the folder without its path. */
export function shownReplay<R extends Replayed>(
  { excludedBy }: Pick<Project, 'excludedBy'>,
  replayed: R,
): R {
  const { projection } = replayed;
  const { state } = withoutExcludedFiles(replayed, excludedBy);
  if (projection === 'files') return { ...replayed, state: withRelevance(state as FilesState) };
  if (projection !== 'context') return replayed;
  const whole = state as ContextState;
  const { directory } = whole;
  const directoryHash = directory && sha256Hex(directory);
  return { ...replayed, state: { ...whole, directoryHash, files: withRelevance(whole.files) } };
}

/** What the settings of now exclude is shown to nobody. */
export function withoutExcludedFiles<R extends Replayed>(
  replayed: R,
  excludedBy: Project['excludedBy'],
): R {
  const { projection, state } = replayed;
  if (projection === 'files')
    return { ...replayed, state: filesWithoutExcluded(state as FilesState, excludedBy) };
  if (projection !== 'context') return replayed;
  return { ...replayed, state: withoutExcluded(state as ContextState, excludedBy) };
}

export const contextAt = (project: Project, resolved: ResolvedPoint): Replayed<ContextState> =>
  replayAt(project, resolved) as Replayed<ContextState>;

/** The point's session, else the last active one. */
export function sessionAt(project: Project, { session, cut }: ResolvedPoint): string | null {
  if (session !== null) return session;
  // Such a cut by history is one by time.
  if (cut.before !== undefined) return activeBy(project, cut.before.time - 1);
  const active = project.states.activeSession(cut.upto);
  return active === undefined ? (sessionsAt(project, cut)[0]?.session ?? null) : active;
}

/**
 * The events of a point, oldest first: of its session, else of the project. By arrival each id once; by history the facts with all
 * their data, in order.
 * @param options.limit keeps the newest
 */
export function eventsUpto(
  project: Project,
  resolved: ResolvedPoint,
  options: { limit?: number } = {},
): JournalEvent[] {
  const { cut } = resolved;
  const found =
    cut.before === undefined
      ? byArrival(project, resolved)
      : byHistory(project, resolved, cut.before);
  const { limit = found.length } = options;
  return limit >= found.length ? found : found.slice(found.length - limit);
}

function byArrival(project: Project, { cut, session }: ResolvedPoint): JournalEvent[] {
  const seen = new Set<string>();
  const found: JournalEvent[] = [];
  for (const event of events(project, session, cut.upto)) {
    if (seen.has(event.id)) continue;
    seen.add(event.id);
    found.push(event);
  }
  return found;
}

function byHistory(project: Project, { session }: ResolvedPoint, before: Place): JournalEvent[] {
  const histories = new Map<string | null, SessionHistory>();
  const versions = new Map<number, number>();
  for (const event of events(project, session, undefined)) {
    let history = histories.get(event.session);
    if (history === undefined) {
      history = new SessionHistory();
      histories.set(event.session, history);
    }
    history.add(event);
    versions.set(event.seq, event.version);
  }
  return [...histories.values()]
    .flatMap((history) => history.ordered())
    .filter(({ place }) => comparePlaces(place, before) < 0)
    .sort((a, b) => comparePlaces(a.place, b.place) || a.fact.seq - b.fact.seq)
    .map(({ fact: { trace: _, ...fact } }) => ({ ...fact, version: versions.get(fact.seq)! }));
}

function events(project: Project, session: string | null, to: number | undefined) {
  return readEvents(project.reader, project.ports.xxh64, {
    ...(session !== null && { session }),
    ...(to !== undefined && { to }),
  });
}
