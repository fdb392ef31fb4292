import { isMachineSecret, type ValueForm } from './values.ts';

/** Shorter ones are numbers and names. */
const CHARS_MIN = 16;
/** What agents call their sessions: a UUID, or an id that says its kind (`session_01…`, `ses_…`). */
const OF_AGENT = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|^[a-z]{2,12}_/i;
/** Hashes, traces. */
const HEX = /^[\da-f-]+$/i;

/** Whether a text is what a web server knows someone again by. An agent's session is none: ben10's journal is full of them. */
export const isSessionId = (value: string, form: ValueForm): boolean =>
  value.length >= CHARS_MIN && !OF_AGENT.test(value) && isMachineSecret(value, form);

/** The same under a name that says less. */
export const isMixedSessionId = (value: string, form: ValueForm): boolean =>
  isSessionId(value, form) && !HEX.test(value);

/** The longest label, and what stands between it and a UUID's third part. */
const NEAR_CHARS = 40;

/**
 * Whether no UUID stands behind the label at `at`. Transcripts have one in each line: no expression is tried for them, as that
 * would double what it costs to search one.
 */
export function mayBeSession(text: string, at: number): boolean {
  const near = text.slice(at, at + NEAR_CHARS);
  let from = 0;
  while (from < near.length && !':=?%\x1b'.includes(near[from] ?? '')) from += 1;
  if (from === near.length) return false;
  while (' "\'\\:='.includes(near[from] ?? '-')) from += 1;
  return near[from + 8] !== '-' || near[from + 13] !== '-';
}
