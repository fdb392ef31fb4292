import { asWriteError } from '../../journal/append/write-errors.ts';
import { dropEvents } from '../../journal/erase/retention.ts';
import { readManifest } from '../../journal/format/manifest.ts';
import type { Codecs } from '../../journal/seal/compact-segment.ts';
import { Ben10Error } from '../../platform/errors.ts';
import type { Project } from '../../project/open.ts';
import { BASED, type Based } from '../../projections/based.ts';
import { storedStates } from '../stored-points.ts';
import { canRebuild, loadStored, standingOf } from '../stored-state.ts';
import { basesAt } from './bases.ts';
import { dropTargets, planDrop, recorded, unreadable } from './plan.ts';

export interface DropDone {
  /** Earlier points are no longer available. */
  upto: number;
  /** Removed and kept events up to there. */
  events: number;
  kept: number;
  /** States in their place. */
  bases: number;
  blobs: number;
}

/** An estimate for `dropOld`: facts that later events may complete stay. */
export function wouldDrop(
  project: Project,
  days: number,
): Pick<DropDone, 'upto' | 'events'> | undefined {
  const plan = planDrop(project, days);
  const { events } = plan === undefined ? { events: 0 } : dropTargets(project, plan, new Set());
  return plan === undefined || events === 0 ? undefined : { upto: plan.upto, events };
}

/** Against endless erasures. */
const ATTEMPTS = 3;

/**
 * Removes events older than so many days and keeps the states of that time in their place; saves and snapshots stay. Agents can
 * work meanwhile: locks are taken only when the states are ready.
 * @param based the projections whose states are kept
 * @returns undefined when nothing is old enough
 * @throws Ben10Error CONTEXT_LOCKED, JOURNAL_DAMAGED (nothing was removed), JOURNAL_UNSAFE, FS_WRITE_ERROR, FS_PERMISSION_DENIED
 */
export function dropOld(
  project: Project,
  days: number,
  codecs: Codecs,
  based: Based = BASED,
): DropDone | undefined {
  try {
    return dropUnlessErased(project, days, codecs, based);
  } catch (error) {
    throw asWriteError(error, project.layout.journal);
  }
}

function dropUnlessErased(
  project: Project,
  days: number,
  codecs: Codecs,
  based: Based,
): DropDone | undefined {
  const { ports, root } = project;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const epoch = epochOf(project);
    const dropped = project.states.dropped()?.upto;
    // A removal is requested by an event before the epoch changes.
    const ready = readyUnless(
      () => epochOf(project) !== epoch || project.states.dropped()?.upto !== dropped,
      () => prepared(project, days, based),
    );
    if (ready === 'changed') continue;
    if (ready === undefined) return undefined;
    const { upto, bases, events, kept, also } = ready;
    remakeStored(project, upto);
    // The states may contain an event that was erased meanwhile.
    const choose = () => (epochOf(project) === epoch ? { upto, kept, also, bases } : undefined);
    const done = dropEvents(ports, root, codecs, choose);
    if (done === undefined) continue;
    // Stored states are void now; fold them here rather than in a hook.
    for (const one of based.project) project.states.at(one, null);
    return { upto, events, kept: kept.length, bases: bases.length, blobs: done.blobs };
  }
  throw new Ben10Error('CONTEXT_LOCKED', 'events of this journal keep being erased', {
    next: 'Wait until that is done, then run: ben10 compact',
  });
}

/** Everything prepared before the locks are taken; undefined when there is nothing to remove. */
function prepared(project: Project, days: number, based: Based) {
  const plan = planDrop(project, days);
  if (plan === undefined) return undefined;
  const { events: bases, open } = whenAllIsRead(project, () => basesAt(project, plan, based));
  const targets = dropTargets(project, plan, open);
  return targets.events === 0 ? undefined : { upto: plan.upto, bases, ...targets };
}

/** @throws Ben10Error JOURNAL_DAMAGED when `read` meets damage not recorded as lost */
function whenAllIsRead<T>(project: Project, read: () => T): T {
  const { reader } = project;
  const isRecorded = recorded(project);
  let isAll = true;
  reader.onUnread = (damage) => {
    isAll &&= isRecorded(damage);
  };
  try {
    const value = read();
    if (!isAll) throw unreadable();
    return value;
  } finally {
    reader.onUnread = undefined;
  }
}

/** A concurrent erasure or removal may break the preparation, which then starts again. */
function readyUnless<T>(isChanged: () => boolean, prepare: () => T): T | 'changed' {
  try {
    return prepare();
  } catch (error) {
    if (error instanceof Ben10Error && isChanged()) return 'changed';
    throw error;
  }
}

const epochOf = ({ ports, layout }: Project): number | undefined =>
  readManifest(ports, layout)?.erasureEpoch;

/** Rebuilds lost saves and snapshots from before `upto`, while their events still exist. @throws JOURNAL_UNSAFE */
function remakeStored(project: Project, upto: number): void {
  for (const ref of storedStates(project)) {
    if (ref.upto >= upto || !LOST.has(standingOf(project, ref)) || !canRebuild(project, ref))
      continue;
    try {
      loadStored(project, ref);
    } catch (error) {
      // A state that cannot be rebuilt must not keep old events for ever.
      if (!(error instanceof Ben10Error)) throw error;
    }
  }
}

const LOST = new Set(['missing', 'damaged']);
