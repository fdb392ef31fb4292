// What a tool call costs through an `mcp_tool` hook: from the request's first byte to the answer's last one, at the real
// server on stdio, with 4 KB. Beside it, in turn with it, a `ping`: what the protocol itself costs.

import { serve } from './lib/client.mjs';
import { installed } from './lib/installed.mjs';
import { projectWith } from './lib/journal.mjs';
import { filledIn, isWatched, postToolUse, unwatched } from './lib/payload.mjs';
import { loadProgram } from './lib/program.mjs';
import { flags, ratioRow, script, singleRow, valueRow } from './lib/report.mjs';
import { emptyNode, interleaved } from './lib/rounds.mjs';
import { median, more, quantile } from './lib/stats.mjs';

const EVENTS = flags.quick ? 10_000 : 100_000;
const CALLS = flags.quick ? 300 : 2000;
const CALLS_A_PROCESS = 100;
/** A tool call comes every few seconds: the compiler of a server is warm after a session's first minutes. */
const WARM_UP = 200;

await script('record', async () => {
  const program = await loadProgram();
  const dir = projectWith(EVENTS, program);
  const { entry } = installed();
  const server = await serve(entry, dir);

  let n = 0;
  const session = 'd3b07384-d113-4ec6-a5b1-7f0c2e1c9a11';
  const recording = (changed) => async () => {
    n += 1;
    const filled = filledIn(changed(postToolUse(session, `toolu_${n}`, dir)));
    const params = { name: 'ben10_record', arguments: filled };
    const start = performance.now();
    await server.call('tools/call', params);
    return performance.now() - start;
  };
  const record = recording((payload) => payload);
  const alone = recording(unwatched);
  for (let i = 0; i < WARM_UP; i += 1) await record();
  const ping = () => server.call('ping').then(() => {});
  const samples = { record: [], alone: [], ping: [], empty: [], between: [] };
  // An empty process is started every hundredth call: each time, and the server's caches were never its own.
  for (let calls = 0; calls < CALLS; calls += CALLS_A_PROCESS) {
    const calling = await interleaved({ record, alone, ping }, CALLS_A_PROCESS);
    const starting = await interleaved({ empty: () => void emptyNode('') }, 1);
    for (const [name, took] of Object.entries({ ...calling, ...starting }))
      samples[name].push(...took);
    samples.between.push(median(calling.record));
  }
  await server.end();
  if (!isWatched(dir, session)) throw new Error('the monitor did not look');

  const project = program.openProject(dir, { lockBudgetMs: 5000, lock: program.lock });
  // Each outcome brings its call along.
  const query = { session, types: ['tool.succeeded'] };
  const seen = [...program.readEvents(project.reader, program.xxh64, query)].length;
  if (seen !== n) throw new Error(`${seen} of ${n} calls were recorded`);

  const about = `ben10_record, 4 KB, ${EVENTS.toLocaleString('en')} events`;
  return [
    valueRow(`${about}: p50`, samples.record, 'ms', 0.5),
    singleRow(`${about}: p99`, quantile(samples.record, 0.99), 'ms', 5),
    valueRow(`${about}: the monitor`, more(samples.record, samples.alone), 'ms', 0.03),
    ratioRow(about, samples.record, samples.ping, 'ping'),
    ratioRow(
      `${about}, median of each hundred`,
      samples.between,
      samples.empty,
      'node -e 0',
      0.02,
      0.05,
    ),
  ];
});
