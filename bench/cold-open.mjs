// What `ben10 status` takes in a fresh process, with a long journal and with a short one.
import { installed } from './lib/installed.mjs';
import { projectWith } from './lib/journal.mjs';
import { loadProgram } from './lib/program.mjs';
import { flags, ratioRow, script } from './lib/report.mjs';
import { emptyNode, interleaved, run } from './lib/rounds.mjs';

const LONG = flags.quick ? 10_000 : 100_000;
const SHORT = 1_000;
const ROUNDS = flags.quick ? 5 : 20;

await script('cold-open', async () => {
  const program = await loadProgram();
  const [long, short] = [projectWith(LONG, program), projectWith(SHORT, program)];
  const { entry } = installed();
  const status = (cwd) => () => void run(process.execPath, [entry, 'status', '--json'], { cwd });
  const samples = await interleaved(
    { long: status(long), short: status(short), empty: () => void emptyNode('') },
    ROUNDS,
  );
  const name = (events) => `${events.toLocaleString('en')} events`;
  return [
    ratioRow(`ben10 status, ${name(LONG)}`, samples.long, samples.empty, 'node -e 0'),
    ratioRow(`ben10 status, ${name(LONG)}`, samples.long, samples.short, name(SHORT)),
  ];
});
