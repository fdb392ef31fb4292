// Recorded sessions of strangers, imported as a user does. Is the percent right at every message, and do L2 and L3 come before the
// client's own compaction, once an earlier one was seen? How early, and how often in contexts that are never compacted?
//
//   node bench/monitor-sessions.mjs --sessions DIR
//
// DIR has a folder of transcripts for each project. `--misses` lists what differs, and each compaction.
import {
  appendFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { loadProgram } from './lib/program.mjs';
import { atLeastRow, flags, script, singleRow } from './lib/report.mjs';
import { scratch } from './lib/scratch.mjs';

const PARTS = `
  export { compactAt, levelOf, rankOf, stepOf, thresholds } from './src/monitor/levels.ts';
  export { newestUsage } from './src/monitor/tail.ts';
  export { fullness } from './src/monitor/write-view.ts';
  export { comparePlaces } from './src/projections/order.ts';
  export { contextUse, epochOf } from './src/projections/folds/context-use.ts';
  export { forecastHistory, segmentOf } from './src/projections/folds/forecast-history.ts';
  export { Oracle, tokensIn } from './tests/monitor/oracle.ts';
`;
const SETTINGS = { levels: { l1: 70, l2: 85, l3: 95 }, compactAt: 'auto', window: 0 };
const RANKS = [0, 1, 2, 3];
const LARGE = /\[1m\]|opus-4-([7-9]|\d\d)(?!\d)|opus-[5-9]|sonnet-[5-9]|fable-[5-9]/;

const tally = () => ({ equal: 0, all: 0 });
function compare(into, ours, expected, where) {
  into.all += 1;
  if (ours === expected) into.equal += 1;
  else if (flags.misses) process.stderr.write(`${where}: ${ours} for ${expected}\n`);
}
const shareOf = ({ equal, all }) => (100 * equal) / all;

/** Independent of the program: what the window of a call is. */
const percentOf = (tokens, model) =>
  Math.round((100 * tokens) / (LARGE.test(model ?? '') || tokens > 200_000 ? 1_000_000 : 200_000));

/** Compares the end of the growing transcript with the oracle, and returns what each message held. */
function readForward({ Oracle, tokensIn, newestUsage }, file, found) {
  const oracle = new Oracle();
  const growing = path.join(scratch(), 'growing.jsonl');
  writeFileSync(growing, '');
  const messages = new Map();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line === '') continue;
    appendFileSync(growing, `${line}\n`);
    const record = oracle.add(line);
    if (record === undefined) continue;
    const isCall = tokensIn(record) > 0;
    if (!isCall && record.subtype !== 'compact_boundary' && record.type !== 'user') continue;
    const where = `${path.basename(file)} ${record.uuid} tail`;
    compare(found.tail, newestUsage(growing)?.tokens, oracle.tokens(), where);
    if (isCall) {
      const { id, model } = record.message;
      messages.set(id, { tokens: tokensIn(record), model });
    }
  }
  rmSync(growing);
  return messages;
}

/** Every fact of the project's main threads, in the order in which it happened. */
function factsOf({ comparePlaces, contextUse, sessions }, { states }) {
  const all = Object.keys(states.at(sessions, null).state.sessions);
  return all
    .flatMap((session) => states.facts(session, contextUse.types))
    .sort((a, b) => comparePlaces(a.place, b.place))
    .map(({ fact }) => fact);
}

/** How far the context of a session came before the client compacted it. */
function watched(program, session, { segments }, { state, seen }) {
  const { window, tokens, percent } = program.fullness(state, SETTINGS);
  const known = { session, window, tokens, compacting: null, segments };
  const at = program.compactAt(SETTINGS, known);
  const step = program.stepOf(program.segmentOf(segments, session));
  const marks = program.thresholds(SETTINGS, at, window, step);
  const epoch = program.epochOf(state);
  const fresh = { level: 'L0', most: 0, fixed: 0, said: [], from: [], isKnown: false };
  const before = seen?.epoch === epoch ? seen : fresh;
  const level = program.levelOf(percent, marks, before.level);
  const most = Math.max(before.most, program.rankOf(level));
  const said = RANKS.map((rank) => (before.said[rank] ?? -1) + (most >= rank ? 1 : 0));
  const from = RANKS.map((rank) => before.from[rank] ?? (most >= rank ? tokens : undefined));
  const fixed = Math.max(before.fixed, percent ?? 0);
  return {
    ...{ epoch, level, most, said, from, fixed, percent, marks },
    isKnown: before.isKnown || at.isKnown,
  };
}

function replay(program, project, messages, name, found) {
  const { contextUse, forecastHistory, fullness } = program;
  const history = forecastHistory.initial();
  const bySession = new Map();
  const contexts = new Map();
  for (const fact of factsOf(program, project)) {
    const thread = bySession.get(fact.session) ?? { state: contextUse.initial(), seen: undefined };
    bySession.set(fact.session, thread);
    const isCompacted = fact.type === 'compaction.finished' && fact.agent === null;
    const isLearnt = history.segments.some(({ compactedAt }) => compactedAt !== null);
    if (isCompacted && fact.data.trigger === 'auto') {
      const { seen } = thread;
      contexts.delete(`${fact.session} ${seen?.epoch}`);
      const { preTokens: pre } = fact.data;
      if (isLearnt) found.compactions.push({ name, session: fact.session, pre, ...seen });
    }
    contextUse.apply(thread.state, fact);
    forecastHistory.apply(history, fact);
    const message = messages.get(fact.data.messageId);
    if (fact.type !== 'usage.sampled' || fact.agent !== null || message === undefined) continue;
    thread.seen = watched(program, fact.session, history, thread);
    contexts.set(`${fact.session} ${thread.seen.epoch}`, thread.seen);
    messages.get(fact.data.messageId).got = fullness(thread.state, SETTINGS);
  }
  found.others.push(...[...contexts.values()].filter(({ isKnown }) => isKnown));
  for (const [id, { tokens, model, got }] of messages) {
    compare(found.tokens, got?.tokens, tokens, `${name} ${id} tokens`);
    compare(found.percent, got?.percent, percentOf(tokens, model), `${name} ${id} percent`);
  }
}

function measure(program, dir, found) {
  const name = path.basename(dir);
  const project = program.openProject(scratch(), { lockBudgetMs: 5000, lock: program.lock });
  const files = readdirSync(dir).filter((one) => one.endsWith('.jsonl'));
  const messages = new Map();
  for (const file of files)
    for (const [id, one] of readForward(program, path.join(dir, file), found))
      messages.set(id, one);
  found.sessions += files.length;
  const { ports, reader, states, recorder } = project;
  program.importTranscripts({ ports, reader, states, recorder, paths: [dir] });
  replay(program, project, messages, name, found);
  project.close();
}

const median = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** What L2 or L3 is worth, and what it costs. */
function levelRows(rank, goal, { compactions, others }) {
  const name = `L${rank}`;
  const isTold = ({ most }) => most >= rank;
  const told = compactions.filter(isTold);
  const sessionsOf = (some) => new Set(some.map((one) => `${one.name} ${one.session}`)).size;
  const sessions = sessionsOf(compactions);
  const missed = sessionsOf(compactions.filter((one) => !isTold(one)));
  const share = (some, all) => (100 * some.length) / all.length;
  const needless = share(others.filter(isTold), others);
  return [
    atLeastRow(
      `${compactions.length} compactions after an earlier one: ${name} came before`,
      share(told, compactions),
      '%',
      'learnt',
      goal,
    ),
    atLeastRow(
      `the ${sessions} sessions that had them: ${name} came before each`,
      100 * (1 - missed / sessions),
      '%',
      'learnt',
      goal,
    ),
    singleRow(
      `from ${name} to the compaction, median`,
      median(told.map(({ said }) => said[rank])),
      'messages',
    ),
    singleRow(
      'the same',
      median(told.flatMap(({ pre, from }) => (pre === undefined ? [] : pre - from[rank]))),
      'tokens',
    ),
    singleRow(`${others.length} contexts that were not compacted: ${name} came`, needless, '%'),
  ];
}

const fixedRow = (percent, compactions) =>
  atLeastRow(
    `the same compactions: ${percent} % came before`,
    (100 * compactions.filter((one) => one.fixed >= percent).length) / compactions.length,
    '%',
    'fixed',
  );

await script('monitor-sessions', async () => {
  const program = await loadProgram(PARTS);
  const found = { sessions: 0, tail: tally(), tokens: tally(), percent: tally() };
  Object.assign(found, { compactions: [], others: [] });
  for (const folder of flags.sessions ?? [])
    for (const name of readdirSync(folder).sort()) {
      const dir = path.join(folder, name);
      if (!statSync(dir).isDirectory()) continue;
      measure(program, dir, found);
      process.stderr.write(`${name}: ${found.tokens.all} messages so far\n`);
    }
  const { compactions } = found;
  if (flags.misses) for (const one of compactions) process.stderr.write(`${JSON.stringify(one)}\n`);
  return [
    atLeastRow(
      `transcript's end, ${found.tail.all} places: tokens equal to the oracle`,
      shareOf(found.tail),
      '%',
      undefined,
      100,
    ),
    atLeastRow(
      `${found.sessions} sessions imported, ${found.tokens.all} messages: tokens equal`,
      shareOf(found.tokens),
      '%',
      undefined,
      100,
    ),
    atLeastRow('the same: percent equal', shareOf(found.percent), '%', undefined, 100),
    ...(compactions.length > 0 ? [...levelRows(2, 95, found), ...levelRows(3, 90, found)] : []),
    ...(compactions.length > 0 ? [85, 95].map((percent) => fixedRow(percent, compactions)) : []),
  ];
});
