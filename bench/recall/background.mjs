// The work around the planted facts: turns of recorded sessions, their tool calls again and again.
import path from 'node:path';
import { fixtures } from '../lib/program.mjs';
import { aboutOf, partsOf, readRecords, turnStarts } from './transcript.mjs';
import { CWD } from './world.mjs';

const SESSIONS = [
  'claude-v1.0.17-long-edit-session.jsonl',
  'claude-v1.0.108-sidechain-tasks.jsonl',
  'claude-v1.0.98-short.jsonl',
  'claude-2.1.329-real-todo-app/transcript.jsonl',
];
/** Long outputs and file bodies are cut: the benchmark is about turns, not about megabytes. */
const TEXT_CHARS_MAX = 1500;
/** Said again, a longer text would be a user's rule or an agent's decision for the second time. */
const SAID_AGAIN_CHARS_MAX = 120;

const cut = (value) => {
  if (typeof value === 'string') return value.slice(0, TEXT_CHARS_MAX);
  if (Array.isArray(value)) return value.map(cut);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, cut(one)]));
};

/** The turns of one recorded session: `{ prompt?, say?, calls }`. */
function recorded(name) {
  const records = readRecords(path.join(fixtures, name));
  const { cwd } = aboutOf(records);
  const here = JSON.parse(JSON.stringify(records).replaceAll(cwd, CWD));
  const starts = turnStarts(here);
  return starts.map((start, n) => turnOf(here.slice(start, starts[n + 1] ?? here.length)));
}

function turnOf(records) {
  const parts = records.flatMap(partsOf);
  const texts = (kind) => parts.filter((part) => part.kind === kind).map(({ text }) => text);
  const results = new Map(
    parts.filter(({ kind }) => kind === 'result').map((one) => [one.id, one]),
  );
  const calls = parts
    .filter(({ kind }) => kind === 'call')
    .map(({ id, name, input }) => {
      const { text = '', failed = false } = results.get(id) ?? {};
      return { name, input: cut(input), output: cut(text), exit: failed ? 1 : 0 };
    });
  const turn = { prompt: texts('prompt').join('\n\n'), say: texts('text').join('\n\n'), calls };
  return Object.fromEntries(Object.entries(turn).filter(([, value]) => value.length > 0));
}

/** What of a turn may come again: its calls, and what the agent says in passing. */
function again({ say = '', calls }) {
  if (calls === undefined) return [];
  return [say !== '' && say.length <= SAID_AGAIN_CHARS_MAX ? { say, calls } : { calls }];
}

/** @returns so many turns, in the order in which the sessions have them; from the second time on only what may come again */
export function background(count) {
  const first = SESSIONS.flatMap(recorded);
  const later = first.flatMap(again);
  return Array.from({ length: count }, (_, n) =>
    n < first.length ? first[n] : later[(n - first.length) % later.length],
  );
}
