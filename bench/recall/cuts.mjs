// The moments at which the next-reference benchmark compacts, and what the turns after them will use.
import path from 'node:path';
import { fixtures, root } from '../lib/program.mjs';
import { commandsOf, holds, referencesIn } from './references.mjs';
import { aboutOf, charsOf, partsOf, readRecords, turnStarts, valuesOf } from './transcript.mjs';

const LONG = path.join(fixtures, 'claude-v1.0.17-long-edit-session.jsonl');
const client = path.join(root, 'tests', 'fixtures', 'real-client');
const below = (folder, file) => path.join(client, folder, 'projects', '-home-dev-todo-app', file);

/** Every recorded Claude Code session with enough turns for a cut. */
const SESSIONS = [
  LONG,
  path.join(fixtures, 'claude-v1.0.108-sidechain-tasks.jsonl'),
  path.join(fixtures, 'claude-v1.0.98-short.jsonl'),
  path.join(fixtures, 'claude-2.1.329-real-todo-app', 'transcript.jsonl'),
  below('working-session', '30b880a7-fe98-4d0f-a93b-90cbba457205.jsonl'),
];
/** Those in which the client compacted, and so wrote a summary of its own. */
const COMPACTED = [
  ...SESSIONS,
  below('two-compactions', 'e8161f67-2508-4a37-9221-c245624adab9.jsonl'),
];

/** What counts as a long history, in characters of what was said, asked and answered. */
export const LONG_CHARS = 45_000;
const TURNS_BEFORE_MIN = 3;
const TURNS_AFTER = 10;
const TURNS_AFTER_MIN = 5;
const WRITES = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);

/**
 * The references that the next ten turns use (in the agent's words and in what it asks of tools) and that were there
 * before. @param written whether the text of files that it writes counts
 */
export function nextReferences(before, after, cwd, written = true) {
  const past = before.flatMap(partsOf);
  const pastText = past.map(({ text }) => text).join('\n');
  const used = new Set();
  for (const part of after.flatMap(partsOf)) {
    if (part.kind !== 'text' && part.kind !== 'call') continue;
    const short = part.kind === 'call' && !written && WRITES.has(part.name);
    const text = short ? (part.input.file_path ?? part.input.notebook_path ?? '') : part.text;
    for (const one of referencesIn(text, cwd)) used.add(one);
    if (part.kind === 'call' && part.name === 'Bash') {
      for (const command of commandsOf(part.input.command ?? '')) used.add(`command ${command}`);
    }
  }
  return [...used].filter((one) => holds(pastText, one, cwd));
}

/** The records of the long session's start, told as the beginning of this one: other ids, one chain of parents. */
function withHistory(records, first) {
  const { session } = aboutOf(records);
  const earlier = first.map((record) => ({ ...record, sessionId: session }));
  const last = earlier.findLast(({ uuid }) => uuid !== undefined)?.uuid;
  const root = records.findIndex(({ uuid }) => uuid !== undefined);
  const joined = records.map((one, n) => (n === root ? { ...one, parentUuid: last } : one));
  return [...earlier, ...joined];
}

/** The long session's turns up to a length that makes any history after it a long one. */
function longStart() {
  const records = readRecords(LONG);
  const starts = turnStarts(records);
  const end = starts.find((start) => charsOf(records.slice(0, start)) >= LONG_CHARS);
  return records.slice(0, end);
}

function cutsOf(name, records, first, grown) {
  const { cwd } = aboutOf(records.slice(first));
  const starts = turnStarts(records).filter((start) => start >= first);
  const cuts = [];
  for (let turn = TURNS_BEFORE_MIN; turn + TURNS_AFTER_MIN <= starts.length; turn += 1) {
    const before = records.slice(0, starts[turn]);
    const after = records.slice(starts[turn], starts[turn + TURNS_AFTER] ?? records.length);
    const references = nextReferences(before, after, cwd);
    if (references.length === 0) continue;
    const said = nextReferences(before, after, cwd, false);
    cuts.push({ name, turn, cwd, grown, before, references, said, chars: charsOf(before) });
  }
  return cuts;
}

/** Every cut of every recorded session as it is, and the short sessions once more after a long beginning. */
export function allCuts() {
  const start = longStart();
  return SESSIONS.flatMap((file) => {
    const name = path.basename(file, '.jsonl');
    const records = readRecords(file);
    const real = cutsOf(name, records, 0, false);
    if (file === LONG) return real;
    return [...real, ...cutsOf(name, withHistory(records, start), start.length, true)];
  });
}

/** The compactions that the client itself made in recorded sessions, as cuts with its `summary`. */
export function recordedCompactions() {
  return COMPACTED.flatMap((file) => {
    const records = readRecords(file);
    const { cwd } = aboutOf(records);
    const starts = turnStarts(records);
    return records.flatMap((record, n) => {
      if (record.isCompactSummary !== true) return [];
      const first = starts.findIndex((start) => start > n);
      if (first < 0) return [];
      const boundary = records.findLastIndex(
        (one, k) => k < n && one.subtype === 'compact_boundary',
      );
      const before = records.slice(0, boundary < 0 ? n : boundary);
      const after = records.slice(n + 1, starts[first + TURNS_AFTER] ?? records.length);
      const summary = valuesOf(record.message.content).join('\n');
      const references = nextReferences(before, after, cwd);
      return references.length === 0 ? [] : [{ cwd, before, references, summary }];
    });
  });
}
