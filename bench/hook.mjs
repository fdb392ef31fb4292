// What one hook of a tool call costs the agent: the installed program, a journal of 100,000 events, 4 KB of payload.
import { installed } from './lib/installed.mjs';
import { projectWith } from './lib/journal.mjs';
import { hookInput, postToolUse } from './lib/payload.mjs';
import { loadProgram } from './lib/program.mjs';
import { flags, ratioRow, script } from './lib/report.mjs';
import { emptyNode, interleaved, run } from './lib/rounds.mjs';

const EVENTS = flags.quick ? 10_000 : 100_000;
const ROUNDS = flags.quick ? 10 : 100;

await script('hook', async () => {
  const program = await loadProgram();
  const dir = projectWith(EVENTS, program);
  const { entry, bin } = installed();
  const env = { CLAUDE_PROJECT_DIR: dir };
  const session = 'bench-session';
  // As every session begins; it also compiles the project's settings for the hooks after it.
  const start = { ...hookInput('SessionStart'), session_id: session, cwd: dir };
  run(process.execPath, [entry, 'hook', 'SessionStart'], { input: JSON.stringify(start), env });

  let id = 0;
  const payload = () => {
    id += 1;
    return JSON.stringify(postToolUse(session, `toolu_bench${String(id).padStart(8, '0')}`, dir));
  };
  const samples = await interleaved(
    {
      empty: () => void emptyNode(payload()),
      node: () =>
        void run(process.execPath, [entry, 'hook', 'PostToolUse'], { input: payload(), env }),
      ...(process.platform === 'win32'
        ? {}
        : {
            shell: () =>
              void run('/bin/sh', ['-c', `"${bin}" hook PostToolUse`], { input: payload(), env }),
          }),
    },
    ROUNDS,
  );
  const project = program.openProject(dir, { lockBudgetMs: 5000, lock: program.lock });
  const query = { session, types: ['tool.succeeded'] };
  const recorded = [...program.readEvents(project.reader, program.xxh64, query)].length;
  const asked = id - samples.empty.length - 1;
  if (recorded !== asked) throw new Error(`${recorded} of ${asked} hooks were recorded`);

  const about = `hook PostToolUse, 4 KB, ${EVENTS.toLocaleString('en')} events`;
  const rows = [
    ratioRow(`${about}: node ben10.cjs`, samples.node, samples.empty, 'node -e 0', 1.35),
  ];
  if (samples.shell !== undefined) {
    rows.push(ratioRow(`${about}: sh -c ben10`, samples.shell, samples.empty, 'node -e 0'));
  }
  return rows;
});
