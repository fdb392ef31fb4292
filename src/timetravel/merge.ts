import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { ContextMerged } from '../events/types.ts';
import { listInbox } from '../journal/append/inbox.ts';
import { Ben10Error } from '../platform/errors.ts';
import { isOutside } from '../platform/inside.ts';
import type { Project } from '../project/open.ts';
import { append } from './append.ts';
import { diffFiles, type FileDifference } from './diff-files.ts';
import type { SaveOptions } from './saves.ts';
import { shown } from './text.ts';

export const MERGE_STRATEGIES = ['disk', 'journal', 'newest'] as const;
export type MergeStrategy = (typeof MERGE_STRATEGIES)[number];

export interface MergeOptions extends Pick<SaveOptions, 'source'> {
  session?: string | undefined;
  strategy: MergeStrategy;
  /** Files or folders, absolute or from the project's folder on; all when there are none. */
  paths?: readonly string[];
}

export interface Merge {
  session: string | null;
  strategy: MergeStrategy;
  /** What was decided, newly; empty when nothing had to be. */
  files: ContextMerged['files'];
  /** Files that were changed but of which nothing was decided: it is not known whether they were. */
  unknown: number;
}

/**
 * Decides what the state believes of the files that the disk has otherwise than the journal: `disk` what is there now,
 * `journal` what a tool last saw or left there, `newest` whichever is younger; a file that is gone is younger than what was in
 * it. No file is touched: it is one event of each session that saw one last, durable when this returns, and none when there is
 * nothing to decide.
 * @throws Ben10Error POINT_NOT_FOUND for an unknown session, USAGE for a path without a difference, FS_WRITE_ERROR,
 * FS_PERMISSION_DENIED
 */
export function merge(project: Project, options: MergeOptions): Merge {
  const { strategy, paths = [], source } = options;
  if (listInbox(project.ports, project.layout).length > 0) project.writer.drain();
  const { session, files, counts } = diffFiles(project, { session: options.session });
  const wanted = chosen(project, files.filter(isOpen), paths);
  const decisions = wanted
    .map((file) => ({ owner: file.session ?? session, file, made: decision(file, strategy) }))
    .filter(({ made, file }) => made.believed === 'disk' || file.decided === undefined);
  // Each is for the state of the session that saw the file last.
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
  // As it is called, and as it is reached through links.
  const dirs = [project.dir, realpathSync(project.dir)];
  const isIn = (given: string, { path: recorded }: FileDifference) =>
    dirs.some((dir) => !isOutside(path.resolve(dir, given), path.resolve(dir, recorded)));
  for (const given of paths) {
    if (files.some((file) => isIn(given, file))) continue;
    throw new Ben10Error('USAGE', `there is nothing to decide of "${shown(given, 200)}"`, {
      next: 'See what is different with: ben10 diff',
    });
  }
  return files.filter((file) => paths.some((given) => isIn(given, file)));
}

function decision(file: FileDifference, strategy: MergeStrategy): ContextMerged['files'][number] {
  const { path: name, disk, movedTo } = file;
  const believed = strategy === 'newest' ? newest(file) : strategy;
  // For the journal a file that was moved is one that is gone: what lies elsewhere is not its content.
  if (believed === 'journal' && movedTo !== undefined) return { path: name, believed };
  const hash = disk === undefined ? {} : { hash: disk.hash, bytes: disk.bytes };
  return { path: name, believed, ...hash, ...(movedTo !== undefined && { movedTo }) };
}

const newest = ({ status, disk, at }: FileDifference): 'disk' | 'journal' =>
  status !== 'changed' || disk === undefined || disk.mtimeMs > (at ?? 0) ? 'disk' : 'journal';
