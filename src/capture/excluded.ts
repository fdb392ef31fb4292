import { isObject, type Json, text } from './json.ts';

/** The pattern that excludes a file's content; undefined if none does. */
export type ExcludedBy = (file: string) => string | undefined;

/**
 * An event's data without the content of excluded files: of a file tool's input and answer only the file's name and
 * the pattern stay.
 * @param file the file of an answer that names none
 */
export function withoutExcluded<T extends object>(
  data: T,
  file: string | undefined,
  by: ExcludedBy | undefined,
): T {
  if (by === undefined) return data;
  const { input, response, payload } = data as Json;
  // Most data needs no copy.
  let kept = data as Json;
  const replace = (name: string, value: unknown) => {
    if (value !== (data as Json)[name]) kept = { ...kept, [name]: value };
  };
  replace('input', stripped(input, undefined, by));
  if ('response' in data) replace('response', stripped(response, file, by));
  // A hook stored as it came, such as a permission request.
  if (isObject(payload)) replace('payload', strippedCall(payload, by));
  return kept as T;
}

function strippedCall(payload: Json, by: ExcludedBy): Json {
  const { tool_input: input, tool_response: response } = payload;
  return {
    ...payload,
    ...('tool_input' in payload && { tool_input: stripped(input, undefined, by) }),
    ...('tool_response' in payload && { tool_response: stripped(response, nameIn(input), by) }),
  };
}

function stripped(value: unknown, file: string | undefined, by: ExcludedBy): unknown {
  const name = nameIn(value) ?? file;
  const pattern = name === undefined ? undefined : by(name);
  return pattern === undefined ? value : { file_path: name, excluded: pattern };
}

/** The field has several names; of what was read it is one level down. */
function nameIn(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const { file_path, filePath, notebook_path, path, file } = value;
  const name = text(file_path) ?? text(filePath) ?? text(notebook_path) ?? text(path);
  return name ?? (isObject(file) ? text(file.filePath) : undefined);
}
