import type { ToolCalled, ToolSucceeded } from '../events/types.ts';
import { getBlob } from '../journal/append/blobs.ts';
import type { Project } from '../project/open.ts';
import type { Fact } from '../projections/contract.ts';
import { contentAfter, type FileVersion } from '../projections/file-content.ts';
import { fileOf, isObject, stringOf } from '../projections/tools-text.ts';
import { historyOf } from './history.ts';

export type { FileVersion } from '../projections/file-content.ts';

type Json = Record<string, unknown>;

/** The last known content of each file that a session's file tools touched, by path. */
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
      if (call !== undefined) succeeded(project, versions, call, response);
    }
  }
  return versions;
}

function succeeded(
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

/** A text of an event, wherever it is kept. */
export function wholeText(
  { ports, layout, decoders }: Project,
  value: unknown,
): string | undefined {
  if (!isObject(value) || typeof value.$blob !== 'string') return stringOf(value);
  return getBlob(ports, layout, value.$blob, decoders)?.toString('utf8');
}

/** An answer or an input that was too large as a whole is kept as JSON. */
export function wholeObject(project: Project, value: unknown): Json {
  if (!isObject(value)) return {};
  if (typeof value.$blob !== 'string') return value;
  try {
    const parsed: unknown = JSON.parse(wholeText(project, value) ?? 'null');
    return isObject(parsed) ? parsed : {};
  } catch {
    return {}; // a text, not an answer with parts
  }
}
