import { headOf, tailOf } from '../capture/excerpt.ts';
import { isObject, type Json, parseJson } from '../capture/json.ts';
import { compileRedaction, type RedactionConfig } from '../capture/redaction/index.ts';
import { isOrdinaryId, safeId } from '../capture/safe-id.ts';
import { projectDir } from './recording.ts';
import { settingsOfCall } from './settings.ts';
import type { Stdin } from './stdin.ts';

/** Characters kept of input that is not JSON. */
export const UNREADABLE_CHARS = 2000;
/** Characters kept of each end of input that is too large. */
export const END_CHARS = 4096;
/** Prefix of the event's name for input that is no JSON object. */
const UNREADABLE = 'Unreadable';
/** Where to look for the session in incomplete input, bytes: clients write it first. */
const NAMES_BYTES = 4096;

/**
 * A hook's stdin as an object. Unreadable input is kept as a report about it, without what may be part of a secret
 * at a cut.
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

/** Whether `parseInput` could not read it. */
export const isUnreadable = (event: string, input: Json): boolean =>
  input.hook_event_name === UNREADABLE + event;

/** Whether nothing came at all. */
export const isEmpty = ({ unreadable }: Json): boolean =>
  isObject(unreadable) && unreadable.bytes === 0;

function oversized(
  event: string,
  start: Buffer,
  { bytes, tail, isPrivate }: NonNullable<Stdin['oversized']>,
): Json {
  const redaction = rules();
  return {
    // Not named like the event itself: its fields are incomplete.
    hook_event_name: `Oversized${event}`,
    ...namesIn(start),
    oversized: {
      bytes,
      head: headOf(start.toString('utf8'), END_CHARS, false, redaction),
      tail: isPrivate ? '' : tailOf(tail.toString('utf8'), END_CHARS, redaction),
    },
  };
}

/** Session and transcript, if that much arrived. */
function namesIn(start: Buffer): Json {
  const text = start.toString('utf8', 0, NAMES_BYTES);
  const found = (name: string) =>
    new RegExp(`"${name}"\\s*:\\s*"([^"\\\\]{1,500})"`).exec(text)?.[1] ?? '';
  return { session_id: found('session_id'), transcript_path: found('transcript_path') };
}

/** Cuts are made after redaction, so the user's rules are needed here. */
function rules() {
  const { redaction } = settingsOfCall(projectDir({}));
  return compileRedaction(redaction as RedactionConfig).options;
}

/**
 * The same input with the ids of session and agent as they are stored. From here on no id holds a secret, and a
 * session has one id.
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
