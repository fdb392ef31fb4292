// Is a handoff worth it for the session that goes on from it? Others' recorded sessions are cut in their later part, and right before
// the client's own compactions. The document is made of what stands before the cut, without their tree: what did the session come
// back to behind it, and does the document name that? Beside it what else one could go on from.
//
//   node bench/handoff-sessions.mjs --sessions DIR
//
// DIR has a folder of transcripts for each project. Code is mended by the tuning half alone (`--half tuning`); `--misses` lists what its
// documents do not name.
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { documentAt } from './handoff/document.mjs';
import { peersOf } from './handoff/peers.mjs';
import {
  FIGURES,
  hasTodo,
  missesOf,
  runsNamed,
  score,
  sectionOf,
  Tally,
} from './handoff/score.mjs';
import { cutsOf, sessionsIn } from './handoff/sessions.mjs';
import { truthOf } from './handoff/truth.mjs';
import { HALVES, halfOf } from './lib/halves.mjs';
import { loadProgram } from './lib/program.mjs';
import { atLeastRow, flags, script } from './lib/report.mjs';

const PARTS = `
  export { looksAround } from './src/projections/outcome/command.ts';
  export { runKey } from './src/projections/outcome/passes.ts';
`;

/** Of the document alone. */
const SECTIONS = {
  firstStep: 'the todo that came next: the first of Next Steps',
  anyStep: 'the todo that came next: in Next Steps',
  openUsed: 'of the commands in Open Errors, run in the next 30 calls',
};

const tallies = () => new Map();
function into(all, who) {
  if (!all.has(who)) all.set(who, new Tally());
  return all.get(who);
}

function measure(program, name, session, found) {
  for (const cut of cutsOf(session)) {
    const truth = truthOf(program, cut, session.records);
    const document = documentAt(program, cut, session.records, truth.files);
    const which = found[cut.summary === undefined ? 'turns' : 'compactions'];
    const own = into(which, 'ben10');
    score(own, document.text, truth);
    const { todo, commands, at30 } = truth;
    const open = runsNamed(sectionOf(document.text, 'Open Errors'), commands);
    own.add('openUsed', open.filter((key) => at30.runs.has(key)).length, open.length);
    if (todo !== undefined) {
      const [first = ''] = document.nextSteps;
      own.add('firstStep', hasTodo(first, todo) ? 1 : 0, 1);
      own.add('anyStep', hasTodo(sectionOf(document.text, 'Next Steps'), todo) ? 1 : 0, 1);
    }
    for (const [who, text] of Object.entries(peersOf(cut, truth)))
      score(into(which, who), text, truth);
    if (flags.misses)
      for (const miss of missesOf(document.text, truth))
        process.stderr.write(`${name} ${session.name} ${cut.at}: ${miss}\n`);
  }
}

const percent = (value) => (value === null ? '–' : `${value.toFixed(0)} %`);

function rowsOf(about, found) {
  const own = found.get('ben10');
  if (own === undefined) return [];
  const peers = [...found].filter(([who]) => who !== 'ben10');
  const beside = (told) => peers.map(([who, tally]) => `${who} ${told(tally)}`).join(', ');
  const rows = Object.entries(FIGURES)
    .filter(([figure]) => own.share(figure) !== null)
    .map(([figure, words]) =>
      atLeastRow(
        `${about}, ${words} (${own.counts.get(figure).all})`,
        own.share(figure),
        '%',
        beside((tally) => percent(tally.share(figure))),
      ),
    );
  const sections = Object.entries(SECTIONS).flatMap(([figure, words]) => {
    const share = own.share(figure);
    const { all } = own.counts.get(figure) ?? {};
    return share === null ? [] : [atLeastRow(`${about}, ${words} (${all})`, share, '%')];
  });
  const each = (tally) => (1000 * (tally.counts.get('found')?.hits ?? 0)) / tally.chars;
  const chars = (tally) => tally.chars / tally.cuts;
  return [
    ...rows,
    ...sections,
    atLeastRow(
      `${about}, files edited and commands run again in the next 30 calls, for each 1,000 characters`,
      each(own),
      'names',
      beside((tally) => each(tally).toFixed(2)),
    ),
    atLeastRow(
      `${about}, ${own.cuts} cuts: length`,
      chars(own),
      'characters',
      beside((tally) => chars(tally).toFixed(0)),
    ),
  ];
}

await script('handoff-sessions', async () => {
  const program = await loadProgram(PARTS);
  const rows = [];
  for (const half of HALVES.filter((one) => (flags.half ?? one) === one)) {
    const found = { turns: tallies(), compactions: tallies() };
    let projects = 0;
    for (const folder of flags.sessions ?? [])
      for (const name of readdirSync(folder).sort()) {
        const dir = path.join(folder, name);
        if (name.startsWith('_') || !statSync(dir).isDirectory() || halfOf(name) !== half) continue;
        const sessions = sessionsIn(dir);
        for (const session of sessions) measure(program, name, session, found);
        if (sessions.length > 0) projects += 1;
        process.stderr.write(`${name}: ${sessions.length} sessions\n`);
      }
    const about = `${half} half, ${projects} projects`;
    rows.push(...rowsOf(about, found.turns));
    rows.push(...rowsOf(`${about}, before compactions`, found.compactions));
  }
  return rows;
});
