// What one hook of a tool call costs the agent: the installed program, a journal of 100,000 events, 4 KB of payload. Beside
// it an empty process, the least that a script can do that hashes and appends, and hooks that store the same in a database
// of as many events. ben10 does not sync after a tool call that succeeded (its class is `process`), so each peer is there
// twice: as it is when every row is made durable, and without a sync, as ben10 is.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { childTime } from './lib/child-time.mjs';
import { installed } from './lib/installed.mjs';
import { projectWith } from './lib/journal.mjs';
import { hookInput, isWatched, postToolUse, unwatched } from './lib/payload.mjs';
import { filled } from './lib/peer-stores.mjs';
import { peerHook } from './lib/peers.mjs';
import { loadProgram } from './lib/program.mjs';
import { flags, missingRow, p95Row, ratioRow, script, valueRow } from './lib/report.mjs';
import { emptyNode, interleaved, run } from './lib/rounds.mjs';
import { scratch } from './lib/scratch.mjs';
import { median, more } from './lib/stats.mjs';

const EVENTS = flags.quick ? 10_000 : 100_000;
const ROUNDS = flags.quick ? 10 : 60;
const GOALS = { 'better-sqlite3': 0.95, 'classic-level': 0.75, lmdb: 0.65 };

await script('hook', async () => {
  const program = await loadProgram();
  const dir = projectWith(EVENTS, program);
  const { entry, bin } = installed();
  const env = { CLAUDE_PROJECT_DIR: dir };
  // As clients call them: a name that is none of theirs is looked through for secrets first.
  const session = '5e551077-0000-4000-8000-0000000000b1';
  // As every session begins; it also compiles the project's settings for the hooks after it.
  const start = { ...hookInput('SessionStart'), session_id: session, cwd: dir };
  run(process.execPath, [entry, 'hook', 'SessionStart'], { input: JSON.stringify(start), env });

  let id = 0;
  const called = () => {
    id += 1;
    return postToolUse(session, `toolu_bench${String(id).padStart(8, '0')}`, dir);
  };
  const payload = () => JSON.stringify(called());
  const project = program.openProject(dir, { lockBudgetMs: 5000, lock: program.lock });
  /** The hook before the tool ran: an outcome whose call is not in the journal brings it along. */
  const recordCall = ({ tool_use_id: toolUseId, tool_name: name, tool_input: input }) => {
    const who = { session, agent: null, at: Date.now() };
    const fact = `tool-call:${toolUseId}`;
    const seen = { type: 'tool.called', fact, ...who, data: { toolUseId, name, input } };
    project.recorder.append([project.recorder.event(seen, 'hook')]);
  };
  let asked = 0;
  const ours =
    (command, args, changed = (payload) => payload) =>
    () => {
      asked += 1;
      const outcome = changed(called());
      recordCall(outcome);
      const start = performance.now();
      run(command, args, { input: JSON.stringify(outcome), env });
      return performance.now() - start;
    };
  const cases = {
    empty: () => void emptyNode(payload()),
    node: ours(process.execPath, [entry, 'hook', 'PostToolUse']),
    alone: ours(process.execPath, [entry, 'hook', 'PostToolUse'], unwatched),
    ...(process.platform !== 'win32' && {
      shell: ours('/bin/sh', ['-c', `"${bin}" hook PostToolUse`]),
    }),
  };
  const missing = new Set();
  for (const name of ['crypto', ...Object.keys(GOALS)]) {
    const stores = await Promise.all(['durable', 'plain'].map(() => storeOf(name)));
    if (stores.includes(undefined)) {
      missing.add(name);
      continue;
    }
    const file = await peerHook(name);
    for (const [index, durable] of ['durable', 'plain'].entries()) {
      const args = [file, stores[index], durable];
      cases[`${name} ${durable}`] = () => void run(process.execPath, args, { input: payload() });
    }
  }
  const cpu = childTime(cases);
  const samples = await interleaved(cpu.cases, ROUNDS);

  const query = { session, types: ['tool.succeeded'] };
  const recorded = [...program.readEvents(project.reader, program.xxh64, query)].length;
  if (recorded !== asked) throw new Error(`${recorded} of ${asked} hooks were recorded`);
  if (!isWatched(dir, session)) throw new Error('the monitor did not look');

  const about = `hook PostToolUse, 4 KB, ${EVENTS.toLocaleString('en')} events`;
  const beside = (peer, name, goal) => ratioRow(about, samples.node, samples[peer], name, goal);
  const empty = median(samples.empty);
  const looking = more(samples.node, samples.alone).map((ms) => ms / empty);
  const rows = [
    beside('empty', 'node -e 0', 1.3),
    p95Row(about, samples.node, samples.empty, 'node -e 0', 1.45, 1.6),
    valueRow(`${about}: the monitor`, looking, 'of node -e 0', 0.02),
    beside('crypto durable', 'script: hash, append, sync', 1.12),
    beside('crypto plain', 'script: hash, append'),
  ];
  for (const [name, goal] of Object.entries(GOALS)) {
    const names = { durable: `hook of ${name}, durable`, plain: `hook of ${name}, no sync` };
    for (const [durable, peer] of Object.entries(names)) {
      const row = missing.has(name)
        ? missingRow(about, peer, goal)
        : beside(`${name} ${durable}`, peer, goal);
      rows.push(row);
    }
  }
  for (const peer of Object.keys(cases).filter((name) => !['node', 'shell'].includes(name)))
    rows.push(...cpu.rows(`${about}: CPU time`, 'node', peer, peer));
  if (samples.shell !== undefined)
    rows.push(ratioRow(`${about}: sh -c ben10`, samples.shell, samples.empty, 'node -e 0'));
  return rows;
});

/** A store of as many events of a kilobyte; undefined where the peer cannot be loaded. */
async function storeOf(name) {
  const dir = path.join(scratch(), 'store');
  if (name === 'crypto') return dir;
  mkdirSync(dir);
  return filled(name, dir, EVENTS);
}
