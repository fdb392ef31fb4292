import type { ToolCalled, ToolSucceeded } from '../events/types.ts';
import { getBlob } from '../journal/blobs.ts';
import type { Project } from '../project/open.ts';
import type { Fact } from '../projections/contract.ts';
import { isRedacted } from '../projections/file-text.ts';
import { fileOf, isObject, stringOf } from '../projections/tools-text.ts';
import { historyOf } from './history.ts';

/** What was in a file when the journal last saw it, or why that cannot be said. */
export type FileVersion =
  | { text: string; isRead: boolean; why?: never }
  | { why: string; text?: never; isRead?: never };

type Json = Record<string, unknown>;

const PARTLY_READ: FileVersion = { why: 'only a part of it was ever read' };
const NOT_KEPT: FileVersion = { why: 'the journal does not have what was in it' };

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

type Reader = (about: About) => FileVersion | undefined;

interface About {
  input: Json;
  response: Json;
  before: FileVersion | undefined;
  /** The whole text of a value that may have gone to a blob. */
  whole: (value: unknown) => string | undefined;
}

/** By tool: what is in the file after it. Undefined: it tells nothing new. */
const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  [
    'Write',
    ({ input, response, whole }) => written(whole(input.content) ?? whole(response.content)),
  ],
  ['Edit', edit],
  ['MultiEdit', edit],
  ['NotebookEdit', () => NOT_KEPT],
  ['Read', read],
]);

function succeeded(
  project: Project,
  versions: Map<string, FileVersion>,
  { name, input }: ToolCalled,
  response: unknown,
): void {
  const path = fileOf(input);
  const reader = READERS.get(name);
  if (path === undefined || reader === undefined || !isObject(input)) return;
  const whole = (value: unknown) => wholeText(project, value);
  const after = reader({
    input,
    response: wholeObject(project, response),
    before: versions.get(path),
    whole,
  });
  if (after === undefined) return;
  const hasSecret = after.text !== undefined && isRedacted(after.text);
  versions.set(path, hasSecret ? { why: 'a secret in it was not recorded' } : after);
}

const written = (text: string | undefined): FileVersion =>
  text === undefined ? NOT_KEPT : { text, isRead: false };

function edit({ input, response, before, whole }: About): FileVersion {
  // The client can let the user correct an edit: then the input is not what was done.
  if (response.userModified === true)
    return { why: 'the user changed the edit before it was made' };
  let text = whole(response.originalFile ?? response.originalFileContents) ?? before?.text;
  const edits = Array.isArray(input.edits) ? input.edits : [input];
  for (const one of edits) {
    if (text === undefined || !isObject(one)) return NOT_KEPT;
    text = replaced(text, whole(one.old_string), whole(one.new_string), one.replace_all === true);
  }
  return written(text);
}

/** Undefined when the old text is not there: the client is more lenient than we can be. */
function replaced(
  text: string,
  old: string | undefined,
  fresh: string | undefined,
  all: boolean,
): string | undefined {
  if (old === undefined || fresh === undefined) return undefined;
  if (old === '') return text === '' ? fresh : undefined;
  const at = text.indexOf(old);
  if (at === -1) return undefined;
  if (all) return text.split(old).join(fresh);
  return text.slice(0, at) + fresh + text.slice(at + old.length);
}

function read({ response, before, whole }: About): FileVersion | undefined {
  const { file } = response;
  const text = response.type === 'text' && isObject(file) ? whole(file.content) : undefined;
  if (text === undefined || !isObject(file)) return before === undefined ? NOT_KEPT : undefined;
  if (file.startLine === 1 && file.numLines === file.totalLines) return { text, isRead: true };
  return before === undefined ? PARTLY_READ : undefined;
}

function wholeText({ ports, layout, decoders }: Project, value: unknown): string | undefined {
  if (!isObject(value) || typeof value.$blob !== 'string') return stringOf(value);
  return getBlob(ports, layout, value.$blob, decoders)?.toString('utf8');
}

/** An answer that was too large as a whole is kept as JSON. */
function wholeObject(project: Project, value: unknown): Json {
  if (!isObject(value)) return {};
  if (typeof value.$blob !== 'string') return value;
  try {
    const parsed: unknown = JSON.parse(wholeText(project, value) ?? 'null');
    return isObject(parsed) ? parsed : {};
  } catch {
    return {}; // a text, not an answer with parts
  }
}
