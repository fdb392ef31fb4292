// What reading a long journal takes in a warm process: all of it folded to the contexts of its sessions, its headers alone,
// one type in fifty; against JSON.parse of the same events as lines and msgpackr's unpack of them, which fold nothing and check nothing.

import { inProcessorTime } from './lib/cpu.mjs';
import { eachPiece, segmentsIn } from './lib/files.mjs';
import { largeJournal } from './lib/large.mjs';
import { parsedLines } from './lib/lines.mjs';
import { packedEvents } from './lib/packed.mjs';
import { loadProgram } from './lib/program.mjs';
import { flags, missingRow, ratioRow, script } from './lib/report.mjs';
import { interleaved } from './lib/rounds.mjs';

const EVENTS = flags.quick ? 50_000 : 1_000_000;
const LARGE = flags.quick ? 10_000 : 100_000;
const ROUNDS = 7;
const LARGE_BYTES = 4096;
/** States that are held at once, as `States` does. */
const HELD = 4;

await script('replay', async () => {
  const program = await loadProgram();
  const { openProject, readEvents, oneRoom, context, loadXxh64, lock } = program;
  const hash = await loadXxh64();
  const open = async (count, bytes) => {
    const { dir, lines } = await largeJournal(count, bytes, program, { lines: true });
    const { reader } = openProject(dir, { lockBudgetMs: 5000, lock, hash });
    return { reader, lines, segments: segmentsIn(dir) };
  };
  const small = await open(EVENTS, 1000);
  const large = await open(LARGE, LARGE_BYTES);
  const unpack = await packedEvents(small.lines);
  // Each alone is one in 80 to 140.
  const rare = ['turn.ended', 'compaction.finished'];
  let rareSeen = 0;

  const scan = (reader, count) => () => {
    let seen = 0;
    for (const { entry } of reader.entries(undefined, undefined, oneRoom()))
      if (entry !== undefined) seen += 1;
    if (seen < count) throw new Error(`${seen} events`);
  };
  const parse = (file, count) => () => {
    const seen = parsedLines(file);
    if (seen < count) throw new Error(`${seen} lines`);
  };
  const read = (files) => () => {
    for (const file of files) eachPiece(file, () => undefined);
  };
  let folded = 0;
  const cases = {
    fold: () => {
      const states = new Map();
      folded = 0;
      for (const event of readEvents(small.reader, hash, { types: context.types })) {
        const state = states.get(event.session) ?? context.initial();
        states.set(event.session, context.apply(state, event));
        // Nobody holds the states of all sessions that there ever were.
        if (states.size > HELD) states.delete(states.keys().next().value);
        folded += 1;
      }
      if (folded < EVENTS / 2) throw new Error(`${folded} events were folded`);
    },
    rare: () => {
      rareSeen = 0;
      for (const event of readEvents(small.reader, hash, { types: rare }))
        if (event.data !== undefined) rareSeen += 1;
    },
    headers: scan(small.reader, EVENTS),
    headersLarge: scan(large.reader, LARGE),
    lines: parse(small.lines, EVENTS),
    linesLarge: parse(large.lines, LARGE),
    ...(unpack && {
      packed: () => {
        const seen = unpack();
        if (seen < EVENTS) throw new Error(`${seen} packed events`);
      },
    }),
    bytes: read(small.segments),
    bytesLarge: read(large.segments),
  };
  const samples = await interleaved(inProcessorTime(cases), ROUNDS);
  const name = `${EVENTS.toLocaleString('en')} events of 1 KB`;
  const peer = 'JSON.parse of JSONL';
  return [
    ratioRow(
      `all sessions to their context, ${name}, ${folded.toLocaleString('en')} of which it is made of`,
      samples.fold,
      samples.lines,
      peer,
      0.8,
    ),
    ratioRow(
      `scan of headers with checksums, ${name}`,
      samples.headers,
      samples.lines,
      peer,
      0.2,
      0.35,
    ),
    ratioRow('the same of 4 KB', samples.headersLarge, samples.linesLarge, peer, 0.1),
    ratioRow(
      `one event in ${Math.round(EVENTS / rareSeen)} (${rare.join(', ')})`,
      samples.rare,
      samples.fold,
      'full replay',
      0.15,
      0.3,
    ),
    ...(samples.packed === undefined
      ? ['contexts', 'headers'].map((name) => missingRow(name, 'unpack of msgpackr'))
      : [
          ratioRow('contexts', samples.fold, samples.packed, 'unpack of msgpackr'),
          ratioRow('headers', samples.headers, samples.packed, 'unpack of msgpackr'),
        ]),
    ratioRow('contexts', samples.fold, samples.bytes, 'the limit: the segments read'),
    ratioRow('headers', samples.headers, samples.bytes, 'the limit: the segments read'),
    ratioRow(
      'headers of 4 KB',
      samples.headersLarge,
      samples.bytesLarge,
      'the limit: the segments read',
    ),
  ];
});
