import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, renameSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { FIXTURES, grow } from './grow.mjs';
import { cache, digestOfFiles, root } from './program.mjs';
import { seeded } from './random.mjs';
import { scratch } from './scratch.mjs';

const SOURCES = [
  ...FIXTURES,
  ...['large.mjs', 'grow.mjs'].map((name) => fileURLToPath(new URL(name, import.meta.url))),
  ...['journal/format/format.ts', 'events/types.ts', 'events/catalogue.ts'].map((file) =>
    path.join(root, 'src', file),
  ),
];
/** Sessions that are taken as they are grown; each later one is one of them again, with other ids, times and turns of words. */
const PATTERNS = 10;
const BATCH = 256;
const HOUR = 3_600_000;
/** Shorter texts are names and paths: they stay as they are. */
const TEXT_CHARS = 100;
const CLIENT_ID = /^(?:toolu_|msg_|[0-9a-f]{8}-[0-9a-f]{4}-)/;
/** Of a frame beside its body, bytes. */
const FRAME_BYTES = 170;

/** Events that the client's own clock and the transcript give no end to; the mean of their JSON is `bytes`. */
export function* events(program, bytes, seed = 3) {
  const patterns = sized(patternsOf(program), bytes);
  const random = seeded(seed);
  for (let n = 0; ; n += 1) {
    const { session, seen } = patterns[n % patterns.length];
    const hex = n.toString(16).padStart(8, '0');
    const shift = Math.floor(n / patterns.length) * patterns.length * HOUR;
    const text = (value) => {
      if (CLIENT_ID.test(value)) return `${value.slice(0, -8)}${hex}`;
      if (value.length < TEXT_CHARS) return value;
      // The same words, begun elsewhere: no two events have the same text.
      const at = Math.floor(random() * value.length);
      return value.slice(at) + value.slice(0, at);
    };
    for (const { type, agent, at, data } of seen)
      yield {
        type,
        session: text(session),
        agent,
        at: at + shift,
        data: mapped(data, text),
      };
  }
}

function patternsOf(program) {
  const patterns = [];
  for (const event of grow(program)) {
    if (patterns.at(-1)?.session !== event.session) {
      if (patterns.length === PATTERNS) return patterns;
      patterns.push({ session: event.session, seen: [] });
    }
    patterns.at(-1).seen.push(event);
  }
  return patterns;
}

/** With long texts cut, or gone on with, to the length at which events have the wanted mean size. */
function sized(patterns, bytes) {
  let [low, high] = [TEXT_CHARS, 64 * 1024];
  const cut = (chars) => (value) =>
    value.length < TEXT_CHARS || CLIENT_ID.test(value)
      ? value
      : value.repeat(Math.ceil(chars / value.length)).slice(0, chars);
  const all = (chars) =>
    patterns.map(({ session, seen }) => ({
      session,
      seen: seen.map((one) => ({ ...one, data: mapped(one.data, cut(chars)) })),
    }));
  while (high - low > 2) {
    const middle = (low + high) >> 1;
    const events = all(middle).flatMap(({ seen }) => seen);
    const mean =
      events.reduce((sum, e) => sum + JSON.stringify(lineOf(e)).length, 0) / events.length;
    if (mean < bytes) low = middle;
    else high = middle;
  }
  return all(low);
}

function mapped(value, text) {
  if (typeof value === 'string') return text(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => mapped(item, text));
  const copy = {};
  for (const key in value) copy[key] = mapped(value[key], text);
  return copy;
}

/** As the journal says it: what lines of JSON are compared by. */
export const lineOf = ({ seq = 1, id = '0'.repeat(32), at, type, session, agent, data }) => ({
  seq,
  id,
  at,
  type,
  version: 1,
  session,
  agent,
  client: 'claude-code',
  source: 'transcript',
  data,
});

/**
 * A project with a journal of so many events of so many bytes, without any stored state, and the same events as lines.
 * Made once and kept.
 * @param lines whether the lines are wanted, too
 * @returns both to be read only: copy what is written to
 */
export async function largeJournal(count, bytes, program, { lines = false } = {}) {
  const name = `large-${count}-${bytes}-${digestOfFiles(SOURCES)}`;
  const dir = path.join(cache, name);
  const file = `${dir}.jsonl`;
  const missing = [
    ...(existsSync(dir) ? [] : [count * (bytes + FRAME_BYTES)]),
    ...(!lines || existsSync(file) ? [] : [count * bytes]),
  ];
  if (missing.length > 0)
    room(
      missing.reduce((a, b) => a + b),
      `${count} events of ${bytes} bytes`,
    );
  if (!existsSync(dir)) {
    const work = scratch();
    await fill(work, count, bytes, program);
    mkdirSync(cache, { recursive: true });
    renameSync(work, dir);
  }
  if (lines && !existsSync(file)) await writeLines(file, count, bytes, program);
  return { dir, lines: file };
}

/** Says what is going to be written, and refuses where it would fill the disk. */
export function room(bytes, what) {
  const { bavail, bsize } = statfsSync(tmpdir());
  const size = `${(bytes / 1e9).toFixed(1)} GB`;
  process.stderr.write(`writing ${what}: ${size}, kept in ${cache}…\n`);
  if (bavail * bsize < 2 * bytes) throw new Error(`${size} are too much for the disk`);
}

async function fill(dir, count, bytes, program) {
  const { openProject, encodeEvent, lock, loadXxh64 } = program;
  const hash = await loadXxh64();
  const project = openProject(dir, { lockBudgetMs: 5000, lock, hash });
  let batch = [];
  let left = count;
  for (const event of numbered(program, bytes)) {
    const draft = { ...event, id: Buffer.from(event.id, 'hex'), client: 'claude-code' };
    batch.push({ ...encodeEvent({ ...draft, source: 'transcript' }, hash), durability: 'process' });
    left -= 1;
    if (batch.length < BATCH && left > 0) continue;
    project.writer.append(batch);
    batch = [];
    if (left === 0) break;
  }
  project.close();
}

function* numbered(program, bytes) {
  const random = seeded(17);
  let seq = 0;
  for (const event of events(program, bytes)) {
    seq += 1;
    const word = () =>
      Math.floor(random() * 0x1_0000_0000)
        .toString(16)
        .padStart(8, '0');
    yield { ...event, seq, id: word() + word() + word() + word() };
  }
}

async function writeLines(file, count, bytes, program) {
  const out = createWriteStream(`${file}.part`);
  let left = count;
  let text = '';
  for (const event of numbered(program, bytes)) {
    text += `${JSON.stringify(lineOf(event))}\n`;
    left -= 1;
    if (text.length < 1 << 20 && left > 0) continue;
    if (!out.write(text)) await once(out, 'drain');
    text = '';
    if (left === 0) break;
  }
  out.end();
  await once(out, 'finish');
  renameSync(`${file}.part`, file);
}
