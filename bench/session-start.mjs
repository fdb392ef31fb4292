// What the start of a session costs: the SessionStart hook on a journal of 100,000 events, which reads what the sessions
// before left, and gives back what is needed to go on.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { installed } from './lib/installed.mjs';
import { projectWith } from './lib/journal.mjs';
import { hookInput } from './lib/payload.mjs';
import { loadProgram } from './lib/program.mjs';
import { flags, ratioRow, script } from './lib/report.mjs';
import { emptyNode, interleaved, run } from './lib/rounds.mjs';

const EVENTS = flags.quick ? 10_000 : 100_000;
const ROUNDS = flags.quick ? 7 : 25;
/** Without any stored state everything is folded: slow, and rare. */
const COLD_ROUNDS = flags.quick ? 2 : 5;

await script('session-start', async () => {
  const dir = projectWith(EVENTS, await loadProgram());
  const { entry } = installed();
  const env = { CLAUDE_PROJECT_DIR: dir };
  let n = 0;
  const hook = (name) => {
    const input = { ...hookInput(name), session_id: `bench-${n}`, cwd: dir, source: 'startup' };
    input.transcript_path = path.join(dir, `bench-${n}.jsonl`);
    return run(process.execPath, [entry, 'hook', name], { input: JSON.stringify(input), env });
  };
  /** A session as short as one can be; its end leaves stored states, as every end does. */
  const session = () => {
    n += 1;
    const start = performance.now();
    hook('SessionStart');
    const took = performance.now() - start;
    for (const name of ['UserPromptSubmit', 'Stop', 'SessionEnd']) hook(name);
    return took;
  };
  const empty = () => void emptyNode('');
  session();
  const warm = await interleaved({ session, empty }, ROUNDS);
  const cold = await interleaved(
    {
      empty,
      session: () => {
        rmSync(path.join(dir, '.ben10', 'checkpoints'), { recursive: true, force: true });
        return session();
      },
    },
    COLD_ROUNDS,
  );
  const about = `SessionStart hook, ${EVENTS.toLocaleString('en')} events`;
  return [
    ratioRow(
      `${about}, stored states as sessions leave them`,
      warm.session,
      warm.empty,
      'node -e 0',
      5,
    ),
    ratioRow(`${about}, no stored state at all`, cold.session, cold.empty, 'node -e 0'),
  ];
});
