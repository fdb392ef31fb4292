// The most memory that a command holds which goes through very much: a process of its own, as users start it.
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installed } from './lib/installed.mjs';
import { largeJournal, room } from './lib/large.mjs';
import { loadProgram } from './lib/program.mjs';
import { flags, script, singleRow } from './lib/report.mjs';
import { run } from './lib/rounds.mjs';
import { scratch } from './lib/scratch.mjs';
import { longTranscript } from './lib/transcripts.mjs';

const REPLAYED = flags.quick ? 100_000 : 10_000_000;
const VERIFIED = flags.quick ? 100_000 : 1_000_000;
const IMPORTED_BYTES = flags.quick ? 5e7 : 1e9;
const SESSION = '6a0c2b1e-5d1b-4c55-9a43-0b1c6f8e7d21';
const MB_MAX = 200;
const PEAK = fileURLToPath(new URL('lib/peak.cjs', import.meta.url));

await script('memory', async () => {
  const program = await loadProgram();
  const { entry } = installed();
  const peak = (cwd, ...args) => {
    const file = path.join(scratch(), 'peak');
    run(process.execPath, ['-r', PEAK, entry, ...args], { cwd, env: { BENCH_PEAK_FILE: file } });
    return Number(readFileSync(file, 'utf8')) / 1e6;
  };
  const anew = (dir) =>
    rmSync(path.join(dir, '.ben10', 'checkpoints'), { recursive: true, force: true });

  const { dir: long } = await largeJournal(REPLAYED, 500, program);
  anew(long);
  const replay = peak(long, 'replay', '@-100');
  anew(long);
  // What is known of all sessions is folded from the first event on, a hundred seconds of ten million.
  const folded = peak(long, 'status');
  anew(long);
  const { dir: large } = await largeJournal(VERIFIED, 1000, program);
  const verify = peak(large, 'verify');

  const dir = scratch();
  const transcript = path.join(dir, `${SESSION}.jsonl`);
  room(2 * IMPORTED_BYTES, 'a transcript and its journal');
  longTranscript(transcript, IMPORTED_BYTES, SESSION);
  run(process.execPath, [entry, 'init'], { cwd: dir });
  const imported = peak(dir, 'import', transcript);
  const name = (events) => `${events.toLocaleString('en')} events`;
  return [
    singleRow(
      `memory, ben10 replay in ${name(REPLAYED)} of 500 B, no stored state`,
      replay,
      'MB',
      MB_MAX,
    ),
    singleRow(
      `memory, ben10 status in the same, every event folded for what it tells of all sessions`,
      folded,
      'MB',
      MB_MAX,
    ),
    singleRow(`memory, ben10 import of ${IMPORTED_BYTES / 1e6} MB`, imported, 'MB', MB_MAX),
    singleRow(`memory, ben10 verify of ${name(VERIFIED)} of 1 KB`, verify, 'MB', 150, MB_MAX),
  ];
});
