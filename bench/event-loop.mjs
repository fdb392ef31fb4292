// How long a server of a long journal cannot hear: the longest that a ping waits while a tool is at work, from the first call
// after the server's start on.
import { cpSync } from 'node:fs';
import { serve } from './lib/client.mjs';
import { installed } from './lib/installed.mjs';
import { largeJournal } from './lib/large.mjs';
import { filledIn, postToolUse } from './lib/payload.mjs';
import { loadProgram } from './lib/program.mjs';
import { seeded } from './lib/random.mjs';
import { flags, script, singleRow } from './lib/report.mjs';
import { scratch } from './lib/scratch.mjs';

const EVENTS = flags.quick ? 50_000 : 1_000_000;
const CALLS = flags.quick ? 3 : 10;
const BLOCKED_MS_MAX = 50;
const PING_MS = 5;

await script('event-loop', async () => {
  const { dir: master } = await largeJournal(EVENTS, 500, await loadProgram());
  const dir = scratch();
  cpSync(master, dir, { recursive: true });
  const { entry } = installed();
  const length = EVENTS.toLocaleString('en');
  const rows = [];
  const longest = async (about, calls, name, argsOf) => {
    const server = await serve(entry, dir);
    const waits = [];
    for (let n = 0; n < calls; n += 1)
      waits.push(await longestWait(server, { name, arguments: argsOf() }));
    await server.end();
    rows.push(singleRow(`${about}, ${length} events`, Math.max(...waits), 'ms', BLOCKED_MS_MAX));
  };
  // All of the journal is folded for it.
  await longest(
    'longest wait of a ping: ben10_status, no stored state',
    1,
    'ben10_status',
    () => ({}),
  );
  const random = seeded(3);
  const point = () => `@${1 + Math.floor(random() * EVENTS)}`;
  const { session, time } = await someEvent(entry, dir, point());
  const day = time.slice(0, 10);
  let recorded = 0;
  const toolCall = () => {
    recorded += 1;
    return filledIn(postToolUse(session, `toolu_${recorded}`, dir));
  };
  const cases = {
    // The first of them opens the journal.
    ben10_record: toolCall,
    ben10_status: () => ({}),
    'ben10_log, a page': () => ({ after: point() }),
    'ben10_log, of a session': () => ({ session, order: 'oldest' }),
    'ben10_log, of a day': () => ({ since: `${day}T00:00Z`, until: `${day}T23:59Z` }),
    'ben10_replay, a random point': () => ({ point: point() }),
    'ben10_replay, a time': () => ({ point: `@${time}` }),
    'ben10_restore, a random point': () => ({ point: point() }),
    'ben10_recall, a random point': () => ({ point: point() }),
    ben10_lost: () => ({}),
    'ben10_diff, of files': () => ({}),
    'ben10_diff, of two points': () => ({ from: point(), to: point() }),
    ben10_save: () => ({}),
    ben10_checkpoint: () => ({}),
    ben10_snapshot_list: () => ({}),
    get_dev_context: () => ({}),
    save_work_state: () => ({ task_summary: 'the parser', notes: 'its tests are next' }),
    ben10_clear: () => ({ force: true }),
  };
  for (const [about, argsOf] of Object.entries(cases))
    await longest(about, CALLS, about.split(',')[0], argsOf);
  return rows;
});

/** One that the cases ask for by its session and its time. */
async function someEvent(entry, dir, point) {
  const server = await serve(entry, dir);
  const asked = { name: 'ben10_log', arguments: { upto: point, limit: 1, detail: 'data' } };
  const { structuredContent } = await server.call('tools/call', asked);
  await server.end();
  const [{ session, at }] = structuredContent.events;
  return { session, time: new Date(at).toISOString() };
}

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
