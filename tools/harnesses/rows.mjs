// What tries to break the journal, a row each. Every program says at its end how often it tried and what it found, and
// names the command that repeats what failed.

const number = (text = '0') => Number(text.replaceAll(',', ''));
const shown = (count = 0) => count.toLocaleString('en-US');
const typescript = (file, ...args) => ['tools/run-typescript.mjs', file, ...args];

/** The seed of what is tried at random; the soak tries others. */
const SAMPLE = process.env.BEN10_SEED ?? '1';
/** Of the soak, where the pieces begin that go through the workloads in order just now. */
const running = new Set();
const share = (part, all) => `${((100 * part) / all).toFixed(part < all / 100 ? 2 : 1)} %`;

/** How far the workloads were gone through. */
const WORKLOADS = /^ {2}workloads \d+ to (?<last>\d+) of (?<all>\d+): (?:.*, seed (?<seed>\d+))?/m;

/** The same, one length after the other: where a piece began, and how many there are of up to each length. */
const ORDER = /^ {2}in order from (?<first>\d+) to \d+ of (?<upto>[\d, ]+)$/m;
/** Workloads of a piece: of four operations 150 take half a minute of one core, a minute where the machine is slow. */
const PIECE_WORKLOADS = 150;
/** States tried at one point, at most. */
const CAP = /cap of (?<cap>\d+) cut \d+ workloads/;
/** The soak goes through all workloads of up to so many operations before anything else of its row. */
const SHORT_LENGTH = 3;

/** The numbers that a pattern's named groups find, 0 where it finds nothing. */
function numbersIn(said, pattern) {
  const sums = {};
  for (const { groups } of said.matchAll(pattern))
    for (const [name, text] of Object.entries(groups))
      sums[name] = (sums[name] ?? 0) + number(text);
  return sums;
}

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {string} what
 * @property {string} goal in words
 * @property {number} budget seconds that it may take
 * @property {string[]} command what meets the goal
 * @property {string[]} short the same for half a minute
 * @property {(state: Record<string, any>) => string[]} [piece] of the soak: about a minute of it, other inputs each time
 * @property {(said: string, state: Record<string, any>) => void} [next] notes for the next piece where this one ended
 * @property {(said: string) => Record<string, number>} counts how often it tried; `bad` is what must be 0
 * @property {(counts: Record<string, number>) => boolean} isEnough whether the goal's number is reached
 * @property {(said: string) => string[]} [lines] a part of the output that is shown in any case
 * @property {(counts: Record<string, number>, said?: string, state?: Record<string, any>) => string} figure
 */

/** @type {Row[]} */
export const ROWS = [
  {
    name: 'kill',
    what: 'processes killed with -9, and everybody at once',
    goal: '0 acknowledged events lost in 500 kills and at every point × {1, 2, 8} writers (beside others the first time that a process comes by it); every command done or not done',
    budget: 280,
    command: typescript(
      'tests/crash/driver.ts',
      ...['--kills', '500', '--seconds', '8', '--seed', SAMPLE],
    ),
    short: typescript('tests/crash/driver.ts', '--kills', '60', '--points', '6', '--seconds', '8'),
    piece: ({ round }) =>
      typescript(
        'tests/crash/driver.ts',
        '--kills',
        '400',
        '--points',
        '4',
        '--seconds',
        '10',
        '--seed',
        String(round),
      ),
    counts: (said) =>
      numbersIn(
        said,
        /"figure":"(?<bad>[\d,]+) wrong(?: in (?<kills>\d+) kills, \d+ of them within an append; (?<acknowledged>\d+) events| in (?<points>\d+) points × writers \(\d+ names\), (?<died>\d+) died| in (?<places>\d+) places and (?<moments>\d+) moments of commands| in (?<depths>\d+) places and (?<chances>\d+) moments of repair, erase and drop, (?<came>\d+) came there|; (?<hooks>\d+) hooks)/g,
      ),
    isEnough: ({ kills, points, died, places, depths, came }) =>
      kills >= 500 &&
      points > 0 &&
      died === points &&
      places > 0 &&
      depths >= 20 &&
      came === depths,
    figure: ({ kills, acknowledged, points, places, moments, depths, chances, hooks }) =>
      `${shown(kills)} kills at random, ${shown(points)} at named points, ${shown(depths + chances)} of repair, erase and drop, ${shown(places + moments)} of other commands, ${shown(hooks)} hooks in the crowd; ${shown(acknowledged)} events acknowledged`,
  },
  {
    name: 'power',
    what: 'simulated power cuts and kills, every call, both profiles',
    goal: '60,000 crash states recovered, 0 violations',
    budget: 130,
    command: typescript('tests/sim/main.ts', `--sample=${SAMPLE}`),
    short: typescript('tests/sim/main.ts', '--seconds=5'),
    piece: ({ round, from = 0, done = [], all = Number.POSITIVE_INFINITY, upto = 0 }) => {
      let first = from;
      while (done.includes(first) || running.has(first)) first += PIECE_WORKLOADS;
      // All of up to three operations come first, then chance has one piece in eight.
      if ((upto >= SHORT_LENGTH && round % 8 === 0) || first >= all) {
        const seed = `--seed=${round * 10_000 + 1}`;
        return typescript(
          'tests/sim/main.ts',
          '--harness=random,turns,repaired',
          '--seconds=30',
          seed,
        );
      }
      running.add(first);
      const order = ['--sample=0', `--from=${first}`, `--count=${PIECE_WORKLOADS}`];
      return typescript('tests/sim/main.ts', '--harness=exhaustive', ...order);
    },
    next: (said, state) => {
      const { first, upto = '' } = ORDER.exec(said)?.groups ?? {};
      if (first === undefined) return;
      running.delete(Number(first));
      const done = new Set([...(state.done ?? []), Number(first)]);
      let { from = 0 } = state;
      for (; done.delete(from); from += PIECE_WORKLOADS);
      const lengths = upto.split(', ').map(Number);
      const all = lengths.at(-1);
      Object.assign(state, {
        from: Math.min(from, all),
        done: [...done],
        all,
        upto: lengths.filter((count) => count <= from).length,
        cap: Number(CAP.exec(said)?.groups.cap),
      });
    },
    counts: (said) =>
      numbersIn(
        said,
        /\| (?<states>\d+) states recovered \| (?<bad>\d+) violations|cap of \d+ cut (?<cutWorkloads>\d+) workloads/g,
      ),
    isEnough: ({ states }) => states >= 60_000,
    figure: (counts, said = '', state = {}) => {
      const { from = 0, all = 0, upto = 0 } = state;
      const { cap } = CAP.exec(said)?.groups ?? state;
      const { states, cutWorkloads } = counts;
      const { last, all: of, seed } = WORKLOADS.exec(said)?.groups ?? {};
      const [reached, total] = of === undefined ? [from, all] : [Number(last) + 1, Number(of)];
      const whole = upto > 0 ? `all of up to ${upto} operations` : 'in order';
      const which = seed === undefined ? whole : `sample ${seed}`;
      const workloads = `${shown(reached)} of ${shown(total)} workloads (${which}, ${share(reached, total)}), of which the cap of ${cap} states at a point cut ${shown(cutWorkloads)}`;
      return [`${shown(states)} states recovered`, ...(total > 0 ? [workloads] : [])].join('; ');
    },
  },
  {
    name: 'damage',
    what: 'flipped bits, sectors, cut files, pasted frames',
    goal: '524,288 different single bits, none unnoticed; at most 1 event lost (raw), 1 chunk (sealed)',
    budget: 110,
    command: typescript('tests/damage/driver.ts', '--seed', SAMPLE),
    short: typescript('tests/damage/driver.ts', '--quick'),
    piece: ({ round }) =>
      typescript(
        'tests/damage/driver.ts',
        '--quick',
        '--seconds',
        '50',
        '--seed',
        String(round + 2),
      ),
    counts: (said) =>
      numbersIn(
        said,
        /^damage: (?<bits>[\d,]+) different single bits, (?<others>[\d,]+) other damages, (?<repairs>[\d,]+) repaired, (?<bad>[\d,]+) violations/gm,
      ),
    isEnough: ({ bits, repairs }) => bits >= 524_288 && repairs >= 1000,
    figure: ({ bits, others, repairs }) =>
      `${shown(bits)} single bits, ${shown(others)} other damages, ${shown(repairs)} of them repaired`,
  },
  {
    name: 'faults',
    what: 'every call of the file system fails, 10 errors, once and from then on; hooks as real processes',
    goal: 'every call of the library and of 7 hooks, each of 10 errors, once and from then on; another error at each name of call of each of 7 hook processes; 0 violations, no hook exits non-zero',
    budget: 220,
    command: typescript('tests/faults/driver.ts', '--step', '1', '--faults', '1', '--seed', SAMPLE),
    short: typescript('tests/faults/driver.ts', '--step', '5', '--only', 'workloads'),
    // What the library does under a fault does not depend on a seed. Of hooks, all calls with a third of the errors, and all
    // errors at other calls of processes, in turn.
    piece: ({ round }) => [
      ...typescript('tests/faults/driver.ts', '--seed', String((round >> 1) + 2), '--only'),
      ...(round % 2 === 0 ? ['processes'] : ['hooks', '--faults', '3']),
    ],
    counts: (said) =>
      numbersIn(
        said,
        /^faults: (?<runs>[\d,]+) runs, (?<calls>[\d,]+) calls of hooks, (?<hooks>[\d,]+) processes, (?<bad>[\d,]+) violations/gm,
      ),
    // Which error a hook gets changes with each commit; one that a single name of call can have gives it two processes.
    isEnough: ({ runs, calls, hooks }) => runs >= 8000 && calls >= 5000 && hooks >= 2 * 7,
    figure: ({ runs, calls, hooks }) =>
      [
        ...(runs > 0 ? [`${shown(runs)} runs`] : []),
        `${shown(calls)} calls of hooks`,
        `${shown(hooks)} processes`,
      ].join(', '),
  },
  {
    name: 'fuzz',
    what: 'inputs that are nearly right',
    goal: '500,000 inputs; no error that is not told as one, none over 50 ms per 64 KiB',
    budget: 70,
    command: typescript(
      'tests/fuzz/driver.ts',
      ...['--inputs', '500000', '--seconds', '600', '--seed', SAMPLE],
    ),
    short: typescript('tests/fuzz/driver.ts', '--inputs', '20000', '--seconds', '60'),
    piece: ({ round }) =>
      typescript(
        'tests/fuzz/driver.ts',
        '--inputs',
        '300000',
        '--seconds',
        '600',
        '--seed',
        String(round + 2),
      ),
    counts: (said) =>
      numbersIn(said, /^fuzz: (?<inputs>[\d,]+) inputs, (?<bad>[\d,]+) violations/gm),
    isEnough: ({ inputs }) => inputs >= 500_000,
    figure: ({ inputs }) => `${shown(inputs)} inputs`,
  },
  {
    name: 'secrets',
    what: 'generated secrets of every rule, plain and in contexts; ordinary lines',
    goal: 'recall ≥ 98 % plain and ≥ 90 % in contexts; ≤ 1 of 10,000 ordinary lines marked',
    budget: 30,
    command: ['tools/redaction.mjs'],
    short: ['tools/redaction.mjs'],
    counts: (said) => ({ bad: 0, said: /^secrets: /m.test(said) ? 1 : 0 }),
    isEnough: ({ said }) => said > 0,
    figure: (_, said) => /^secrets: (.*)$/m.exec(said)?.[1] ?? 'nothing was said',
  },
  {
    name: 'removals',
    what: 'each sync, checksum and lock taken out: whether the rows above notice',
    goal: 'every removal is caught',
    budget: 175,
    command: ['tools/removals.mjs'],
    short: ['tools/removals.mjs', '--only=sync of what'],
    counts: (said) => {
      const { caught, all } = numbersIn(said, /^removals: (?<caught>\d+) of (?<all>\d+) caught/gm);
      return { caught: caught ?? 0, all: all ?? 0, bad: (all ?? 0) - (caught ?? 0) };
    },
    isEnough: ({ all }) => all >= 147,
    figure: ({ caught, all }) => `${caught} of ${all} caught`,
    // Step, what caught it, seconds.
    lines: (said) =>
      said.split('\n').flatMap((line) => {
        const [step, , by, , seconds] = line.split(' | ');
        return seconds === undefined ? [] : [[step, by, seconds].join(' | ')];
      }),
  },
];
