// What `ben10 status` takes in a fresh process, in journals of any length, with the stored states that the last one left.
import { existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { childTime } from './lib/child-time.mjs';
import { installed } from './lib/installed.mjs';
import { largeJournal } from './lib/large.mjs';
import { loadProgram } from './lib/program.mjs';
import { flags, ratioRow, script } from './lib/report.mjs';
import { emptyNode, interleaved, run } from './lib/rounds.mjs';

const LONG = flags.quick ? 50_000 : 1_000_000;
const LONGEST = flags.quick ? 100_000 : 10_000_000;
const SHORT = 10_000;
const ROUNDS = flags.quick ? 5 : 20;
const name = (events) => `${events.toLocaleString('en')} events`;

const say = (what) => process.stderr.write(`${what}\n`);
const keptFor = (cwd) => `${cwd}-states`;

await script('cold-open', async () => {
  const program = await loadProgram();
  const { entry } = installed();
  const status = async (events, bytes) => {
    const { dir: cwd } = await largeJournal(events, bytes, program);
    const states = path.join(cwd, '.ben10', 'checkpoints');
    rmSync(states, { recursive: true, force: true });
    if (existsSync(keptFor(cwd))) renameSync(keptFor(cwd), states);
    else say(`folding ${name(events)} for the first time: some ${Math.ceil(events / 1e5)} s…`);
    const open = () => run(process.execPath, [entry, 'status', '--json'], { cwd });
    const { journal } = JSON.parse(open());
    if (journal.lastSeq !== events) throw new Error(`${journal.lastSeq} of ${events} events`);
    return { cwd, states, open: () => void open() };
  };
  const long = await status(LONG, 1000);
  const longest = await status(LONGEST, 500);
  const short = await status(SHORT, 500);
  say(`opening each ${ROUNDS + 1} times…`);
  const cases = { long: long.open, longest: longest.open, short: short.open };
  const timed = childTime({ ...cases, empty: () => void emptyNode('') });
  const samples = await interleaved(timed.cases, ROUNDS);
  // The journals are kept without any state: others measure how one is made. The states wait beside them for the next run.
  for (const { cwd, states } of [long, longest, short]) renameSync(states, keptFor(cwd));
  return [
    ratioRow(`ben10 status, ${name(LONG)}`, samples.long, samples.empty, 'node -e 0', 2.6, 3),
    ratioRow(`ben10 status, ${name(LONGEST)}`, samples.longest, samples.short, name(SHORT), 1.2),
    ...timed.rows(`the same in processor time, ${name(LONG)}`, 'long', 'empty', 'node -e 0'),
    ...timed.rows(`in processor time, ${name(LONGEST)}`, 'longest', 'short', name(SHORT)),
  ];
});
