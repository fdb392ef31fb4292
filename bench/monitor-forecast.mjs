// How far forecasts of the context's growth are off, on recorded sessions: minutes of work to 70, 85 and 95 % of the window and to the
// client's own compaction, from every message before it. Constants are set on one half of the projects, and measured on the other.
//
//   node bench/monitor-forecast.mjs --sessions DIR
//
// DIR has a folder of transcripts for each project. Each forecast knows what a journal of that project knew by then.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';
import { HALVES, halfOf } from './lib/halves.mjs';
import { root } from './lib/program.mjs';
import { atLeastRow, flags, script, singleRow } from './lib/report.mjs';
import { scratch } from './lib/scratch.mjs';

const PARTS = `
  export { backtest, errorsOf } from './src/monitor/backtest.ts';
  export { historyOf } from './src/projections/folds/forecast-history.ts';
`;

async function programOf() {
  const outfile = path.join(scratch(), 'forecast.cjs');
  const stdin = { contents: PARTS, resolveDir: root, loader: 'ts' };
  await build({
    stdin,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile,
    absWorkingDir: root,
  });
  return createRequire(import.meta.url)(outfile);
}

/** What the fold reads, of one line of a transcript. */
function factOf(record) {
  const { uuid, sessionId: session, timestamp, isSidechain, message, isApiErrorMessage } = record;
  const at = Date.parse(timestamp);
  const fact = { id: String(uuid), session, agent: isSidechain ? 'side' : null, at };
  if (record.subtype === 'compact_boundary')
    return { ...fact, type: 'compaction.finished', data: record.compactMetadata ?? {} };
  const usage = message?.usage;
  if (record.type !== 'assistant' || isApiErrorMessage || !usage || !(fact.at > 0))
    return undefined;
  const data = {
    messageId: message.id,
    model: message.model,
    inputTokens: usage.input_tokens ?? 0,
    cacheCreationTokens: usage.cache_creation_input_tokens ?? 0,
    cacheReadTokens: usage.cache_read_input_tokens ?? 0,
  };
  return { ...fact, type: 'usage.sampled', data };
}

function* recordsOf(file) {
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    try {
      yield JSON.parse(line);
    } catch {
      // A line that was cut.
    }
  }
}

/** All contexts of a project, oldest first; what a resumed session repeats counts once. */
function segmentsOf({ historyOf }, dir) {
  const history = historyOf(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
  const state = history.initial();
  const owners = new Map();
  const files = readdirSync(dir).filter((name) => name.endsWith('.jsonl'));
  const sessions = files.map((name) => {
    const facts = [...recordsOf(path.join(dir, name))].flatMap((one) => factOf(one) ?? []);
    return { name, facts, at: facts[0]?.at ?? 0 };
  });
  for (const { name, facts } of sessions.sort((a, b) => a.at - b.at))
    for (const fact of facts) {
      const owner = owners.get(fact.data.messageId) ?? name;
      if (fact.data.messageId !== undefined) owners.set(fact.data.messageId, owner);
      if (owner === name) history.apply(state, { ...fact, session: name });
    }
  return state.segments;
}

await script('monitor-forecast', async () => {
  const program = await programOf();
  const found = Object.fromEntries(HALVES.map((half) => [half, { trials: [], contexts: 0 }]));
  for (const folder of flags.sessions ?? [])
    for (const name of readdirSync(folder).sort()) {
      const half = halfOf(name);
      const dir = path.join(folder, name);
      if (!statSync(dir).isDirectory() || (flags.half ?? half) !== half) continue;
      const tested = program.backtest(segmentsOf(program, dir), { l1: 70, l2: 85, l3: 95 });
      if (flags.misses)
        process.stderr.write(
          `${half} ${name} ${tested.crossings} ${JSON.stringify(program.errorsOf(tested.trials))}\n`,
        );
      found[half].trials.push(...tested.trials);
      found[half].contexts += new Set(tested.trials.map(({ segment }) => segment)).size;
    }
  return HALVES.flatMap((half) => {
    const { trials, contexts } = found[half];
    const errors = program.errorsOf(trials);
    if (errors === null) return [];
    const isGoal = half === 'held-out';
    const goal = (value) => (isGoal ? value : undefined);
    const of = `${half} half, ${trials.length} forecasts in ${contexts} contexts`;
    const { ours, ewma, soFar, covered, width } = errors;
    return [
      singleRow(`${of}: median error of the minutes`, ours, '%', goal(40)),
      singleRow(`${half} half: the same by EWMA`, ewma, '%'),
      singleRow(`${half} half: the same by the rate so far`, soFar, '%'),
      singleRow(`${half} half: ours to EWMA's`, ours / ewma, 'times', goal(0.9)),
      atLeastRow(
        `${half} half: forecasts whose 80 % interval holds what came`,
        covered,
        '%',
        undefined,
        goal(70),
      ),
      singleRow(`${half} half: the same, at most`, covered, '%', goal(90)),
      singleRow(`${half} half: upper end to lower end of the interval`, width, 'times', goal(5)),
    ];
  });
});
