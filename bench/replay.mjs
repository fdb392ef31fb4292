// What reading a long journal takes in a warm process: all of it folded to the states of its sessions, its headers alone,
// and one rare type; against JSON.parse of the same events as lines, which folds nothing and checks nothing.

import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectWith } from './lib/journal.mjs';
import { loadProgram } from './lib/program.mjs';
import { flags, ratioRow, script, singleRow } from './lib/report.mjs';
import { interleaved } from './lib/rounds.mjs';
import { scratch } from './lib/scratch.mjs';

const EVENTS = flags.quick ? 10_000 : 100_000;
const ROUNDS = flags.quick ? 3 : 7;
const RARE = 'turn.ended';

await script('replay', async () => {
  const program = await loadProgram();
  const { openProject, readEvents, States, context, loadXxh64, lock } = program;
  const hash = await loadXxh64();
  const dir = projectWith(EVENTS, program);
  const { reader } = openProject(dir, { lockBudgetMs: 5000, lock, hash });
  const lines = await asLines(readEvents(reader, hash, {}));

  const samples = await interleaved(
    {
      fold: () => {
        const states = new Map();
        for (const event of readEvents(reader, hash, { types: context.types })) {
          const state = states.get(event.session) ?? context.initial();
          states.set(event.session, context.apply(state, event));
        }
        if (states.size < 2) throw new Error('nothing was folded');
      },
      session: () => {
        const first = readEvents(reader, hash, {}).next().value.session;
        new States(reader, hash).at(context, first);
      },
      headers: () => {
        let seen = 0;
        for (const { entry } of reader.entries()) if (entry !== undefined) seen += 1;
        if (seen < EVENTS) throw new Error(`${seen} events`);
      },
      rare: () => {
        for (const _ of readEvents(reader, hash, { types: [RARE] }));
      },
      lines: () => {
        let seen = 0;
        for (const line of readFileSync(lines, 'utf8').split('\n')) {
          if (line !== '' && JSON.parse(line).seq > 0) seen += 1;
        }
        if (seen < EVENTS) throw new Error(`${seen} lines`);
      },
    },
    ROUNDS,
  );
  const name = `${EVENTS.toLocaleString('en')} events`;
  return [
    ratioRow(
      `all sessions to their context, ${name}`,
      samples.fold,
      samples.lines,
      'JSON.parse of JSONL',
    ),
    ratioRow(
      `context of one session out of ${name}`,
      samples.session,
      samples.lines,
      'JSON.parse of JSONL',
    ),
    ratioRow(
      `scan of headers with checksums, ${name}`,
      samples.headers,
      samples.lines,
      'JSON.parse of JSONL',
    ),
    ratioRow(`one rare type out of ${name}`, samples.rare, samples.fold, 'all sessions'),
    singleRow('memory at the end', process.memoryUsage().rss / 2 ** 20, 'MiB'),
  ];
});

/** The same events as lines of JSON, in a file. */
async function asLines(events) {
  const file = path.join(scratch(), 'events.jsonl');
  const out = createWriteStream(file);
  for (const { seq, id, type, version, session, agent, client, source, at, data } of events) {
    const line = { seq, id, at, type, version, session, agent, client, source, data };
    if (!out.write(`${JSON.stringify(line)}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
  return file;
}
