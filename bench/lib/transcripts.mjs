import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { fixtures } from './program.mjs';
import { seeded } from './random.mjs';

/** Recorded transcripts; what is grown from them has their records, their sizes and most of their words. */
const SOURCES = [
  'claude-v1.0.17-long-edit-session.jsonl',
  'claude-v1.0.108-sidechain-tasks.jsonl',
  'claude-2.1.329-real-todo-app/transcript.jsonl',
];
const ID =
  /\b(?:toolu_\w{8,}|msg_\w{8,}|req_\w{8,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b/g;
const WORD = /[a-z]{5,20}/g;
/** Of the words, how many are exchanged for another of the same length: a session has its own. */
const EXCHANGED = 0.15;
const TEXT_CHARS = 200;

/** Transcripts without end, each a recorded one with other ids and partly other words. The same seed gives the same ones. */
export function* transcripts(seed = 1) {
  const sources = SOURCES.map((name) => readFileSync(path.join(fixtures, name), 'utf8'));
  const byLength = new Map();
  for (const word of new Set(sources.join('\n').match(WORD)))
    byLength.set(word.length, [...(byLength.get(word.length) ?? []), word]);
  for (let n = 0; ; n += 1) {
    const random = seeded(seed * 1_000_003 + n);
    const source = sources[n % sources.length];
    const own = exchange(byLength, random);
    const id = renaming(random);
    const lines = source
      .split('\n')
      .filter(Boolean)
      .map((line) => textsOf(JSON.parse(line), own))
      .map((record) => JSON.stringify(record).replace(ID, id));
    yield `${lines.join('\n')}\n`;
  }
}

/** In long texts alone: names and paths stay as they are. */
function textsOf(value, own) {
  if (typeof value === 'string')
    return value.length < TEXT_CHARS ? value : value.replace(WORD, own);
  if (Array.isArray(value)) return value.map((one) => textsOf(one, own));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, textsOf(one, own)]));
}

function exchange(byLength, random) {
  const known = new Map();
  return (word) => {
    if (!known.has(word)) {
      const same = byLength.get(word.length) ?? [word];
      known.set(word, random() < EXCHANGED ? same[Math.floor(random() * same.length)] : word);
    }
    return known.get(word);
  };
}

/** Other digits where an id has digits. */
function renaming(random) {
  const known = new Map();
  return (id) => {
    if (!known.has(id)) {
      const start = id.includes('_') ? id.indexOf('_') + 1 : 0;
      const digit = () => Math.floor(random() * 16).toString(16);
      known.set(id, id.slice(0, start) + id.slice(start).replace(/[0-9A-Za-z]/g, digit));
    }
    return known.get(id);
  };
}

/** One session's transcript of so many bytes: recorded ones, one behind the other, as one session. */
export function longTranscript(file, bytes, session) {
  const fd = openSync(file, 'w');
  let written = 0;
  let records = 0;
  for (const text of transcripts(5)) {
    for (const line of text.split('\n').filter(Boolean)) {
      const record = { ...JSON.parse(line), sessionId: session };
      // They are told apart by when they were: a transcript's clock goes on.
      if (record.timestamp !== undefined) {
        records += 1;
        record.timestamp = new Date(Date.UTC(2026, 0, 5) + records * 1000).toISOString();
      }
      written += writeSync(fd, `${JSON.stringify(record)}\n`);
    }
    if (written >= bytes) break;
  }
  closeSync(fd);
  return written;
}
