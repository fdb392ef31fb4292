// The work around the planted facts: turns of recorded sessions again and again, partly in other words each time.
import path from 'node:path';
import { fixtures } from '../lib/program.mjs';
import { aboutOf, partsOf, readRecords, turnStarts } from './transcript.mjs';
import { CWD, pick } from './world.mjs';

const SESSIONS = [
  'claude-v1.0.17-long-edit-session.jsonl',
  'claude-v1.0.108-sidechain-tasks.jsonl',
  'claude-v1.0.98-short.jsonl',
  'claude-2.1.329-real-todo-app/transcript.jsonl',
];
/** Long outputs and file bodies are cut: the benchmark is about turns, not about megabytes. */
const TEXT_CHARS_MAX = 1500;
/** Of the words of a text, how many become another word of the same length. */
const EXCHANGED = 0.15;
const WORD = /(?<![\w/.`'"-])[A-Za-z]{5,14}(?![\w/.`'"(-])/g;

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

/** @returns so many turns, in the order in which the sessions have them */
export function background(count, random) {
  const turns = SESSIONS.flatMap(recorded);
  const byLength = vocabulary(turns);
  return Array.from({ length: count }, (_, n) => {
    const turn = turns[n % turns.length];
    return n < turns.length ? turn : reworded(turn, byLength, random);
  });
}

function vocabulary(turns) {
  const byLength = new Map();
  for (const { prompt = '', say = '' } of turns) {
    for (const [word] of `${prompt} ${say}`.matchAll(WORD)) {
      byLength.set(word.length, [...(byLength.get(word.length) ?? []), word]);
    }
  }
  return byLength;
}

/** Another telling of a turn: names, paths and code stay as they are. */
function reworded(turn, byLength, random) {
  const other = (text) =>
    text?.replace(WORD, (word) =>
      random() < EXCHANGED ? pick(byLength.get(word.length) ?? [word], random) : word,
    );
  const { prompt, say, ...rest } = turn;
  return { ...rest, ...(prompt && { prompt: other(prompt) }), ...(say && { say: other(say) }) };
}
