// What it takes a fresh process to have a context of 100 MB: as long as its newest stored state and what came after take, not
// as long as what was said. Beside it the same of 5 MB, and of 100 MB in a journal that was compacted.
import { appendFileSync, cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { installed } from './lib/installed.mjs';
import { seeded } from './lib/random.mjs';
import { flags, ratioRow, script, valueRow } from './lib/report.mjs';
import { interleaved, run } from './lib/rounds.mjs';
import { scratch } from './lib/scratch.mjs';

const ROUNDS = flags.quick ? 5 : 15;
const MESSAGE_BYTES = 10_000;
/** More than a state holds. */
const SHORT = 500;
const LONG = flags.quick ? 2_000 : 10_000;
/** Said since the state was stored. */
const SINCE = 20;
const SESSION = '6a0c2b1e-5d1b-4c55-9a43-0b1c6f8e7d21';
const WORDS = 'the parser reads each line of a file and tests what it finds there again'.split(' ');

/** What a client writes of a message. */
function record(n, random) {
  let text = '';
  while (text.length < MESSAGE_BYTES) text += `${WORDS[Math.floor(random() * WORDS.length)]} `;
  const uuid = (of) => `00000000-0000-4000-8000-${String(of).padStart(12, '0')}`;
  const timestamp = new Date(Date.UTC(2026, 0, 5) + n * 60_000).toISOString();
  const about = { sessionId: SESSION, uuid: uuid(n), parentUuid: n === 0 ? null : uuid(n - 1) };
  const said =
    n % 10 === 0
      ? { type: 'user', message: { role: 'user', content: text } }
      : { type: 'assistant', message: { id: `msg_${n}`, content: [{ type: 'text', text }] } };
  return `${JSON.stringify({ ...about, timestamp, ...said })}\n`;
}

/** A project with a session of so many messages, the state of which was stored shortly before its end. */
function contextOf(messages, entry) {
  const dir = scratch();
  const random = seeded(5);
  const file = path.join(dir, `${SESSION}.jsonl`);
  const write = (from, to) => {
    for (let n = from; n < to; n += 1) appendFileSync(file, record(n, random));
    run(process.execPath, [entry, 'import', file], { cwd: dir });
  };
  mkdirSync(path.join(dir, '.ben10'), { mode: 0o700 });
  write(0, messages);
  run(process.execPath, [entry, 'checkpoint'], { cwd: dir });
  write(messages, messages + SINCE);
  return dir;
}

await script('open', async () => {
  const { entry } = installed();
  const dirs = { long: contextOf(LONG, entry), short: contextOf(SHORT, entry) };
  dirs.sealed = scratch();
  cpSync(dirs.long, dirs.sealed, { recursive: true });
  run(process.execPath, [entry, 'compact'], { cwd: dirs.sealed });
  const cases = Object.fromEntries(
    Object.entries(dirs).map(([name, cwd]) => [
      name,
      () => void run(process.execPath, [entry, 'restore', '--json'], { cwd }),
    ]),
  );
  const samples = await interleaved(cases, ROUNDS);
  const size = (messages) => `${(messages * MESSAGE_BYTES) / 1e6} MB`;
  const what = `ben10 restore, a context of ${size(LONG)}`;
  return [
    valueRow(what, samples.long, 'ms'),
    ratioRow(what, samples.long, samples.short, size(SHORT), 1.25, 1.5),
    ratioRow(`${what}, compacted`, samples.sealed, samples.short, size(SHORT)),
  ];
});
