import type { Place } from '../platform/place.ts';
import type { Project } from '../project/open.ts';
import { fieldOf } from '../projections/bounds.ts';
import { readEvents } from '../projections/events.ts';
import { context } from '../projections/folds/context.ts';
import { type EnvironmentChange, workspace } from '../projections/folds/workspace.ts';
import { cleanedChange } from './at-point.ts';
import { changeText } from './changes.ts';
import { cleaner } from './clean.ts';
import { framed } from './frame.ts';
import { ownRepository } from './head.ts';
import { isOwnDoing, matters } from './matters.ts';
import { stoppedByItself } from './stopped.ts';

/** Older changes are no news. */
const NEWS_MS = 86_400_000;
const LINES_MAX = 6;

interface News {
  text: string;
  /** The newest change that it reports. */
  upto: number;
}

/**
 * Changes around the project since the session was last told, as far as they matter to it; undefined if there are
 * none. Without changes it costs the fold of one small state.
 */
export function newsFor(project: Project, place: Place, session: string): News | undefined {
  const { state } = project.states.at(workspace, null);
  const known = fieldOf(state.told, session);
  const worktree = fieldOf(state.worktrees, place.worktree);
  // A session that did not start here was not told the state before.
  if (known === undefined || worktree === undefined) return undefined;
  const now = project.ports.clock.now();
  const pending = worktree.changes.filter(({ seq, at }) => seq > known && now - at < NEWS_MS);
  if (pending.length === 0) return undefined;
  const { state: own } = project.states.at(context, session);
  const clean = cleaner(project.redact);
  const isOfRepository = pending.some(({ kind }) => kind === 'repository');
  const repository = isOfRepository ? ownRepository(place, clean)?.name : undefined;
  const stopped = stoppedByItself(pending, own, worktree.changes, (seq) => dataOf(project, seq));
  const told = together(pending, (one) => stopped.has(one) || isOwnDoing(one, own))
    .filter((change) => matters(change, own, worktree.work, repository))
    .slice(-LINES_MAX)
    .map((change) => `@${change.seq} ${changeText(cleanedChange(change, clean))}`);
  if (told.length === 0) return undefined;
  const upto = Math.max(...pending.map(({ seq }) => seq));
  const about = 'Changed around the project, and not by you, since you were last told.';
  return { text: framed('environment', about, told.join('\n'), upto), upto };
}

function dataOf({ reader, ports }: Project, seq: number): unknown {
  for (const { data } of readEvents(reader, ports.xxh64, { from: seq, to: seq })) return data;
  return undefined;
}

/**
 * Several changes of one thing become one; a thing that changed back is left out.
 * @param isKnown changes by the session itself: it knows the new state
 */
export function together(
  changes: readonly EnvironmentChange[],
  isKnown: (change: EnvironmentChange) => boolean = () => false,
): EnvironmentChange[] {
  const net = new Map<string, EnvironmentChange>();
  for (const change of changes) {
    const key = `${change.kind} ${change.name}`;
    const from = net.has(key) ? net.get(key)!.from : change.from;
    net.delete(key);
    if (isKnown(change)) continue;
    net.set(key, { ...change, from });
  }
  return [...net.values()].filter(({ from, to }) => from !== to);
}
