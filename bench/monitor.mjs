// What the status line costs the client, which runs it at every message: the installed program beside an empty process, and beside what
// others install for it. In processes of their own, with the same input; the numbers unchanged, and changed, when a sample is appended.
import { createRequire } from 'node:module';
import path from 'node:path';
import { childTime } from './lib/child-time.mjs';
import { installed } from './lib/installed.mjs';
import { projectWith } from './lib/journal.mjs';
import { loadProgram } from './lib/program.mjs';
import { flags, missingRow, p95Row, ratioRow, script } from './lib/report.mjs';
import { emptyNode, interleaved, run } from './lib/rounds.mjs';
import { scratch } from './lib/scratch.mjs';

const LARGE = flags.quick ? 10_000 : 1_000_000;
const ROUNDS = flags.quick ? 15 : 60;
/** Each with the command that its npm package installs, and the highest ratio that passes. */
const PEERS = {
  ccstatusline: { args: [], goal: 0.25 },
  ccusage: { args: ['statusline', '--offline'], goal: 0.8 },
};
const SESSIONS = {
  same: '5e551077-0000-4000-8000-0000000000b1',
  append: '5e551077-0000-4000-8000-0000000000b2',
};
const require = createRequire(import.meta.url);

function binOf(name) {
  try {
    const file = require.resolve(`${name}/package.json`);
    const { bin } = require(file);
    return path.join(path.dirname(file), typeof bin === 'string' ? bin : bin[name]);
  } catch {
    return undefined;
  }
}

await script('monitor', async () => {
  const program = await loadProgram();
  const { entry } = installed();
  const home = scratch();
  const env = { HOME: home, COLUMNS: '200', CLAUDE_CONFIG_DIR: path.join(home, '.claude') };
  let tokens = 60_000;
  const input = (dir, session = SESSIONS.same, tokens = 60_000) =>
    JSON.stringify({
      session_id: session,
      transcript_path: path.join(dir, 'none.jsonl'),
      cwd: dir,
      workspace: { current_dir: dir, project_dir: dir },
      model: { id: 'claude-opus-4-8', display_name: 'Opus 4.8' },
      version: '2.1.240',
      cost: { total_cost_usd: 1.24, total_duration_ms: 1000, total_api_duration_ms: 900 },
      context_window: {
        total_input_tokens: tokens,
        total_output_tokens: 1000,
        context_window_size: 200_000,
        used_percentage: 31,
        current_usage: { input_tokens: 3, cache_read_input_tokens: tokens },
      },
    });
  const ours = (dir, ...about) =>
    run(process.execPath, [entry, 'statusline'], { input: input(dir, ...about), cwd: dir, env });
  const dirs = { small: projectWith(10, program), large: projectWith(LARGE, program) };
  const cases = { empty: () => void emptyNode(input(dirs.small)) };
  for (const [size, dir] of Object.entries(dirs)) {
    cases[`same, ${size}`] = () => void ours(dir, SESSIONS.same, 60_000);
    cases[`append, ${size}`] = () => {
      tokens += 10;
      ours(dir, SESSIONS.append, tokens);
    };
  }
  for (const [name, { args }] of Object.entries(PEERS)) {
    const bin = binOf(name);
    const line = () =>
      void run(process.execPath, [bin, ...args], {
        input: input(dirs.small),
        cwd: dirs.small,
        env,
      });
    try {
      if (bin !== undefined) line();
      cases[name] = bin && line;
    } catch (error) {
      process.stderr.write(`${name} does not run here: ${error.message}\n`);
    }
    if (cases[name] === undefined) delete cases[name];
  }
  const cpu = childTime(cases);
  const took = await interleaved(cpu.cases, ROUNDS);

  const figure = 'a status line';
  const appended = `${figure} that appends a sample`;
  const large = `${LARGE.toLocaleString('en')} events`;
  const rows = [
    ratioRow(figure, took['same, small'], took.empty, 'an empty process', 1.3),
    p95Row(figure, took['same, small'], took.empty, 'an empty process', 1.45),
    ratioRow(appended, took['append, small'], took.empty, 'an empty process', 1.4),
    ratioRow(`${figure}, ${large}`, took['same, large'], took['same, small'], '10 events', 1.1),
    ratioRow(
      `${appended}, ${large}`,
      took['append, large'],
      took['append, small'],
      '10 events',
      1.1,
    ),
    ...cpu.rows(`${figure}, processor time`, 'same, small', 'empty', 'an empty process'),
    ...cpu.rows(`${appended}, processor time`, 'append, small', 'empty', 'an empty process'),
  ];
  for (const [name, { goal }] of Object.entries(PEERS))
    rows.push(
      took[name] === undefined
        ? missingRow(figure, name, goal)
        : ratioRow(figure, took['same, small'], took[name], name, goal),
    );
  return rows;
});
