// What a render of a folder costs in a process of its own, in processor time, beside repomix on the same files and the same Node:
// cold, with the counts that either kept from the run before, within a budget; the most memory; whether the tokens that are
// reported are those of the payload, by a third tokenizer; and what a session is given again after a few files changed.
import { appendFileSync, copyFileSync, cpSync, existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { getEncoding } from 'js-tiktoken';
import { childCpu as cpu } from './lib/child-time.mjs';
import { node24 } from './lib/node24.mjs';
import { packDelta } from './lib/pack-delta.mjs';
import { packProgram } from './lib/pack-program.mjs';
import { root } from './lib/program.mjs';
import { flags, missingRow, ratioRow, script, singleRow, valueRow } from './lib/report.mjs';
import { interleaved, run } from './lib/rounds.mjs';
import { scratch } from './lib/scratch.mjs';
import { sourceFolder } from './lib/sources.mjs';
import { median } from './lib/stats.mjs';

const SIZES = flags.quick ? [1000] : [1000, 10_000];
const ROUNDS = { 1000: flags.quick ? 3 : 15, 10000: 5 };
const BUDGET = 60_000;
/** By number of files: ours over repomix's cold, our warm over its warm and over its cold, memory. */
const GOALS = {
  1000: { cold: 0.5, warm: 0.2, warmToCold: 0.1, memory: 0.65 },
  10000: { cold: 0.7, warm: 0.3, warmToCold: 0.12, memory: 0.65 },
};
const PEAK = fileURLToPath(new URL('lib/peak.cjs', import.meta.url));
const REPOMIX = path.join(root, 'bench/node_modules/repomix/bin/repomix.cjs');
const REPOMIX_ARGS =
  '--style xml --no-git-sort-by-changes --token-count-encoding cl100k_base'.split(' ');

await script('packs', async () => {
  const node = node24();
  const program = await packProgram();
  const work = scratch();
  const file = (name) => path.join(work, name);
  const start = (args, env = {}, options = []) =>
    run(node, [...options, ...args], { cwd: work, env });

  // As the installed command has it, which keeps what V8 makes of its bundles.
  const CODE = { NODE_COMPILE_CACHE: file('code') };
  const ours = (dir, given = {}) => [
    program,
    JSON.stringify({ dir, output: file('payload.txt'), ...given }),
  ];
  const theirs = (dir) => [REPOMIX, dir, '-o', file('repomix.xml'), ...REPOMIX_ARGS];
  const COLD = { REPOMIX_TOKEN_CACHE: '0' };
  const WARM = { REPOMIX_TOKEN_CACHE_PATH: file('repomix-counts.json') };
  const peak = (args, env) => {
    start(args, { ...env, BENCH_PEAK_FILE: file('peak') }, ['-r', PEAK]);
    return Number(readFileSync(file('peak'), 'utf8')) / 1e6;
  };

  const rows = [];
  const encoding = getEncoding('cl100k_base');
  const count = (text) => encoding.encode(text, [], []).length;
  const hasPeer = existsSync(REPOMIX);
  for (const files of SIZES) {
    const dir = sourceFolder(files);
    const counts = file(`counts-${files}`);
    const once = JSON.parse(start(ours(dir, { counts }), CODE));
    const mb = (statSync(file('payload.txt')).size / 1e6).toFixed(1);
    const about = `a render of ${files.toLocaleString('en')} files, ${mb} MB`;
    const changed = path.join(scratch(), 'changed');
    cpSync(dir, changed, { recursive: true });
    const atCold = path.join(scratch(), 'counts');
    const cases = {
      cold: () => cpu(() => start(ours(dir), CODE)),
      warm: () => cpu(() => start(ours(dir, { counts }), CODE)),
      budget: () => cpu(() => start(ours(dir, { budget: BUDGET }), CODE)),
      changed: (round) => {
        copyFileSync(counts, atCold);
        appendFileSync(path.join(changed, 'd0/d0/changed.ts'), `export const a${round} = 1;\n`);
        return cpu(() => start(ours(changed, { counts: atCold }), CODE));
      },
      // What the tokenizer takes to load.
      load: () => cpu(() => start(ours(dir, { load: true }), CODE)),
      unloaded: () => cpu(() => start(ours(dir, { load: false }), CODE)),
      ...(hasPeer && {
        'repomix cold': () => cpu(() => start(theirs(dir), COLD)),
        'repomix warm': () => cpu(() => start(theirs(dir), WARM)),
      }),
    };
    if (hasPeer) start(theirs(dir), WARM);
    const took = await interleaved(cases, ROUNDS[files]);
    const goals = GOALS[files];
    const row = (what, own, peer, goal) =>
      rows.push(
        hasPeer
          ? ratioRow(`${about}, ${what}`, took[own], took[peer], peer, goal)
          : missingRow(`${about}, ${what}`, peer, goal),
      );
    row('cold', 'cold', 'repomix cold', goals.cold);
    row('warm', 'warm', 'repomix warm', goals.warm);
    row('warm', 'warm', 'repomix cold', goals.warmToCold);
    if (files === 1000) row('60,000 tokens of it, cold', 'budget', 'repomix cold', 0.25);
    const loading = median(took.load) - median(took.unloaded);
    const allowed = 1.1 * median(took.warm) + loading;
    rows.push(
      valueRow(`${about}, one file changed`, took.changed, 'ms'),
      singleRow(
        'the same / 1.1 × warm and the tokenizer’s load',
        median(took.changed) / allowed,
        '×',
        files === 1000 ? 1 : undefined,
      ),
    );
    const memory = [peak(ours(dir)), hasPeer ? peak(theirs(dir), COLD) : undefined];
    rows.push(
      singleRow(`${about}, memory`, memory[0], 'MB'),
      ...(hasPeer
        ? [singleRow(`${about}, memory / repomix`, memory[0] / memory[1], '×', goals.memory)]
        : []),
    );
    if (files > 1000) continue;
    start(ours(dir), CODE);
    rows.push(
      singleRow(
        'tokens reported and not in the payload, by js-tiktoken',
        Math.abs(once.tokens - count(readFileSync(file('payload.txt'), 'utf8'))),
        'tokens',
        0,
      ),
    );
    const elsewhere = path.join(scratch(), 'x y', 'é');
    cpSync(dir, elsewhere, { recursive: true });
    const hashes = [node, process.execPath].flatMap((runtime) =>
      [dir, elsewhere].map((at) => JSON.parse(run(runtime, ours(at))).renderHash),
    );
    rows.push(
      singleRow(
        `hashes of the same files in two folders, under two Nodes`,
        new Set(hashes).size,
        'hashes',
        1,
      ),
    );
  }
  const again = 'tokens given to a session again after 2 of 40 files changed / the first time';
  rows.push(valueRow(again, await packDelta(count), '×', 0.1));
  return rows;
});
