import { headOf, tailOf } from '../capture/excerpt.ts';
import { isObject, type Json, parseJson } from '../capture/json.ts';
import { compileRedaction, type RedactionConfig } from '../capture/redaction/index.ts';
import { isOrdinaryId, safeId } from '../capture/safe-id.ts';
import { projectDir } from './recording.ts';
import { settingsOfCall } from './settings.ts';
import type { Stdin } from './stdin.ts';

/** Characters of an input that is no JSON which are kept, to be able to tell what it was. */
export const UNREADABLE_CHARS = 2000;
/** Characters of either end of an input that is too large which are kept. */
export const END_CHARS = 4096;
/** How the name begins under which an input is kept that is no JSON object. */
const UNREADABLE = 'Unreadable';
/** Where in an input that is not whole its session is looked for, bytes: clients write it first. */
const NAMES_BYTES = 4096;

/**
 * A hook's stdin as an object. What cannot be read as one is kept as a finding about it: nothing is thrown away, but
 * for what may be part of a secret beside a cut.
 */
export function parseInput(event: string, stdin: Stdin): Json {
  if (stdin.oversized !== undefined) return oversized(event, stdin.bytes, stdin.oversized);
  const text = stdin.bytes.toString('utf8').replace(/^\ufeff/, '');
  let isWhole = false;
  try {
    const value: unknown = parseJson(text);
    if (isObject(value)) return value;
    isWhole = true;
  } catch {
    // Truncated, or never JSON.
  }
  const head = headOf(text, UNREADABLE_CHARS, isWhole, rules());
  return {
    hook_event_name: UNREADABLE + event,
    ...namesIn(stdin.bytes),
    unreadable: { bytes: stdin.bytes.length, head },
  };
}

/** Whether that is what `parseInput` made of it. */
export const isUnreadable = (event: string, input: Json): boolean =>
  input.hook_event_name === UNREADABLE + event;

/** Whether of that nothing came at all. */
export const isEmpty = ({ unreadable }: Json): boolean =>
  isObject(unreadable) && unreadable.bytes === 0;

function oversized(
  event: string,
  start: Buffer,
  { bytes, tail, isPrivate }: NonNullable<Stdin['oversized']>,
): Json {
  const redaction = rules();
  return {
    // Named so that it is not taken for the event itself, whose fields are not all there.
    hook_event_name: `Oversized${event}`,
    ...namesIn(start),
    oversized: {
      bytes,
      head: headOf(start.toString('utf8'), END_CHARS, false, redaction),
      tail: isPrivate ? '' : tailOf(tail.toString('utf8'), END_CHARS, redaction),
    },
  };
}

/** What it belongs to, as far as that came: a client may have died half-way. */
function namesIn(start: Buffer): Json {
  const text = start.toString('utf8', 0, NAMES_BYTES);
  const found = (name: string) =>
    new RegExp(`"${name}"\\s*:\\s*"([^"\\\\]{1,500})"`).exec(text)?.[1] ?? '';
  return { session_id: found('session_id'), transcript_path: found('transcript_path') };
}

/** A cut comes behind redaction, so the user's own rules are needed here already. */
function rules() {
  const { redaction } = settingsOfCall(projectDir({}));
  return compileRedaction(redaction as RedactionConfig).options;
}

/**
 * The same input, whose session and agent are called as they are kept. From here on nobody knows a secret by which somebody calls
 * them, and what belongs together is looked for under one name.
 */
export function withSafeIds(input: Json): Json {
  const unsafe = ['session_id', 'agent_id'].filter((name) => {
    const id = input[name];
    return typeof id === 'string' && !isOrdinaryId(id);
  });
  if (unsafe.length === 0) return input;
  const { redaction } = settingsOfCall(projectDir(input));
  const { options } = compileRedaction(redaction as RedactionConfig);
  return {
    ...input,
    ...Object.fromEntries(unsafe.map((name) => [name, safeId(String(input[name]), options)])),
  };
}
