import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { ContextMerged } from '../events/types.ts';
import { Ben10Error } from '../platform/errors.ts';
import { isOutside } from '../platform/inside.ts';
import type { Project } from '../project/open.ts';
import { append, drainInbox } from './append.ts';
import { diffFiles, type FileDifference } from './diff-files.ts';
import type { SaveOptions } from './saves.ts';
import { shown } from './text.ts';

export const MERGE_STRATEGIES = ['disk', 'journal', 'newest'] as const;
type MergeStrategy = (typeof MERGE_STRATEGIES)[number];

interface MergeOptions extends Pick<SaveOptions, 'source'> {
  session?: string | undefined;
  strategy: MergeStrategy;
  /** Files or folders, absolute or relative to the project; all when empty. */
  paths?: readonly string[];
}

interface Merge {
  session: string | null;
  strategy: MergeStrategy;
  files: ContextMerged['files'];
  /** Files of which it is unknown whether they changed, left undecided. */
  unknown: number;
}

/**
 * Decides which version counts for files changed outside the agent: `disk`, `journal`, or the `newest` (a missing file is newer).
 * Only recorded, as one durable event for each session that saw such a file last; no file is touched.
 * @throws Ben10Error POINT_NOT_FOUND for an unknown session, USAGE for a path without a difference, FS_WRITE_ERROR,
 * FS_PERMISSION_DENIED
 */
export function merge(project: Project, options: MergeOptions): Merge {
  const { strategy, paths = [], source } = options;
  drainInbox(project);
  const { session, files, counts } = diffFiles(project, { session: options.session });
  const wanted = chosen(project, files.filter(isOpen), paths);
  const decisions = wanted
    .map((file) => ({ owner: file.session ?? session, file, made: decision(file, strategy) }))
    .filter(({ made, file }) => made.believed === 'disk' || file.decided === undefined);
  for (const owner of new Set(decisions.map((one) => one.owner))) {
    const own = decisions.filter((one) => one.owner === owner).map(({ made }) => made);
    if (owner !== null) append(project, 'context.merged', owner, { strategy, files: own }, source);
  }
  const decided = decisions.map(({ made }) => made);
  return { session, strategy, files: decided, unknown: counts.unknown };
}

const isOpen = ({ status }: FileDifference): boolean =>
  status === 'changed' || status === 'deleted' || status === 'moved';

function chosen(
  project: Project,
  files: readonly FileDifference[],
  paths: readonly string[],
): readonly FileDifference[] {
  if (paths.length === 0) return files;
  // As given, and as reached through links.
  const dirs = [project.dir, realpathSync(project.dir)];
  const isIn = (given: string, { path: recorded }: FileDifference) =>
    dirs.some((dir) => !isOutside(path.resolve(dir, given), path.resolve(dir, recorded)));
  for (const given of paths) {
    if (files.some((file) => isIn(given, file))) continue;
    throw new Ben10Error('USAGE', `"${shown(given, 200)}" has no difference to decide`, {
      next: 'List the differences with: ben10 diff',
    });
  }
  return files.filter((file) => paths.some((given) => isIn(given, file)));
}

function decision(file: FileDifference, strategy: MergeStrategy): ContextMerged['files'][number] {
  const { path: name, disk, movedTo } = file;
  const believed = strategy === 'newest' ? newest(file) : strategy;
  // To the journal a moved file is missing: the file elsewhere is not its content.
  if (believed === 'journal' && movedTo !== undefined) return { path: name, believed };
  const hash = disk === undefined ? {} : { hash: disk.hash, bytes: disk.bytes };
  return { path: name, believed, ...hash, ...(movedTo !== undefined && { movedTo }) };
}

const newest = ({ status, disk, at }: FileDifference): 'disk' | 'journal' =>
  status !== 'changed' || disk === undefined || disk.mtimeMs > (at ?? 0) ? 'disk' : 'journal';
