import { contentAfter } from '../file-content.ts';
import { type ContentName, contentName, isRedacted } from '../file-text.ts';
import { isObject, stringOf, textOf } from '../tools-text.ts';

interface Seen {
  content: ContentName | null;
  /** How it starts, at least; undefined when nothing is known. */
  text?: string | undefined;
}

/** Null of a text that a secret was taken out of. */
export const hashed = (text: string): ContentName | null =>
  isRedacted(text) ? null : contentName(text);

/**
 * What the answer of a reading or editing tool tells of the whole file: an edit's answer has the file before it, and what
 * was replaced by what. Texts that went to a blob are not at hand.
 * @returns undefined when it tells nothing new
 */
export function contentSeen(name: string, response: unknown, isKnown: boolean): Seen | undefined {
  const nothing: Seen = { content: null };
  // An answer of words alone; a whole answer, or the text in it, that went to a blob.
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
