// What a long-lived writer takes to append, by durability and size: one event at a time, and 256 at once. Beside it what a
// user would write instead: lines of JSON, and SQLite (when bench/node_modules is installed).
import { appendFileSync, closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { loadProgram } from './lib/program.mjs';
import { flags, ratioRow, script } from './lib/report.mjs';
import { interleaved } from './lib/rounds.mjs';
import { scratch } from './lib/scratch.mjs';

const ROUNDS = flags.quick ? 7 : 25;
/** Appends one at a time in a round; their mean is one sample. */
const SINGLES = flags.quick ? 20 : 100;
const BATCH = 256;

let made = 0;

await script('append', async () => {
  const program = await loadProgram();
  const sqlite = await optional('better-sqlite3');
  const rows = [];
  for (const bytes of [300, 4096]) {
    for (const durability of ['process', 'interval', 'disk']) {
      const synced = durability === 'disk';
      rows.push(...(await one(program, sqlite, bytes, durability, synced)));
    }
    rows.push(...(await batch(program, sqlite, bytes)));
  }
  return rows;
});

async function one(program, sqlite, bytes, durability, synced) {
  const each = (append) => {
    const data = Array.from({ length: SINGLES }, () => event(bytes));
    return () => {
      const start = performance.now();
      for (const one of data) append(one);
      return (performance.now() - start) / SINGLES;
    };
  };
  const journal = writerOf(program, durability);
  const lines = linesOf(synced);
  const cases = {
    journal: each((one) => journal([one])),
    lines: each((one) => lines([one])),
  };
  if (sqlite !== undefined) {
    const insert = tableOf(sqlite, synced);
    cases.sqlite = each((one) => insert([one]));
  }
  return rowsOf(`append, ${durability}, ${bytes} B, one by one`, cases, synced);
}

async function batch(program, sqlite, bytes) {
  const journal = writerOf(program, 'process');
  const lines = linesOf(false);
  const insert = sqlite && tableOf(sqlite, false);
  const data = () => Array.from({ length: BATCH }, () => event(bytes));
  const each = (append) => () => {
    const events = data();
    const start = performance.now();
    append(events);
    return (performance.now() - start) / BATCH;
  };
  const cases = { journal: each(journal), lines: each(lines) };
  if (insert !== undefined) cases.sqlite = each(insert);
  return rowsOf(`append, process, ${bytes} B, ${BATCH} at once, each`, cases, false);
}

async function rowsOf(figure, cases, synced) {
  const samples = await interleaved(cases, ROUNDS);
  const rows = [
    ratioRow(figure, samples.journal, samples.lines, synced ? 'JSONL + fdatasync' : 'JSONL'),
  ];
  if (samples.sqlite !== undefined) {
    const peer = `better-sqlite3 WAL ${synced ? 'FULL' : 'NORMAL'}`;
    rows.push(ratioRow(figure, samples.journal, samples.sqlite, peer));
  }
  return rows;
}

/** An event whose data is a text of that many bytes, and an id that comes once. */
function event(bytes) {
  made += 1;
  return { id: `event-${made}`, at: Date.now(), text: `${made} `.padEnd(bytes, 'abcdefghij ') };
}

function writerOf(
  { openProject, JournalWriter, encodeEnvelope, typeTag, xxh64, lock },
  durability,
) {
  const dir = scratch();
  const { ports, root } = openProject(dir, { lockBudgetMs: 5000, lock });
  const writer = new JournalWriter(ports, root, { lockBudgetMs: 5000 });
  const type = 'tool.succeeded';
  const tag = typeTag(type, xxh64);
  return (events) =>
    writer.append(
      events.map(({ id, at, text }) => {
        const head = {
          type,
          version: 1,
          session: 's',
          agent: null,
          client: 'bench',
          source: 'tool',
        };
        const payload = encodeEnvelope({ ...head, at, data: { text } });
        return { id: Buffer.from(id.padStart(16)), typeTag: tag, payload, durability };
      }),
    );
}

function linesOf(synced) {
  const file = path.join(scratch(), 'events.jsonl');
  const text = (events) => events.map((one) => `${JSON.stringify(one)}\n`).join('');
  if (!synced) return (events) => appendFileSync(file, text(events));
  return (events) => {
    const fd = openSync(file, 'a');
    writeSync(fd, text(events));
    fdatasyncSync(fd);
    closeSync(fd);
  };
}

function tableOf(Database, synced) {
  const db = new Database(path.join(scratch(), 'events.db'));
  db.pragma('journal_mode = WAL');
  db.pragma(`synchronous = ${synced ? 'FULL' : 'NORMAL'}`);
  db.exec('CREATE TABLE events (seq INTEGER PRIMARY KEY, id TEXT UNIQUE, at INTEGER, body TEXT)');
  const insert = db.prepare('INSERT OR IGNORE INTO events (id, at, body) VALUES (?, ?, ?)');
  return db.transaction((events) => {
    for (const one of events) insert.run(one.id, one.at, JSON.stringify(one));
  });
}

async function optional(name) {
  try {
    return (await import(name)).default;
  } catch {
    process.stderr.write(`${name} is not installed (npm install --prefix bench): left out\n`);
    return undefined;
  }
}
