// What hooks cost that find a long transcript which nobody has read yet: the first start of ben10 in a session that goes on,
// its end, with how long the process takes that it hands the rest over to, and a compaction of which nearly all is recorded. Beside them a script that only reads and parses the same bytes. And the
// first reading of a new session's transcript in a long journal, beside the same in a short one.

import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { installed } from './lib/installed.mjs';
import { projectWith } from './lib/journal.mjs';
import { hookInput } from './lib/payload.mjs';
import { loadProgram } from './lib/program.mjs';
import { flags, ratioRow, script, valueRow } from './lib/report.mjs';
import { interleaved, run } from './lib/rounds.mjs';
import { scratch } from './lib/scratch.mjs';
import { taken, transcript, writtenNow } from './lib/transcript.mjs';

const ROUNDS = flags.quick ? 5 : 15;
const BYTES = flags.quick ? 1e6 : 1e7;
/** What a turn leaves behind that no hook has seen. */
const UNREAD_BYTES = 64 * 1024;
/** What a new session is compared with, and the same in short. */
const EVENTS = flags.quick ? 10_000 : 100_000;
const EVENTS_SHORT = 1000;
/** How often is looked whether another process has come to its end. */
const POLL_MS = 10;
const SESSION = '6a0c2b1e-5d1b-4c55-9a43-0b1c6f8e7d21';

const PARSE = `
const lines = require('node:fs').readFileSync(process.argv[1], 'utf8').split('\\n');
let records = 0;
for (const line of lines) if (line !== '') records += Object.keys(JSON.parse(line)).length > 0 ? 1 : 0;
process.exitCode = records > 0 ? 0 : 1;
`;

/** Whether a process still reads what an end has left in a project. */
const reads = (dir) => execFileSync('ps', ['-eo', 'args=']).toString().includes(` read-on ${dir} `);

await script('transcript', async () => {
  const { entry } = installed();
  const lines = transcript(BYTES, SESSION);
  const whole = `${lines.join('\n')}\n`;
  const dir = scratch();
  const file = path.join(dir, `${SESSION}.jsonl`);
  const program = await loadProgram();
  const hook = (name, more = {}) => {
    const input = {
      ...hookInput(name),
      session_id: SESSION,
      cwd: dir,
      transcript_path: file,
      ...more,
    };
    const env = { CLAUDE_PROJECT_DIR: input.cwd };
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
  /** Until all is in the journal: what the end leaves is brought by a process of its own, which nobody waits for. */
  const untilRead = [];
  const end = async (round) => {
    anew();
    const start = performance.now();
    hook('SessionEnd');
    const took = performance.now() - start;
    const project = program.openProject(dir, { lockBudgetMs: 0 });
    while (!isRead(project)) await setTimeout(POLL_MS);
    if (round >= 0) untilRead.push(performance.now() - start);
    // It stores states now: what comes next has the machine for itself.
    while (reads(dir)) await setTimeout(POLL_MS);
    return took;
  };
  const isRead = ({ reader, ports }) => {
    const readings = [...program.readEvents(reader, ports.xxh64, { types: ['transcript.read'] })];
    return readings.length > 0 && readings.at(-1).data.partial !== true;
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
  /** A session that begins, and whose transcript is there when its first turn is over. */
  const firstTurnIn = (events) => {
    const project = projectWith(events, program);
    return () => {
      const session = randomUUID();
      const own = path.join(project, `${session}.jsonl`);
      const where = { session_id: session, cwd: project, transcript_path: own };
      hook('SessionStart', { ...where, source: 'startup' });
      writeFileSync(own, writtenNow(taken(transcript(UNREAD_BYTES, session), UNREAD_BYTES)));
      const took = timed(() => hook('Stop', where));
      hook('SessionEnd', where);
      return took;
    };
  };
  // As an installation is that has seen a tool call: what V8 makes of its bundles is there.
  hook('PostToolUse');
  const samples = await interleaved(
    {
      parse,
      start: unread('SessionStart', { source: 'resume' }),
      end,
      compaction,
      first: firstTurnIn(EVENTS),
      short: firstTurnIn(EVENTS_SHORT),
    },
    ROUNDS,
  );
  const firstTurn = `Stop, the first 64 KiB of a new session, ${EVENTS.toLocaleString('en')} events`;
  const about = `${(whole.length / 1e6).toFixed(0)} MB of transcript`;
  const peer = 'read and JSON.parse';
  return [
    valueRow(`SessionStart, ${about} not yet read`, samples.start, 'ms', 250),
    ratioRow(`SessionStart, ${about} not yet read`, samples.start, samples.parse, peer, 2.5, 4),
    valueRow(`SessionEnd, ${about} not yet read`, samples.end, 'ms', 250),
    ratioRow(`SessionEnd, ${about} not yet read`, samples.end, samples.parse, peer, 2.5, 4),
    // The same goal for all of the reading, redaction included, which an end no longer waits for.
    valueRow(
      `SessionEnd, ${about} not yet read, redaction included: until the journal holds all of it`,
      untilRead,
      'ms',
      250,
    ),
    valueRow(`PreCompact, ${about}, its last 64 KiB not yet read`, samples.compaction, 'ms', 300),
    ratioRow(firstTurn, samples.first, samples.short, '1,000 events', 1.5),
  ];
});
