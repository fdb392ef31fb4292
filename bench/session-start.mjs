// What the start of a session costs: the SessionStart hook on a journal of 100,000 events, which reads what is new of the
// session's transcript of 10 MB and what the sessions before left, and gives back what is needed to go on.

import { randomUUID } from 'node:crypto';
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { installed } from './lib/installed.mjs';
import { projectWith } from './lib/journal.mjs';
import { hookInput } from './lib/payload.mjs';
import { loadProgram } from './lib/program.mjs';
import { flags, ratioRow, script } from './lib/report.mjs';
import { emptyNode, interleaved, run } from './lib/rounds.mjs';
import { taken, transcript, writtenNow } from './lib/transcript.mjs';

const EVENTS = flags.quick ? 10_000 : 100_000;
const BYTES = flags.quick ? 1e6 : 1e7;
const ROUNDS = flags.quick ? 7 : 25;
/** Without any stored state everything is folded: slow, and rare. */
const COLD_ROUNDS = flags.quick ? 2 : 5;
/** What a turn leaves behind that no hook has seen. */
const UNREAD_BYTES = 64 * 1024;
const LONG = '6a0c2b1e-5d1b-4c55-9a43-0b1c6f8e7d21';

await script('session-start', async () => {
  const dir = projectWith(EVENTS, await loadProgram());
  const { entry } = installed();
  const env = { CLAUDE_PROJECT_DIR: dir };
  const hook = (name, session, more = {}) => {
    const input = { ...hookInput(name), session_id: session, cwd: dir, ...more };
    input.transcript_path = path.join(dir, `${session}.jsonl`);
    const start = performance.now();
    run(process.execPath, [entry, 'hook', name], { input: JSON.stringify(input), env });
    return performance.now() - start;
  };
  /** A session as short as one can be; its end leaves stored states, as every end does. */
  const session = () => {
    const id = randomUUID();
    const took = hook('SessionStart', id, { source: 'startup' });
    for (const name of ['UserPromptSubmit', 'Stop', 'SessionEnd']) hook(name, id);
    return took;
  };
  const rounds = ROUNDS + 1;
  const lines = transcript(BYTES + 2 * rounds * 2 * UNREAD_BYTES, LONG);
  const file = path.join(dir, `${LONG}.jsonl`);
  /** The long session goes on, by what a turn writes; the turn's end stores its states, as every turn's end does. */
  const longSession = (source, before) => () => {
    before?.();
    appendFileSync(file, writtenNow(taken(lines, UNREAD_BYTES)));
    const took = hook('SessionStart', LONG, { source });
    hook('Stop', LONG);
    return took;
  };
  const compaction = () => hook('PreCompact', LONG, { trigger: 'auto' });
  const empty = () => void emptyNode('');
  session();
  // What V8 makes of the bundle of a tool call's hook is there, too, then.
  hook('PostToolUse', LONG);
  writeFileSync(file, writtenNow(taken(lines, BYTES)));
  for (let read = 0; read < 8; read += 1) hook('Stop', LONG);
  const warm = await interleaved(
    {
      session,
      resume: longSession('resume'),
      compact: longSession('compact', compaction),
      empty,
    },
    ROUNDS,
  );
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
  const long = `${(BYTES / 1e6).toFixed(0)} MB of transcript, its last 64 KiB not yet read`;
  const row = (what, { [what]: ours, empty: peer }, name, goal) =>
    ratioRow(`${about}, ${name}`, ours, peer, 'node -e 0', goal);
  return [
    row('session', warm, 'a new session, stored states as sessions leave them', 5),
    row('resume', warm, `a resumed one, ${long}`, 5),
    row('compact', warm, `a compacted one, ${long}`, 5),
    row('session', cold, 'a new session, no stored state at all'),
  ];
});
