import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fixtures } from './program.mjs';

/** A tool's result as the client hands it to a hook. */
export const PAYLOAD_BYTES = 4096;

const recorded = path.join(fixtures, 'claude-2.1.329-real-todo-app');
const hooks = readFileSync(path.join(recorded, 'hooks.jsonl'), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line));
const failed = hooks.find(({ hook_event_name }) => hook_event_name === 'PostToolUseFailure');
const done = hooks.find(
  ({ hook_event_name, tool_name }) => hook_event_name === 'PostToolUse' && tool_name === 'Bash',
);

/**
 * A recorded PostToolUse whose output is filled up to 4 KB with recorded output; `id` makes it a fact of its own. By its transcript the
 * monitor sees how full the context is.
 */
export function postToolUse(session, id, dir) {
  const transcript_path = path.join(recorded, 'transcript.jsonl');
  const payload = { ...done, session_id: session, transcript_path, cwd: dir, tool_use_id: id };
  payload.tool_response = { ...done.tool_response, stdout: '' };
  const room = PAYLOAD_BYTES - Buffer.byteLength(JSON.stringify(payload));
  const output = Buffer.from(failed.error.replace(/[^\x20-\x7e]/g, ' ').repeat(10));
  payload.tool_response.stdout = output.subarray(0, room).toString().replace(/["\\]/g, ' ');
  return payload;
}

/** Without a transcript the monitor does not look. */
export const unwatched = (payload) => ({ ...payload, transcript_path: '' });

/** Whether it looked, so that each further look compares with what it wrote. */
export const isWatched = (dir, session) =>
  existsSync(path.join(dir, '.ben10', 'monitor', `${session}.json`));

export const hookInput = (name) =>
  structuredClone(hooks.find(({ hook_event_name }) => hook_event_name === name));

/** A hook's input as the client fills it into a call of a tool: objects as JSON in a text. */
export const filledIn = (payload) =>
  Object.fromEntries(
    Object.entries(payload).map(([key, value]) => [
      key,
      typeof value === 'object' ? JSON.stringify(value) : value,
    ]),
  );
