import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fixtures } from './program.mjs';

const SOURCE = 'claude-v1.0.17-long-edit-session.jsonl';
const ID = /\b(?:toolu_\w+|msg_\w+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b/g;

/** The recorded session again and again, with other ids each time, until it is so long; its lines, as of this session. */
export function transcript(bytes, session) {
  const text = readFileSync(path.join(fixtures, SOURCE), 'utf8');
  const ids = new Set(text.match(ID));
  const parts = [];
  let length = 0;
  for (let n = 0; length < bytes; n += 1) {
    const digit = n.toString(16).padStart(4, '0');
    const part = text.replace(ID, (id) => (ids.has(id) ? id.slice(0, -4) + digit : id));
    parts.push(part);
    length += Buffer.byteLength(part);
  }
  const lines = parts.join('').split('\n').filter(Boolean);
  return lines.map((line) => JSON.stringify({ ...JSON.parse(line), sessionId: session }));
}

/** Takes lines off a list's start until they are at least so many bytes; the text that they are. */
export function taken(lines, bytes) {
  let count = 0;
  let length = 0;
  while (length < bytes && count < lines.length) {
    length += Buffer.byteLength(lines[count]) + 1;
    count += 1;
  }
  return `${lines.splice(0, count).join('\n')}\n`;
}

/**
 * The same text, as if it had been written up to now: what hooks tell has no other place in a session's history than its time,
 * and nothing of a real transcript is much older than the hook that reads it.
 */
export function writtenNow(text) {
  const lines = text.split('\n');
  const end = Date.now();
  const stamp = (index) => new Date(end - (lines.length - index)).toISOString();
  return lines
    .map((line, index) => line.replace(/"timestamp":"[^"]*"/, `"timestamp":"${stamp(index)}"`))
    .join('\n');
}
