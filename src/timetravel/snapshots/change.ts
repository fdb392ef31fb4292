import type { SnapshotAnnotated, SnapshotRemoved, Source } from '../../events/types.ts';
import { refuseUnsafe } from '../../journal/format/layout.ts';
import { Ben10Error } from '../../platform/errors.ts';
import type { Project } from '../../project/open.ts';
import {
  NOTE_CHARS_MAX,
  type SnapshotRecord,
  TAG_CHARS_MAX,
  TAGS_MAX,
} from '../../projections/folds/snapshots.ts';
import { cleanText } from '../../projections/safe-text.ts';
import { append } from '../append.ts';
import { isStoredFile, SNAPSHOTS_DIR } from '../places.ts';
import type { SaveOptions } from '../saves.ts';
import { foldersOf, removeStored } from '../stored-files.ts';
import { findSnapshot, type SnapshotListed, showSnapshot, snapshotIndex } from './indexed.ts';

/** Retention keeps pinned ones, so their number is limited to half of the index. */
export const PINNED_MAX = 500;

export interface Annotation {
  pinned?: boolean;
  addTags?: readonly string[];
  removeTags?: readonly string[];
  /** Replaces the old one; empty removes it. */
  note?: string;
}

/**
 * Changes a snapshot's notes, as an event.
 * @param id the snapshot's id, or a unique start of it
 * @throws Ben10Error SNAPSHOT_NOT_FOUND; USAGE for an invalid tag or note, or removing only tags that it lacks; LIMIT_EXCEEDED for
 * too many pins or tags; FS_WRITE_ERROR, FS_PERMISSION_DENIED
 */
export function annotateSnapshot(
  project: Project,
  id: string,
  annotation: Annotation,
  source?: SaveOptions['source'],
): SnapshotListed {
  const found = findSnapshot(project, id);
  const { pinned, addTags, removeTags, note } = annotation;
  if (pinned === true && !found.pinned) refuseTooManyPinned(project);
  const data: SnapshotAnnotated = {
    snapshot: found.id,
    ...(pinned !== undefined && { pinned }),
    ...((addTags ?? removeTags) !== undefined && {
      tags: tagsOf(found, addTags ?? [], removeTags ?? []),
    }),
    ...(note !== undefined && { note: noteOf(note) }),
  };
  append(project, 'snapshot.annotated', found.session ?? '', data, source);
  return showSnapshot(project, found.id);
}

function refuseTooManyPinned(project: Project): void {
  const pinned = Object.values(snapshotIndex(project).snapshots).filter((one) => one.pinned);
  if (pinned.length < PINNED_MAX) return;
  throw new Ben10Error('LIMIT_EXCEEDED', `${pinned.length} snapshots are pinned already`, {
    next: `Unpin one first: at most ${PINNED_MAX} can be pinned`,
  });
}

function tagsOf({ id, tags }: SnapshotRecord, add: readonly string[], remove: readonly string[]) {
  const added = add.map(tagOf);
  const taken = new Set(remove.map((tag) => tag.trim()));
  if (add.length === 0 && !tags.some((tag) => taken.has(tag)))
    throw new Ben10Error('USAGE', `snapshot ${id} has no such tag`, {
      next: tags.length === 0 ? 'It has none' : `It has: ${tags.join(', ')}`,
    });
  const kept = [...new Set([...tags.filter((tag) => !taken.has(tag)), ...added])];
  if (kept.length <= TAGS_MAX) return kept;
  throw new Ben10Error('LIMIT_EXCEEDED', `a snapshot has at most ${TAGS_MAX} tags`, {
    next: `It has ${tags.length}: remove some first`,
  });
}

function tagOf(given: string): string {
  const tag = given.trim();
  if (tag !== '' && tag.length <= TAG_CHARS_MAX && cleanText(tag) === tag && !/\s/.test(tag))
    return tag;
  throw new Ben10Error('USAGE', 'that is not a valid tag', {
    next: `Use one word of 1 to ${TAG_CHARS_MAX} visible characters`,
  });
}

function noteOf(given: string): string {
  const note = given.trim();
  if (note.length <= NOTE_CHARS_MAX && cleanText(note) === note) return note;
  throw new Ben10Error('USAGE', 'that is not a valid note', {
    next: `Use at most ${NOTE_CHARS_MAX} visible characters`,
  });
}

interface DeleteOptions {
  /** Even when pinned. */
  force?: boolean;
  source?: SaveOptions['source'];
}

/**
 * Removes a snapshot's file. Its events stay, so `@upto` remains a point.
 * @throws Ben10Error SNAPSHOT_NOT_FOUND, USAGE when it is pinned, FS_WRITE_ERROR, FS_PERMISSION_DENIED
 */
export function deleteSnapshot(
  project: Project,
  id: string,
  { force = false, source }: DeleteOptions = {},
): SnapshotRecord {
  const found = findSnapshot(project, id);
  if (found.pinned && !force) {
    throw new Ben10Error('USAGE', `snapshot ${found.id} is pinned`, {
      next: 'Unpin it first, or delete it with --force',
    });
  }
  removeSnapshot(project, found, 'asked', source);
  return found;
}

/** Event first: a file without one is removed later, and an entry without a file is only slower to restore. */
export function removeSnapshot(
  project: Project,
  { id, session, file }: SnapshotRecord,
  why: SnapshotRemoved['why'],
  source: Source | undefined,
): void {
  for (const dir of foldersOf(project, SNAPSHOTS_DIR)) refuseUnsafe(project.ports.fs, dir);
  const data: SnapshotRemoved = { snapshot: id, why };
  append(project, 'snapshot.removed', session ?? '', data, source);
  if (isStoredFile(SNAPSHOTS_DIR, file)) removeStored(project, file);
}
