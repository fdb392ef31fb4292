// What `pack suggest` finds of the files that are opened next, beside git's co-change alone: in recorded sessions, and in this
// repository's own commits with one file hidden. Constants are set on one half of the projects, or commits, and not on the other.
//
//   node bench/packs-suggest.mjs --sessions DIR --data REPOSITORIES
//
// DIR has a folder of transcripts for each project, REPOSITORIES the git directory of each as NAME/repo or NAME. `--sessions` may be there
// several times, and the folder's name stands in the rows: sessions that follow each other are what a journal has; every tenth of them
// leaves little to learn from.
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { HALVES, halfOf } from './lib/halves.mjs';
import { root } from './lib/program.mjs';
import { atLeastRow, flags, script } from './lib/report.mjs';
import { inCommits } from './suggest/commits.mjs';
import { suggestProgram } from './suggest/program.mjs';
import { GIT_ALONE, Tally, TOP } from './suggest/ranked.mjs';
import { inSessions } from './suggest/sessions.mjs';

const GOAL = 1.3;
const COMMITS = flags.quick ? 20 : 150;

function repositoryOf(name) {
  const folder = path.join(flags.data ?? '/nowhere', name);
  return [path.join(folder, 'repo'), folder].find((dir) => existsSync(dir));
}

/** @returns by half: one tally over all projects of a folder */
async function overSessions(program, folder) {
  const tallies = Object.fromEntries(HALVES.map((half) => [half, new Tally()]));
  for (const name of readdirSync(folder).sort()) {
    const dir = path.join(folder, name);
    const half = halfOf(name);
    const repository = repositoryOf(name);
    if (!statSync(dir).isDirectory() || (flags.half ?? half) !== half || repository === undefined)
      continue;
    const one = await inSessions(program, dir, repository);
    if (flags.misses) process.stderr.write(`${half} ${name} ${JSON.stringify(one)}\n`);
    const sum = tallies[half];
    sum.cuts += one.cuts;
    sum.wanted += one.wanted;
    for (const [who, found] of Object.entries(one.found))
      sum.found[who] = (sum.found[who] ?? 0) + found;
  }
  return tallies;
}

/** @param goal none for what the constants were set on */
function rowsOf(about, tally, goal) {
  if (tally.wanted === 0) return [];
  const ways = Object.keys(GIT_ALONE);
  const peer = ways.reduce((best, way) => (tally.share(way) > tally.share(best) ? way : best));
  const what = `${about}, of the files opened next in the top ${TOP}`;
  const beside = `${tally.cuts} cuts, ${tally.wanted} files`;
  const row = (who, name) => atLeastRow(`${what}: ${name}`, tally.share(who) * 100, '%', beside);
  return [
    row('ours', 'ben10'),
    row(peer, `git alone (${peer})`),
    ...('turns alone' in tally.found ? [row('turns alone', 'turns alone')] : []),
    atLeastRow(
      `${what}: ben10 to git alone`,
      tally.share('ours') / tally.share(peer),
      'times',
      beside,
      goal,
    ),
  ];
}

await script('packs-suggest', async () => {
  const program = await suggestProgram();
  const rows = [];
  for (const folder of flags.sessions ?? []) {
    const tallies = await overSessions(program, folder);
    const about = `recorded sessions, ${path.basename(folder)}`;
    for (const half of HALVES)
      rows.push(
        ...rowsOf(`${about}, ${half} half`, tallies[half], half === 'tuning' ? undefined : GOAL),
      );
  }
  for (const [half, name] of HALVES.entries()) {
    if ((flags.half ?? name) !== name) continue;
    const tally = await inCommits(program, root, { half, most: COMMITS });
    rows.push(...rowsOf(`own commits with one file hidden, ${name} half`, tally));
  }
  return rows;
});
