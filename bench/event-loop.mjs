// How long a server of a long journal cannot hear: the longest that a ping waits while it works, right after its start and
// once it is warm.
import { cpSync } from 'node:fs';
import { serve } from './lib/client.mjs';
import { installed } from './lib/installed.mjs';
import { largeJournal } from './lib/large.mjs';
import { loadProgram } from './lib/program.mjs';
import { seeded } from './lib/random.mjs';
import { flags, script, singleRow } from './lib/report.mjs';
import { run } from './lib/rounds.mjs';
import { scratch } from './lib/scratch.mjs';
import { quantile } from './lib/stats.mjs';

const EVENTS = flags.quick ? 50_000 : 1_000_000;
const CALLS = flags.quick ? 10 : 50;
const BLOCKED_MS_MAX = 50;
const PING_MS = 5;
const goal = flags.quick ? BLOCKED_MS_MAX * 1.5 : BLOCKED_MS_MAX;

await script('event-loop', async () => {
  const { dir: master } = await largeJournal(EVENTS, 500, await loadProgram());
  const dir = scratch();
  cpSync(master, dir, { recursive: true });
  const { entry } = installed();
  // As somebody has it who works in this project: an earlier process left its states.
  run(process.execPath, [entry, 'status'], { cwd: dir });
  const random = seeded(3);
  const point = () => `@${1 + Math.floor(random() * EVENTS)}`;
  const cases = {
    ben10_status: () => ({}),
    'ben10_log, a page': () => ({ after: point() }),
    'ben10_replay, a random point': () => ({ point: point() }),
  };
  const rows = [];
  for (const [name, argsOf] of Object.entries(cases)) {
    const server = await serve(entry, dir);
    const waits = [];
    for (let n = 0; n < CALLS; n += 1)
      waits.push(await longestWait(server, { name: name.split(',')[0], arguments: argsOf() }));
    await server.end();
    const about = `${name}, ${EVENTS.toLocaleString('en')} events: longest wait`;
    rows.push(singleRow(`${about} of a ping, first call`, waits[0], 'ms', goal));
    rows.push(singleRow(`${about}, then (p95)`, quantile(waits.slice(1), 0.95), 'ms', goal));
  }
  return rows;
});

/** A ping is sent every few milliseconds while a tool is at work. */
async function longestWait(server, call) {
  const pings = [];
  const ping = () => {
    const start = performance.now();
    pings.push(server.call('ping').then(() => performance.now() - start));
  };
  const timer = setInterval(ping, PING_MS);
  const answer = server.call('tools/call', call);
  ping();
  const { isError, content } = await answer;
  clearInterval(timer);
  if (isError) throw new Error(content[0].text);
  return Math.max(...(await Promise.all(pings)));
}
