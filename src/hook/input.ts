import { isObject, type Json } from '../capture/json.ts';
import type { Stdin } from './stdin.ts';

/** Characters of an input that is no JSON which are kept, to be able to tell what it was. */
const HEAD_CHARS = 2000;

/** A hook's stdin as an object. What cannot be read as one is kept as a finding about it: nothing is thrown away. */
export function parseInput(event: string, stdin: Stdin): Json {
  if (stdin.oversized !== undefined) {
    const head = stdin.bytes.toString('utf8');
    const found = (name: string) =>
      new RegExp(`"${name}"\\s*:\\s*"([^"\\\\]{1,500})"`).exec(head)?.[1];
    const { bytes, sha256, tail } = stdin.oversized;
    return {
      // Named so that it is not taken for the event itself, whose fields are not all there.
      hook_event_name: `Oversized${event}`,
      session_id: found('session_id') ?? '',
      transcript_path: found('transcript_path') ?? '',
      oversized: { bytes, sha256, head, tail },
    };
  }
  const text = stdin.bytes.toString('utf8').replace(/^\ufeff/, '');
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Truncated, or never JSON.
  }
  return {
    hook_event_name: `Unreadable${event}`,
    unreadable: { bytes: stdin.bytes.length, head: text.slice(0, HEAD_CHARS) },
  };
}
