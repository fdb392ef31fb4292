// What a long-lived writer takes to append, by durability and size: one event at a time, 256 at once, and by many appenders
// together. Beside it the raw write, and what a user would write instead of a journal.
import { PEERS } from './lib/append-peers.mjs';
import { loadProgram } from './lib/program.mjs';
import { flags, missingRow, ratioRow, script } from './lib/report.mjs';
import { interleaved } from './lib/rounds.mjs';
import { scratch } from './lib/scratch.mjs';

const ROUNDS = flags.quick ? 7 : 40;
/** Appends one at a time in a round; their mean is one sample. */
const SINGLES = flags.quick ? 20 : 50;
const BATCH = 256;

/** By the bytes of an event; the journal's `disk` class beside peers that sync after every event. */
const DURABLE = {
  raw: { name: 'raw write + fdatasync' },
  lines: { name: 'JSONL + fdatasync' },
  'better-sqlite3': { name: 'better-sqlite3 WAL FULL', goal: { 300: 1.1, 4096: 1.25 } },
  lmdb: { name: 'lmdb, sync', goal: { 300: 0.7, 4096: 0.7 } },
  'classic-level': { name: 'classic-level, sync', goal: { 300: 0.85, 4096: 0.85 } },
  'event-storage': { name: 'event-storage, sync', goal: { 300: 0.95, 4096: 0.95 } },
};
const PLAIN = {
  raw: { name: 'raw write' },
  lines: { name: 'JSONL' },
  'better-sqlite3': { name: 'better-sqlite3 WAL NORMAL' },
  hypercore: { name: 'hypercore' },
};
const PLAIN_BATCH = {
  ...PLAIN,
  'better-sqlite3': { name: 'better-sqlite3 WAL NORMAL', goal: { 300: 0.95, 4096: 0.55 } },
};

let made = 0;

await script('append', async () => {
  const program = await loadProgram();
  const rows = [];
  for (const bytes of [300, 4096]) {
    rows.push(...(await oneByOne(program, bytes, 'disk', DURABLE)));
    rows.push(...(await oneByOne(program, bytes, 'process', PLAIN)));
    rows.push(...(await batches(program, bytes)));
  }
  return rows;
});

/** @param durability of the journal's events; peers sync each where it is `disk` */
async function oneByOne(program, bytes, durability, peers) {
  const each = (append) => async () => {
    const events = Array.from({ length: SINGLES }, () => event(bytes));
    const start = performance.now();
    for (const one of events) {
      const stored = append([one]);
      if (stored instanceof Promise) await stored;
    }
    return (performance.now() - start) / SINGLES;
  };
  const journal = writerOf(program, durability);
  return compared(`append, ${durability}, ${bytes} B, one by one`, bytes, each, journal, peers);
}

async function batches(program, bytes) {
  const each = (append) => async () => {
    const events = Array.from({ length: BATCH }, () => event(bytes));
    const start = performance.now();
    const stored = append(events);
    if (stored instanceof Promise) await stored;
    return (performance.now() - start) / BATCH;
  };
  const figure = `append, process, ${bytes} B, ${BATCH} at once, each`;
  return compared(figure, bytes, each, writerOf(program, 'process'), PLAIN_BATCH);
}

async function compared(figure, bytes, each, journal, peers) {
  const cases = { journal: each(journal) };
  for (const key of Object.keys(peers)) {
    const append = await PEERS[key](peers === DURABLE);
    if (append !== undefined) cases[key] = each(append);
  }
  const samples = await interleaved(cases, ROUNDS);
  return Object.entries(peers).map(([key, { name, goal }]) =>
    samples[key] === undefined
      ? missingRow(figure, name, goal?.[bytes])
      : ratioRow(figure, samples.journal, samples[key], name, goal?.[bytes]),
  );
}

/** An event whose data is a text of that many bytes, and an id that comes once. */
function event(bytes) {
  made += 1;
  return { id: `event-${made}`, at: Date.now(), text: `${made} `.padEnd(bytes, 'abcdefghij ') };
}

function writerOf(program, durability) {
  const { openProject, JournalWriter, lock } = program;
  const { ports, root } = openProject(scratch(), { lockBudgetMs: 5000, lock });
  const writer = new JournalWriter(ports, root, { lockBudgetMs: 5000 });
  return (events) => {
    const { written } = writer.append(events.map(encoded(program, durability)));
    if (written !== events.length) throw new Error('not every event was written');
  };
}

function encoded({ encodeEnvelope, typeTag, xxh64 }, durability) {
  const type = 'tool.succeeded';
  const tag = typeTag(type, xxh64);
  const head = { type, version: 1, session: 's', agent: null, client: 'bench', source: 'tool' };
  return ({ id, at, text }) => {
    const payload = encodeEnvelope({ ...head, at, data: { text } });
    return { id: Buffer.from(id.padStart(16)), typeTag: tag, payload, durability };
  };
}
