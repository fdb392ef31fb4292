// What hooks cost that find a long transcript which nobody has read yet: the first start of ben10 in a session that goes on,
// its end, and a compaction of which nearly all is recorded. Beside them a script that only reads and parses the same bytes.
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { installed } from './lib/installed.mjs';
import { hookInput } from './lib/payload.mjs';
import { flags, ratioRow, script, valueRow } from './lib/report.mjs';
import { interleaved, run } from './lib/rounds.mjs';
import { scratch } from './lib/scratch.mjs';
import { transcript } from './lib/transcript.mjs';

const ROUNDS = flags.quick ? 5 : 15;
const BYTES = flags.quick ? 1e6 : 1e7;
/** What a turn leaves behind that no hook has seen. */
const UNREAD_BYTES = 64 * 1024;
const SESSION = '6a0c2b1e-5d1b-4c55-9a43-0b1c6f8e7d21';

const PARSE = `
const lines = require('node:fs').readFileSync(process.argv[1], 'utf8').split('\\n');
let records = 0;
for (const line of lines) if (line !== '') records += Object.keys(JSON.parse(line)).length > 0 ? 1 : 0;
process.exitCode = records > 0 ? 0 : 1;
`;

await script('transcript', async () => {
  const { entry } = installed();
  const lines = transcript(BYTES, SESSION);
  const whole = `${lines.join('\n')}\n`;
  const dir = scratch();
  const file = path.join(dir, `${SESSION}.jsonl`);
  const env = { CLAUDE_PROJECT_DIR: dir };
  const hook = (name, more = {}) => {
    const input = {
      ...hookInput(name),
      session_id: SESSION,
      cwd: dir,
      transcript_path: file,
      ...more,
    };
    return run(process.execPath, [entry, 'hook', name], { input: JSON.stringify(input), env });
  };
  const anew = () => {
    rmSync(path.join(dir, '.ben10'), { recursive: true, force: true });
    writeFileSync(file, whole);
  };
  const timed = (work) => {
    const start = performance.now();
    work();
    return performance.now() - start;
  };
  const parse = () => timed(() => run(process.execPath, ['-e', PARSE, file]));
  const unread = (name, more) => () => {
    anew();
    return timed(() => hook(name, more));
  };
  const compaction = () => {
    anew();
    let rest = 0;
    let kept = lines.length;
    while (rest < UNREAD_BYTES) rest += Buffer.byteLength(lines[--kept]) + 1;
    writeFileSync(file, `${lines.slice(0, kept).join('\n')}\n`);
    // As long as it takes until all of it is recorded.
    for (let n = 0; n < 8; n += 1) hook('Stop');
    appendFileSync(file, `${lines.slice(kept).join('\n')}\n`);
    return timed(() => hook('PreCompact', { trigger: 'auto' }));
  };
  // As an installation is that has seen a tool call: what V8 makes of its bundles is there.
  hook('PostToolUse');
  const samples = await interleaved(
    {
      parse,
      start: unread('SessionStart', { source: 'resume' }),
      end: unread('SessionEnd'),
      compaction,
    },
    ROUNDS,
  );
  const about = `${(whole.length / 1e6).toFixed(0)} MB of transcript`;
  const peer = 'read and JSON.parse';
  return [
    valueRow(`SessionStart, ${about} not yet read`, samples.start, 'ms', 250),
    ratioRow(`SessionStart, ${about} not yet read`, samples.start, samples.parse, peer, 4),
    valueRow(`SessionEnd, ${about} not yet read`, samples.end, 'ms', 250),
    ratioRow(`SessionEnd, ${about} not yet read`, samples.end, samples.parse, peer, 4),
    valueRow(`PreCompact, ${about}, its last 64 KiB not yet read`, samples.compaction, 'ms', 300),
  ];
});
