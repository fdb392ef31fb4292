import type { Project } from '../project/open.ts';
import { type ContextState, context } from '../projections/folds/context.ts';
import type { FileRecord } from '../projections/folds/files.ts';
import type { DiskBudget } from './disk-budget.ts';
import { type FileVersion, lastVersions } from './file-versions.ts';

/** A file, as the session has it that saw it last. */
export interface TrackedFile {
  file: FileRecord;
  session: string;
}

/**
 * The files that sessions touched, the one touched last standing last. Of one that several did, as the last one left it.
 * @param states by session
 */
export function trackedFiles(states: ReadonlyMap<string, ContextState>): TrackedFile[] {
  const newest = new Map<string, TrackedFile>();
  for (const [session, { files }] of states) {
    for (const file of Object.values(files.files)) {
      const known = newest.get(file.path);
      if (known === undefined || known.file.lastAt < file.lastAt)
        newest.set(file.path, { file, session });
    }
  }
  // A session's own files stand in the order in which they were touched.
  return states.size === 1
    ? [...newest.values()]
    : [...newest.values()].sort((a, b) => a.file.lastAt - b.file.lastAt);
}

/** The states of sessions, each folded, as far as there is time. */
export function statesOf(
  { states }: Project,
  sessions: readonly string[],
  budget: DiskBudget,
): Map<string, ContextState> {
  const found = new Map<string, ContextState>();
  for (const session of sessions) {
    if (!budget.hasTime()) break;
    found.set(session, states.at(context, session).state);
  }
  return found;
}

/** The last known content of tracked files. To know it of one, all that its session did has to be read. */
export function versionsOf(
  project: Project,
  tracked: readonly TrackedFile[],
): Map<string, FileVersion> {
  const versions = new Map<string, FileVersion>();
  for (const session of new Set(tracked.map((one) => one.session))) {
    const own = lastVersions(project, session);
    for (const one of tracked) {
      const version = own.get(one.file.path);
      if (one.session === session && version !== undefined) versions.set(one.file.path, version);
    }
  }
  return versions;
}
