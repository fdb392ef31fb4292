import { cpSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { cache, digestOfFiles, root } from './program.mjs';
import { seeded } from './random.mjs';
import { scratch } from './scratch.mjs';

const SOURCES = [
  fileURLToPath(import.meta.url),
  ...[
    'journal/format/format.ts',
    'events/types.ts',
    'projections/retention.ts',
    'projections/checkpoint-form.ts',
    // Its version: states of an older one are folded anew.
    'projections/folds/context.ts',
  ].map((file) => path.join(root, 'src', file)),
];
/** Of a session, and of a turn of it. */
const SESSION_EVENTS = 2_500;
const TURN_EVENTS = 50;
/** After so many turns a hook looks at the state, and stores it: a hook of its own does so after each. */
const TURNS_PER_HOOK = 10;
const START = Date.UTC(2026, 0, 5);
const WORDS = 'the parser reads each line of a file and tests what it finds there again'.split(' ');

/**
 * A project with a journal of that many small events: sessions of 2,500 events, two side by side, with the states that hooks store
 * on their way. Made once and kept; what is returned is a copy.
 */
export async function longProject(events, program) {
  const master = path.join(cache, `long-${events}-${digestOfFiles(SOURCES)}`);
  if (!existsSync(master)) {
    process.stderr.write(`growing a journal of ${events} small events (kept in ${cache})…\n`);
    const work = scratch();
    await fill(work, events, program);
    mkdirSync(cache, { recursive: true });
    renameSync(work, master);
  }
  const copy = scratch();
  cpSync(master, copy, { recursive: true });
  return copy;
}

async function fill(dir, events, program) {
  const { openProject, lock, context, sessions, loadXxh64 } = program;
  const project = openProject(dir, { lockBudgetMs: 5000, lock, hash: await loadXxh64() });
  const { recorder } = project;
  const random = seeded(11);
  const turns = events / TURN_EVENTS;
  const perSession = SESSION_EVENTS / TURN_EVENTS;
  for (let turn = 0; turn < turns; turn += 1) {
    // Two sessions take turns.
    const pair = Math.floor(turn / (2 * perSession));
    const session = `session-${2 * pair + (turn % 2)}`;
    const n = Math.floor((turn % (2 * perSession)) / 2);
    const seen = turnOf(session, n, START + turn * TURN_EVENTS * 1000, random);
    recorder.append(seen.map((one) => recorder.event(one, 'transcript')));
    if ((n + 1) % TURNS_PER_HOOK === 0) project.states.at(context, session);
    if (n + 1 === perSession) project.states.at(sessions, null);
  }
  project.close();
}

/** A prompt, then calls with their results and words between them. */
function turnOf(session, turn, at, random) {
  const text = (words) =>
    Array.from({ length: words }, () => WORDS[Math.floor(random() * WORDS.length)]).join(' ');
  return Array.from({ length: TURN_EVENTS }, (_, index) => {
    const number = turn * TURN_EVENTS + index;
    const id = `t${number - (index % 3)}`;
    const about = { session, agent: null, at: at + index * 1000, trace: { pos: number * 400 } };
    const path = `/work/src/part-${Math.floor(random() * 60)}.ts`;
    if (index === 0)
      return { ...about, type: 'prompt.submitted', fact: `p${turn}`, data: { text: text(20) } };
    if (index === TURN_EVENTS - 1)
      return { ...about, trace: undefined, type: 'turn.ended', fact: `e${turn}`, data: {} };
    if (index % 3 === 1) {
      const data = { role: 'assistant', kind: 'text', text: text(40) };
      return { ...about, type: 'message.recorded', fact: `m${number}`, data };
    }
    const call = `${session}-${id}-${Math.floor((index - 2) / 3)}`;
    if (index % 3 === 2) {
      const data = { toolUseId: call, name: 'Read', input: { file_path: path } };
      return { ...about, type: 'tool.called', fact: `c${call}`, data };
    }
    const data = { toolUseId: call.replace(id, `t${number - 1}`), output: text(60) };
    return { ...about, type: 'tool.succeeded', fact: `r${number}`, data };
  });
}
