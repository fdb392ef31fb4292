// What a long-lived writer takes to append, by durability and size: one event at a time, 256 at once, and by many appenders
// together. Beside it the raw write, and what a user would write instead of a journal.
import { PEERS } from './lib/append-peers.mjs';
import { loadProgram } from './lib/program.mjs';
import { flags, missingRow, ratioRow, script, timesRow } from './lib/report.mjs';
import { interleaved } from './lib/rounds.mjs';
import { scratch } from './lib/scratch.mjs';

const ROUNDS = flags.quick ? 7 : 40;
/** Appends one at a time in a round; their mean is one sample. */
const SINGLES = flags.quick ? 20 : 50;
const BATCH = 256;
const APPENDERS = 64;
/** Rounds before those that count. */
const WARM_UP = flags.quick ? 3 : 10;

/** By the bytes of an event; the journal's `disk` class beside peers that sync after every event. */
const DURABLE = {
  // The limit of a file that grows, and that of one that does not.
  raw: { name: 'raw write + fdatasync' },
  over: { name: 'raw overwrite + fdatasync' },
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
    rows.push(await groups(program, bytes));
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

/** As many callers of one process as there are hooks that come at once, each of which waits until its event is durable. */
async function groups(program, bytes) {
  const figure = `append, disk, ${bytes} B, ${APPENDERS} appenders, events/s`;
  const alone = writerOf(program, 'disk');
  const grouped = groupOf(program, 'disk');
  const samples = await interleaved(
    {
      alone: () => {
        const events = Array.from({ length: SINGLES }, () => event(bytes));
        const start = performance.now();
        for (const one of events) alone([one]);
        return (performance.now() - start) / SINGLES;
      },
      together: async () => {
        const each = Array.from({ length: APPENDERS }, () => [event(bytes), event(bytes)]);
        const start = performance.now();
        await Promise.all(
          each.map(async (events) => {
            for (const one of events) await grouped(one);
          }),
        );
        return (performance.now() - start) / each.flat().length;
      },
    },
    ROUNDS,
  );
  return timesRow(figure, samples.together, samples.alone, 'one by one', 12);
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
  // A writer lives as long as its process: what V8 has not compiled yet is no part of it.
  for (let i = 0; i < WARM_UP; i += 1) for (const work of Object.values(cases)) await work();
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

function writerIn({ openProject, JournalWriter, lock }) {
  const { ports, root } = openProject(scratch(), { lockBudgetMs: 5000, lock });
  return new JournalWriter(ports, root, { lockBudgetMs: 5000 });
}

function groupOf(program, durability) {
  const writer = writerIn(program);
  const group = new program.GroupCommit((events) => writer.append(events));
  const encode = encoded(program, durability);
  return (one) => group.append(encode(one));
}

function writerOf(program, durability) {
  const writer = writerIn(program);
  return (events) => {
    const { written } = writer.append(events.map(encoded(program, durability)));
    if (written !== events.length) throw new Error('not every event was written');
  };
}

function encoded({ encodeEnvelope, typeTag, xxh64 }, durability) {
  const type = 'tool.succeeded';
  const tag = typeTag(type, xxh64);
  const names = { session: 's', agent: null, client: 'bench', source: 'tool' };
  return ({ id, at, text }) => {
    // As `encodeEvent` has it: Node 20 takes a microsecond to add fields to what `...` has copied.
    const { session, agent, client, source } = names;
    const envelope = { type, version: 1, session, agent, client, source, at, data: { text } };
    const payload = encodeEnvelope(envelope);
    return { id: Buffer.from(id.padStart(16)), typeTag: tag, payload, durability };
  };
}
