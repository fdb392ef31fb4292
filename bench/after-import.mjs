// What the first session after an import of a long history waits for, beside one in a project without any.

import { randomUUID } from 'node:crypto';
import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { manyCalls } from './lib/calls.mjs';
import { installed } from './lib/installed.mjs';
import { flags, ratioRow, script, valueRow } from './lib/report.mjs';
import { interleaved, run } from './lib/rounds.mjs';
import { scratch } from './lib/scratch.mjs';

const CALLS = flags.quick ? 2000 : 20_000;
const ROUNDS = flags.quick ? 5 : 15;
const OLD = '6a0c2b1e-5d1b-4c55-9a43-0b1c6f8e7d21';

await script('after-import', async () => {
  const { entry } = installed();
  const ben10 = (cwd, ...args) => run(process.execPath, [entry, ...args], { cwd });
  const [fresh, long] = [scratch(), scratch()];
  for (const dir of [fresh, long]) ben10(dir, 'init');
  const transcript = path.join(long, `${OLD}.jsonl`);
  writeFileSync(transcript, manyCalls(CALLS, OLD, long));
  const begun = performance.now();
  ben10(long, 'import', transcript);
  const imported = performance.now() - begun;

  /** The first start in a copy, in which no hook ran. */
  const start = (project, source, session) => () => {
    const dir = scratch();
    cpSync(path.join(project, '.ben10'), path.join(dir, '.ben10'), { recursive: true });
    const transcript_path = session === OLD ? transcript : path.join(dir, `${session}.jsonl`);
    const about = { hook_event_name: 'SessionStart', cwd: dir, source, transcript_path };
    const input = JSON.stringify({ ...about, session_id: session ?? randomUUID() });
    const from = performance.now();
    const said = run(process.execPath, [entry, 'hook', 'SessionStart'], {
      input,
      env: { CLAUDE_PROJECT_DIR: dir },
    });
    const took = performance.now() - from;
    if (project === long && source !== 'resume' && !said.includes('ben10-recall-'))
      throw new Error(`nothing was given back at ${source}`);
    return took;
  };
  const samples = await interleaved(
    {
      fresh: start(fresh, 'startup'),
      startup: start(long, 'startup'),
      resume: start(long, 'resume', OLD),
      compact: start(long, 'compact', OLD),
    },
    ROUNDS,
  );
  const about = `SessionStart hook right after an import of ${CALLS.toLocaleString('en')} calls`;
  const row = (name, goal) =>
    ratioRow(`${about}, ${name}`, samples[name], samples.fresh, 'without history', goal);
  return [
    row('startup', 2),
    row('resume', 2),
    row('compact'),
    valueRow(`ben10 import of ${CALLS.toLocaleString('en')} calls`, [imported], 'ms'),
  ];
});
