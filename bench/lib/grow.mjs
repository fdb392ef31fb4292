import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fixtures } from './program.mjs';
import { seeded } from './random.mjs';
import { scratch } from './scratch.mjs';

/** Real sessions; sizes, types and their order are theirs. */
const TRANSCRIPTS = [
  'claude-v1.0.17-long-edit-session.jsonl',
  'claude-v1.0.108-sidechain-tasks.jsonl',
  'claude-v1.0.98-short.jsonl',
  'claude-v2.1.220-every-record-type-trimmed.jsonl',
  'claude-2.1.329-real-todo-app/transcript.jsonl',
];
const HOOKS = 'claude-2.1.329-real-todo-app/hooks.jsonl';
export const FIXTURES = [...TRANSCRIPTS, HOOKS].map((name) => path.join(fixtures, name));

/** The first grown session starts here; each starts an hour after the one before it. */
const START = Date.UTC(2026, 0, 5);
const HOUR = 3_600_000;
/** Shorter texts are commands, paths and names: they stay as they are. */
const LONG_TEXT_CHARS = 200;
/** Of the words of a long text, how many are exchanged for another word of the same length. */
const EXCHANGED = 0.15;
const WORD = /[A-Za-z]{5,20}/g;
const CLIENT_ID = /^(?:toolu_|msg_|[0-9a-f]{8}-[0-9a-f]{4}-)/;

const linesOf = (name) =>
  readFileSync(path.join(fixtures, name), 'utf8').split('\n').filter(Boolean).map(parsed);

function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}

/** What each recorded session says, in the program's own terms: its transcript imported, its ends from its hooks. */
function recordings(program) {
  const { openProject, importTranscripts, readEvents, observeHook, xxh64, lock } = program;
  const hooks = linesOf(HOOKS);
  const hook = (name) => hooks.find((input) => input.hook_event_name === name);
  return TRANSCRIPTS.map((name) => {
    const project = openProject(scratch(), { lockBudgetMs: 5000, lock });
    importTranscripts({
      ...project,
      recorder: project.recorder,
      paths: [path.join(fixtures, name)],
    });
    const seen = [...readEvents(project.reader, xxh64, {})];
    project.close();
    const first = seen.find(({ at }) => at !== null)?.at ?? 0;
    const last = Math.max(...seen.map(({ at }) => at ?? 0));
    const started = observeHook('SessionStart', hook('SessionStart'), first);
    const stopped = observeHook('Stop', hook('Stop'), last);
    const ended = observeHook('SessionEnd', hook('SessionEnd'), last);
    return { first, seen: [started, ...seen, stopped, ended] };
  });
}

/**
 * Observations without end, session after session: the recorded ones in turn, with other ids, other times and partly
 * other words, so that neither a name nor a text comes twice. The same seed gives the same ones.
 */
export function* grow(program, seed = 1) {
  const sources = recordings(program);
  const words = vocabulary(sources);
  for (let n = 0; ; n += 1) {
    const random = seeded(seed * 1_000_003 + n);
    const { first, seen } = sources[n % sources.length];
    const session = uuid(`${seed}:${n}`);
    const exchanged = new Map();
    const word = (found) => {
      let other = exchanged.get(found);
      if (other === undefined) {
        const same = words.get(found.length);
        other = random() < EXCHANGED ? same[Math.floor(random() * same.length)] : found;
        exchanged.set(found, other);
      }
      return other;
    };
    const text = (value) => {
      if (CLIENT_ID.test(value)) return renamed(value, `${seed}:${n}`);
      return value.length < LONG_TEXT_CHARS ? value : value.replace(WORD, word);
    };
    for (const [index, { type, agent, at, data }] of seen.entries()) {
      const when = START + n * HOUR + Math.max(0, (at ?? first) - first);
      yield { type, fact: `grown:${index}`, session, agent, at: when, data: mapTexts(data, text) };
    }
  }
}

function vocabulary(sources) {
  const found = new Set();
  const note = (value) => {
    if (value.length >= LONG_TEXT_CHARS)
      for (const word of value.match(WORD) ?? []) found.add(word);
    return value;
  };
  for (const { seen } of sources) for (const { data } of seen) mapTexts(data, note);
  const byLength = new Map();
  for (const word of found) {
    const same = byLength.get(word.length);
    if (same === undefined) byLength.set(word.length, [word]);
    else same.push(word);
  }
  return byLength;
}

function mapTexts(value, text) {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, v]) => [key, mapTexts(v, text)]));
}

const sha = (text) => createHash('sha256').update(text).digest('hex');

/** Another id of the same form and length. */
function renamed(id, salt) {
  const hex = sha(`${salt}:${id}`);
  if (id.startsWith('toolu_') || id.startsWith('msg_')) {
    const [head] = id.split('_', 1);
    return `${head}_${hex.slice(0, id.length - head.length - 1)}`;
  }
  return id.length === 36 ? uuid(`${salt}:${id}`) : id;
}

function uuid(text) {
  const hex = sha(text);
  return [8, 4, 4, 4, 12]
    .map((n, i, all) => {
      const from = all.slice(0, i).reduce((sum, m) => sum + m, 0);
      return hex.slice(from, from + n);
    })
    .join('-');
}
