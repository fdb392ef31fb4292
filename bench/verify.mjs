// What it takes to verify a journal of a gigabyte, every checksum, every commitment and the whole chain, against one SHA-256
// of the same bytes.
import { createHash } from 'node:crypto';
import { inProcessorTime } from './lib/cpu.mjs';
import { bytesIn, eachPiece, segmentsIn } from './lib/files.mjs';
import { largeJournal } from './lib/large.mjs';
import { loadProgram } from './lib/program.mjs';
import { flags, ratioRow, script } from './lib/report.mjs';
import { interleaved } from './lib/rounds.mjs';

const EVENTS = flags.quick ? 50_000 : 1_000_000;
const ROUNDS = 7;

await script('verify', async () => {
  const program = await loadProgram();
  const { openProject, verifyJournal, loadXxh64, lock } = program;
  const hash = await loadXxh64();
  const { dir } = await largeJournal(EVENTS, 1000, program);
  const { ports, root, decoders } = openProject(dir, { lockBudgetMs: 5000, lock, hash });
  const segments = segmentsIn(dir);
  const cases = {
    verify: () => {
      const { ok, events } = verifyJournal(ports, root, decoders);
      if (!ok || events < EVENTS) throw new Error(`${events} events, sound: ${ok}`);
    },
    sha256: () => {
      const sum = createHash('sha256');
      for (const file of segments) eachPiece(file, (piece) => sum.update(piece));
      sum.digest();
    },
    bytes: () => {
      for (const file of segments) eachPiece(file, () => undefined);
    },
  };
  const samples = await interleaved(inProcessorTime(cases), ROUNDS);
  const what = `verify of ${(bytesIn(segments) / 1e9).toFixed(2)} GB`;
  return [
    ratioRow(what, samples.verify, samples.sha256, 'SHA-256 of the same bytes', 4),
    ratioRow(what, samples.verify, samples.bytes, 'the limit: these bytes read'),
  ];
});
