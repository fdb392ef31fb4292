// What the state at a random point takes in a warm process: the same in a journal of a million events as in a short one.
import { longProject } from './lib/long.mjs';
import { loadProgram } from './lib/program.mjs';
import { seeded } from './lib/random.mjs';
import { flags, ratioRow, script, singleRow, valueRow } from './lib/report.mjs';
import { interleaved } from './lib/rounds.mjs';
import { quantile } from './lib/stats.mjs';
import { unstored } from './lib/unstored.mjs';

const LONG = flags.quick ? 100_000 : 1_000_000;
const SHORT = flags.quick ? 20_000 : 100_000;
const POINTS = flags.quick ? 50 : 500;

await script('state', async () => {
  const program = await loadProgram();
  const { openProject, replay, loadXxh64, lock } = program;
  const hash = await loadXxh64();
  const random = seeded(7);
  const cpu = { long: [], short: [] };
  const caseOf = async (name, events) => {
    const dir = await longProject(events, program);
    const project = openProject(dir, { lockBudgetMs: 5000, lock, hash, defer: unstored });
    return () => {
      const point = `@${1 + Math.floor(random() * events)}`;
      const before = process.cpuUsage();
      const start = performance.now();
      const { state } = replay(project, { point });
      const took = performance.now() - start;
      const { user, system } = process.cpuUsage(before);
      cpu[name].push((user + system) / 1000);
      if (state.conversation === undefined) throw new Error('no state');
      return took;
    };
  };
  const cases = { long: await caseOf('long', LONG), short: await caseOf('short', SHORT) };
  const samples = await interleaved(cases, POINTS);
  const name = (events) => `${events.toLocaleString('en')} events`;
  const what = `state at a random point, ${name(LONG)}`;
  return [
    ratioRow(what, samples.long, samples.short, name(SHORT), 1.5),
    valueRow(`${what}: p50`, samples.long, 'ms'),
    singleRow(`${what}: p99`, quantile(samples.long, 0.99), 'ms', 50),
    singleRow(`${what}: p99 of processor time`, quantile(cpu.long.slice(1), 0.99), 'ms'),
  ];
});
