// How long a client waits for an answer of the server's tools, on a long journal and warm: status, a page of the log, and the
// state at a point anywhere in it.
import { serve } from './lib/client.mjs';
import { installed } from './lib/installed.mjs';
import { keepTurns, projectWith } from './lib/journal.mjs';
import { loadProgram } from './lib/program.mjs';
import { seeded } from './lib/random.mjs';
import { flags, script, singleRow, valueRow } from './lib/report.mjs';
import { quantile } from './lib/stats.mjs';

const EVENTS = flags.quick ? 10_000 : 100_000;
const CALLS = flags.quick ? 20 : 300;
const WARM_UP = 10;
const BARE = 'ben10_replay, a random point, no state stored in a session';

/** Some words each of what the model said. */
async function textsOf(server) {
  const args = { types: ['message.recorded'], limit: 60 };
  const answer = await server.call('tools/call', { name: 'ben10_log', arguments: args });
  return answer.structuredContent.events
    .map(({ about }) => about.match(/[A-Za-z]{3,}/g) ?? [])
    .filter((words) => words.length > 3)
    .map((words) => words.slice(0, 4).join(' '));
}

await script('tools', async () => {
  const program = await loadProgram();
  const { entry } = installed();
  const [recorded, imported] = [projectWith(EVENTS, program), projectWith(EVENTS, program)];
  await keepTurns(recorded, program);
  const server = await serve(entry, recorded);
  // Where no hook stored a state on the way: an import stores none in the middle of a session.
  const bare = await serve(entry, imported);
  const random = seeded(7);
  const seq = () => 1 + Math.floor(random() * EVENTS);
  const said = await textsOf(server);
  const cases = {
    ben10_status: () => ({}),
    'ben10_log, a page': () => ({ after: `@${seq()}` }),
    'ben10_log, a query': () => ({ query: said[Math.floor(random() * said.length)] }),
    'ben10_log, a query as of a point': () => ({
      ...cases['ben10_log, a query'](),
      upto: `@${seq()}`,
    }),
    'ben10_replay, a random point': () => ({ point: `@${seq()}` }),
    [BARE]: () => ({ point: `@${seq()}` }),
  };
  const samples = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
  for (let n = -WARM_UP; n < CALLS; n += 1) {
    for (const [name, argsOf] of Object.entries(cases)) {
      const params = { name: name.split(',')[0], arguments: argsOf() };
      const start = performance.now();
      const answer = await (name === BARE ? bare : server).call('tools/call', params);
      const took = performance.now() - start;
      if (answer.isError) throw new Error(answer.content[0].text);
      if (n >= 0) samples[name].push(took);
    }
  }
  await Promise.all([server.end(), bare.end()]);
  const about = `${EVENTS.toLocaleString('en')} events`;
  return Object.entries(samples).flatMap(([name, ms]) => [
    valueRow(`${name}, ${about}: p50`, ms, 'ms'),
    singleRow(`${name}, ${about}: p99`, quantile(ms, 0.99), 'ms', name === BARE ? undefined : 20),
  ]);
});
