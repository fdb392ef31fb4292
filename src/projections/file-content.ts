import { type ContentName, contentName, isRedacted } from './file-text.ts';
import { isObject, stringOf, textOf } from './tools-text.ts';

/** A file's content after a tool call, or why it is unknown. */
export type FileVersion =
  | { text: string; isRead: boolean; why?: never }
  | { why: string; text?: never; isRead?: never };

type Json = Record<string, unknown>;

interface FileCall {
  name: string;
  input: Json;
  response: Json;
  before: FileVersion | undefined;
  /** The whole text of a value that may be stored elsewhere; undefined where it is missing. */
  whole: (value: unknown) => string | undefined;
}

const PARTLY_READ: FileVersion = { why: 'only a part of it was ever read' };
const NOT_KEPT: FileVersion = { why: 'the journal does not have what was in it' };

type Reader = (call: FileCall) => FileVersion | undefined;

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

/** Undefined when the call says nothing new. */
export function contentAfter(call: FileCall): FileVersion | undefined {
  const after = READERS.get(call.name)?.(call);
  const hasSecret = after?.text !== undefined && isRedacted(after.text);
  return hasSecret ? { why: 'a secret in it was not recorded' } : after;
}

const written = (text: string | undefined): FileVersion =>
  text === undefined ? NOT_KEPT : { text, isRead: false };

function edit({ input, response, before, whole }: FileCall): FileVersion {
  // The user may correct an edit in the client: then the input is not what was done.
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

/** Undefined when the old text is missing: the client's matching is more lenient. */
function replaced(
  text: string,
  old: string | undefined,
  fresh: string | undefined,
  all: boolean,
): string | undefined {
  if (old === undefined || fresh === undefined) return undefined;
  if (old === '') return text === '' ? fresh : undefined;
  // The client takes the line end away with what it deletes.
  const isLine = fresh === '' && !old.endsWith('\n') && text.includes(`${old}\n`);
  const gone = isLine ? `${old}\n` : old;
  const at = text.indexOf(gone);
  if (at === -1) return undefined;
  if (all) return text.split(gone).join(fresh);
  return text.slice(0, at) + fresh + text.slice(at + gone.length);
}

function read({ response, before, whole }: FileCall): FileVersion | undefined {
  const { file } = response;
  const text = response.type === 'text' && isObject(file) ? whole(file.content) : undefined;
  if (text === undefined || !isObject(file)) return before === undefined ? NOT_KEPT : undefined;
  if (file.startLine === 1 && file.numLines === file.totalLines) return { text, isRead: true };
  return before === undefined ? PARTLY_READ : undefined;
}

interface Seen {
  content: ContentName | null;
  /** At least its start; undefined when unknown. */
  text?: string | undefined;
}

export const hashed = (text: string): ContentName | null =>
  isRedacted(text) ? null : contentName(text);

/** The file's whole content, from a tool's answer alone; blobs are not read. Undefined when the answer says nothing new. */
export function contentSeen(name: string, response: unknown, isKnown: boolean): Seen | undefined {
  const nothing: Seen = { content: null };
  // Only words, or all of it in a blob.
  if (!isObject(response) || response.$blob !== undefined) return nothing;
  const { file, edits } = response;
  if (isObject(file) && isObject(file.content))
    return { content: null, text: textOf(file.content) };
  const after = contentAfter({
    name,
    input: Array.isArray(edits) ? { edits } : editOf(response),
    response,
    before: isKnown ? { why: 'only its name is kept' } : undefined,
    whole: stringOf,
  });
  if (after === undefined) return undefined;
  if (after.text === undefined) return nothing;
  return { content: hashed(after.text), text: after.text };
}

const editOf = ({ oldString, newString, replaceAll }: Record<string, unknown>) => ({
  old_string: oldString,
  new_string: newString,
  replace_all: replaceAll,
});
