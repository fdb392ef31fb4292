import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fixtures } from './program.mjs';

/** Recorded work that is mostly calls. */
const SOURCES = ['claude-v1.0.17-long-edit-session.jsonl', 'claude-v1.0.108-sidechain-tasks.jsonl'];
const ID =
  /\b(?:toolu_\w{8,}|msg_\w{8,}|req_\w{8,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b/g;
/** What is left of a text: many calls with short answers are what takes long to fold. */
const TEXT_CHARS = 100;
const LIST_MAX = 6;
const LEFT_OUT = new Set(['usage', 'originalFile']);
const START = Date.UTC(2026, 0, 5);

/**
 * A session of so many tool calls: recorded ones again and again, each time with other ids, a clock that goes on, and
 * short texts. About 2 KB a call.
 */
export function manyCalls(calls, session, cwd) {
  const recorded = SOURCES.map((name) =>
    readFileSync(path.join(fixtures, name), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => shortened(JSON.parse(line))),
  );
  const lines = [];
  let done = 0;
  for (let n = 0; done < calls; n += 1) {
    const again = (id) => `${id.slice(0, -6)}${n.toString(16).padStart(6, '0')}`;
    for (const record of recorded[n % recorded.length]) {
      const timestamp = new Date(START + lines.length * 1000).toISOString();
      const named = JSON.stringify({ ...record, timestamp, cwd }).replace(ID, again);
      const line = JSON.stringify({ ...JSON.parse(named), sessionId: session });
      lines.push(line);
      done += line.split('"type":"tool_use"').length - 1;
      if (done >= calls) break;
    }
  }
  return `${lines.join('\n')}\n`;
}

function shortened(value) {
  if (typeof value === 'string') return value.slice(0, TEXT_CHARS);
  if (Array.isArray(value)) return value.slice(0, LIST_MAX).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !LEFT_OUT.has(key))
      .map(([key, one]) => [key, shortened(one)]),
  );
}
