import type { ToolCalled, ToolSucceeded } from '../events/types.ts';
import { getBlob } from '../journal/append/blobs.ts';
import type { Project } from '../project/open.ts';
import type { Fact } from '../projections/contract.ts';
import { contentAfter, type FileVersion } from '../projections/file-content.ts';
import { type ContextState, context } from '../projections/folds/context.ts';
import type { FileRecord } from '../projections/folds/files.ts';
import { fileOf, isObject, stringOf } from '../projections/tools-text.ts';
import type { DiskBudget } from './disk-budget.ts';
import { historyOf } from './history.ts';

export interface TrackedFile {
  file: FileRecord;
  session: string;
}

/** The sessions' files by last use, each as last seen. @param states by session */
export function trackedFiles(states: ReadonlyMap<string, ContextState>): TrackedFile[] {
  const newest = new Map<string, TrackedFile>();
  for (const [session, { files }] of states) {
    for (const file of Object.values(files.files)) {
      const known = newest.get(file.path);
      if (known === undefined || known.file.lastAt < file.lastAt)
        newest.set(file.path, { file, session });
    }
  }
  // One session's files are in order already.
  return states.size === 1
    ? [...newest.values()]
    : [...newest.values()].sort((a, b) => a.file.lastAt - b.file.lastAt);
}

/** Folds the sessions' contexts while there is time. */
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

/** Last known content of files; reads all calls of their sessions. */
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

export type { FileVersion } from '../projections/file-content.ts';

type Json = Record<string, unknown>;

/** Last known content of the files that a session's tools used, by path. */
export function lastVersions(project: Project, session: string): Map<string, FileVersion> {
  const calls = new Map<string, ToolCalled>();
  const versions = new Map<string, FileVersion>();
  for (const { fact } of historyOf(project, session)) {
    if (fact.type === 'tool.called') {
      const call = fact.data as ToolCalled;
      calls.set(call.toolUseId, call);
    } else if (fact.type === 'tool.succeeded') {
      const { toolUseId, response } = (fact as Fact<ToolSucceeded>).data;
      const call = calls.get(toolUseId);
      calls.delete(toolUseId);
      if (call !== undefined) noteVersion(project, versions, call, response);
    }
  }
  return versions;
}

/** What a file is after a call. */
export function noteVersion(
  project: Project,
  versions: Map<string, FileVersion>,
  { name, input }: ToolCalled,
  response: unknown,
): void {
  const path = fileOf(input);
  if (path === undefined || !isObject(input)) return;
  const after = contentAfter({
    name,
    input,
    response: wholeObject(project, response),
    before: versions.get(path),
    whole: (value) => wholeText(project, value),
  });
  if (after !== undefined) versions.set(path, after);
}

/** An event's text, also one in a blob. */
export function wholeText(
  { ports, layout, decoders }: Project,
  value: unknown,
): string | undefined {
  if (!isObject(value) || typeof value.$blob !== 'string') return stringOf(value);
  return getBlob(ports, layout, value.$blob, decoders)?.toString('utf8');
}

/** Values too large for their event are stored as JSON. */
export function wholeObject(project: Project, value: unknown): Json {
  if (!isObject(value)) return {};
  if (typeof value.$blob !== 'string') return value;
  try {
    const parsed: unknown = JSON.parse(wholeText(project, value) ?? 'null');
    return isObject(parsed) ? parsed : {};
  } catch {
    return {}; // plain text
  }
}
