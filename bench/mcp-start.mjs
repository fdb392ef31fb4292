// What an agent waits for when its MCP servers start: from the start of ben10's to its first answer, and to the list of its
// tools, on a journal of 100,000 events. Beside it the smallest server of the same SDK, bundled: one tool that does nothing.
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { build } from 'esbuild';
import { started } from './lib/client.mjs';
import { installed } from './lib/installed.mjs';
import { projectWith } from './lib/journal.mjs';
import { loadProgram, root } from './lib/program.mjs';
import { flags, ratioRow, script } from './lib/report.mjs';
import { emptyNode, interleaved } from './lib/rounds.mjs';
import { scratch } from './lib/scratch.mjs';

const EVENTS = flags.quick ? 10_000 : 100_000;
const ROUNDS = flags.quick ? 7 : 40;
const KEPT_AFTER_MS = 4000;

await script('mcp-start', async () => {
  const dir = projectWith(EVENTS, await loadProgram());
  const { entry } = installed();
  const smallest = await smallestServer();
  const lists = { ours: [], peer: [] };
  // What V8 has compiled is kept for the next start by a server that has lived for some seconds, as all of a session's do.
  const { end } = await started(process.execPath, [entry, 'serve'], dir);
  await setTimeout(KEPT_AFTER_MS);
  await end();
  const start = (name, args) => async (round) => {
    const { first, tools, end } = await started(process.execPath, args, dir);
    if (round >= 0) lists[name].push(tools);
    await end();
    return first;
  };
  const samples = await interleaved(
    {
      ours: start('ours', [entry, 'serve']),
      peer: start('peer', [smallest]),
      empty: () => void emptyNode(''),
    },
    ROUNDS,
  );
  const about = `MCP server, start to`;
  const peer = 'smallest server of the SDK';
  return [
    ratioRow(`${about} first answer`, samples.ours, samples.peer, peer, 1.1, 1.25),
    ratioRow(`${about} list of tools`, lists.ours, lists.peer, `${peer}, one tool`),
    ratioRow(`${about} first answer`, samples.ours, samples.empty, 'node -e 0'),
  ];
});

async function smallestServer() {
  const outfile = path.join(scratch(), 'server.cjs');
  await build({
    absWorkingDir: root,
    entryPoints: ['bench/peer-hooks/server.mjs'],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node20.19',
    format: 'cjs',
    mainFields: ['module', 'main'],
    logLevel: 'error',
  });
  return outfile;
}
