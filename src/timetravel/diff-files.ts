import type { Project } from '../project/open.ts';
import { compareWithDisk, type FileOnDisk, type FileStatus } from './file-on-disk.ts';
import { type FileVersion, lastVersions } from './file-versions.ts';
import { contextAt } from './replay.ts';
import { resolvePoint } from './resolve.ts';

/** The files on disk against what the journal last saw of them. */
export interface FileDiff {
  kind: 'files';
  session: string | null;
  /** The session's folder. */
  directory: string | null;
  /** The one touched last stands last. */
  files: FileOnDisk[];
  counts: Record<FileStatus, number>;
}

/**
 * Compares the file system with what the agent's file tools last saw of each file: who else changed a file, by an
 * editor, a shell command or git, shows here. Only files inside the project's folder are opened,
 * and those that the settings exclude are left out.
 * @throws Ben10Error POINT_NOT_FOUND for an unknown session
 */
export function diffFiles(
  project: Project,
  options: { session?: string | undefined } = {},
): FileDiff {
  const { session: asked } = options;
  const resolved = resolvePoint(project, '@head', asked === undefined ? {} : { session: asked });
  const { state, session } = contextAt(project, resolved);
  const versions =
    session === null ? new Map<string, FileVersion>() : lastVersions(project, session);
  const counts = { unchanged: 0, changed: 0, deleted: 0, unknown: 0 };
  const known = Object.values(state.files.files).filter(
    ({ path }) => project.excludedBy(path) === undefined,
  );
  const files = known.map(({ path, lastSeq, lastAt }) => {
    const found = compareWithDisk(project, path, versions.get(path));
    counts[found.status] += 1;
    return { path, ...found, seq: lastSeq, at: lastAt };
  });
  return { kind: 'files', session, directory: state.directory, files, counts };
}
