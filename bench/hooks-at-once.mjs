// Hooks of tool calls that ran at the same time: sixteen start at once, and the slowest is what the agent waits for. Beside
// it as many empty processes.
import { spawn } from 'node:child_process';
import { installed } from './lib/installed.mjs';
import { projectWith } from './lib/journal.mjs';
import { hookInput, postToolUse } from './lib/payload.mjs';
import { loadProgram } from './lib/program.mjs';
import { flags, p95Row, ratioRow, script } from './lib/report.mjs';
import { environment, interleaved, run } from './lib/rounds.mjs';

const EVENTS = flags.quick ? 10_000 : 100_000;
const ROUNDS = flags.quick ? 7 : 40;
const AT_ONCE = 16;

await script('hooks-at-once', async () => {
  const program = await loadProgram();
  const dir = projectWith(EVENTS, program);
  const { entry } = installed();
  const env = { CLAUDE_PROJECT_DIR: dir };
  const session = '5e551077-0000-4000-8000-0000000000b2';
  const start = { ...hookInput('SessionStart'), session_id: session, cwd: dir };
  run(process.execPath, [entry, 'hook', 'SessionStart'], { input: JSON.stringify(start), env });

  let asked = 0;
  const inputs = () =>
    Array.from({ length: AT_ONCE }, () => {
      asked += 1;
      return JSON.stringify(postToolUse(session, `toolu_once${asked}`, dir));
    });
  const slowest = async (args) => {
    const texts = inputs();
    const started = performance.now();
    await Promise.all(texts.map((input) => ended(args, input, env)));
    return performance.now() - started;
  };
  let empties = 0;
  const samples = await interleaved(
    {
      hooks: () => slowest([entry, 'hook', 'PostToolUse']),
      empty: () => {
        empties += AT_ONCE;
        return slowest(['-e', '0']);
      },
    },
    ROUNDS,
  );

  // Who did not get the lock in time left its event in the inbox.
  const project = program.openProject(dir, { lockBudgetMs: 5000, lock: program.lock });
  project.writer.drain();
  const query = { session, types: ['tool.succeeded'] };
  const recorded = [...program.readEvents(project.reader, program.xxh64, query)].length;
  if (recorded !== asked - empties)
    throw new Error(`${recorded} of ${asked - empties} hooks were recorded`);

  const about = `${AT_ONCE} hooks at once, 4 KB, ${EVENTS.toLocaleString('en')} events: the slowest`;
  const peer = `${AT_ONCE} node -e 0`;
  return [
    ratioRow(about, samples.hooks, samples.empty, peer, 1.3),
    p95Row(about, samples.hooks, samples.empty, peer),
  ];
});

function ended(args, input, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      env: { ...environment, ...env },
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`a hook ended with ${code}`)),
    );
    // An empty process is gone before it reads.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}
