import { asWriteError } from '../../journal/append/write-errors.ts';
import { dropEvents } from '../../journal/erase/retention.ts';
import { readManifest } from '../../journal/format/manifest.ts';
import type { Codecs } from '../../journal/seal/compact-segment.ts';
import { Ben10Error } from '../../platform/errors.ts';
import type { Project } from '../../project/open.ts';
import { BASED, type Based } from '../../projections/based.ts';
import { basesAt } from './bases.ts';
import { planDrop, recorded, unreadable } from './plan.ts';
import { remakeStored } from './remake.ts';
import { dropTargets } from './targets.ts';

export interface DropDone {
  /** Points before this seq cannot be asked for any more. */
  upto: number;
  /** Events up to there that are gone, and such that stay. */
  events: number;
  kept: number;
  /** States that stand for what is gone. */
  bases: number;
  blobs: number;
}

/** What `dropOld` would drop, or a little more: what later events may still tell of stays. */
export function wouldDrop(
  project: Project,
  days: number,
): Pick<DropDone, 'upto' | 'events'> | undefined {
  const plan = planDrop(project, days);
  const { events } = plan === undefined ? { events: 0 } : dropTargets(project, plan, new Set());
  return plan === undefined || events === 0 ? undefined : { upto: plan.upto, events };
}

/** Nobody erases all the time. */
const ATTEMPTS = 3;

/**
 * Drops what is older than so many days. What was known of it is kept as the states of that time; saves and snapshots stay.
 * Agents go on working: the locks are held only when the states are ready.
 * @param based whose states are kept
 * @returns undefined when there is nothing so old
 * @throws Ben10Error CONTEXT_LOCKED, JOURNAL_DAMAGED (nothing was dropped then), JOURNAL_UNSAFE, FS_WRITE_ERROR,
 * FS_PERMISSION_DENIED
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
    // Who drops has asked for it before the epoch says so.
    const ready = readyUnless(
      () => epochOf(project) !== epoch || project.states.dropped()?.upto !== dropped,
      () => prepared(project, days, based),
    );
    if (ready === 'changed') continue;
    if (ready === undefined) return undefined;
    const { upto, bases, events, kept, also } = ready;
    remakeStored(project, upto);
    // An event that was erased meanwhile may be in the states.
    const choose = () => (epochOf(project) === epoch ? { upto, kept, also, bases } : undefined);
    const done = dropEvents(ports, root, codecs, choose);
    if (done === undefined) continue;
    // All that was stored before is void: no hook should have to fold it anew.
    for (const one of based.project) project.states.at(one, null);
    return { upto, events, kept: kept.length, bases: bases.length, blobs: done.blobs };
  }
  throw new Ben10Error('CONTEXT_LOCKED', 'somebody erases events of this journal all the time', {
    next: 'Wait until that is done, then run: ben10 compact',
  });
}

/** All that is worked out before the locks are taken; undefined when there is nothing to drop. */
function prepared(project: Project, days: number, based: Based) {
  const plan = planDrop(project, days);
  if (plan === undefined) return undefined;
  const { events: bases, open } = whenAllIsRead(project, () => basesAt(project, plan, based));
  const targets = dropTargets(project, plan, open);
  return targets.events === 0 ? undefined : { upto: plan.upto, bases, ...targets };
}

/**
 * @returns what `read` does
 * @throws Ben10Error JOURNAL_DAMAGED where it lacks something that is not recorded as lost
 */
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

/** Somebody who drops or erases meanwhile may take away what is being looked at: that is no fault, but a reason to begin anew. */
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
