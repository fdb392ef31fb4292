// How the costs grow with the journal: append, open, the state at a random point, a page of the log, verify, memory and disk.
// With --save each is drawn into bench/results/ as a chart.
import { cpSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bytesIn, segmentsIn } from './lib/files.mjs';
import { growthChart } from './lib/growth-chart.mjs';
import { installed } from './lib/installed.mjs';
import { events, largeJournal } from './lib/large.mjs';
import { longProject } from './lib/long.mjs';
import { loadProgram } from './lib/program.mjs';
import { seeded } from './lib/random.mjs';
import { flags, ratioRow, script, singleRow } from './lib/report.mjs';
import { interleaved, run } from './lib/rounds.mjs';
import { scratch } from './lib/scratch.mjs';
import { median } from './lib/stats.mjs';
import { unstored } from './lib/unstored.mjs';

const LENGTHS = flags.quick ? [10_000, 50_000] : [10_000, 100_000, 1_000_000, 10_000_000];
const BYTES = 500;
const ROUNDS = flags.quick ? 5 : 15;
/** To compact more takes an hour, and to play as many sessions a quarter of one; neither depends on the length any more. */
const LONG_MAX = 1_000_000;
/** Of each in a round: one append alone is too short to be timed, and one random point is no sample. */
const APPENDS = 20;
const STATES = 10;
const PAGE = 100;
/** A thousand times the events may cost so much more. */
const FLAT = 1.5;
const PEAK = fileURLToPath(new URL('lib/peak.cjs', import.meta.url));

await script('growth', async (about) => {
  const program = await loadProgram();
  const { entry } = installed();
  const journals = [];
  for (const length of LENGTHS) journals.push(await journalOf(length, program, entry));
  const cases = {};
  for (const { length, work } of journals)
    for (const [name, once] of Object.entries(work)) cases[`${name} ${length}`] = once;
  const samples = await interleaved(cases, ROUNDS);

  const lengthsOf = (name) => LENGTHS.filter((length) => `${name} ${length}` in samples);
  const of = (name) =>
    lengthsOf(name).map((length) => [length, median(samples[`${name} ${length}`])]);
  const pick = (field) => journals.map(({ length, ...of }) => [length, of[field]]);
  const chart = (...drawn) => flags.save && growthChart(...drawn, about);
  chart('growth-time', 'Time', 'ms', {
    append: of('append').map(([x, ms]) => [x, ms / APPENDS]),
    'open (status)': of('open'),
    'random state': of('state').map(([x, ms]) => [x, ms / STATES]),
    'log page': of('log'),
    verify: pick('verifyMs'),
  });
  chart('growth-disk', 'Disk per event', 'bytes', {
    active: pick('active'),
    archived: pick('archived').filter(([, bytes]) => bytes !== undefined),
  });
  chart('growth-memory', 'Peak memory', 'MB', {
    verify: pick('verifyMb'),
    status: pick('statusMb'),
    compact: pick('compactMb').filter(([, mb]) => mb !== undefined),
  });
  const number = (value) => value.toLocaleString('en');
  const row = (figure, name, goal) => {
    const [first, last] = [lengthsOf(name)[0], lengthsOf(name).at(-1)];
    return ratioRow(
      `${figure}, ${number(last)} events`,
      samples[`${name} ${last}`],
      samples[`${name} ${first}`],
      number(first),
      goal,
    );
  };
  const at = journals.at(-1);
  // In the very shortest one starting is most of it.
  const beside = journals.at(1) === at ? journals[0] : journals[1];
  const packed = journals.findLast(({ archived }) => archived !== undefined);
  return [
    row(`${APPENDS} appends of one event`, 'append', FLAT),
    row('cold open', 'open', FLAT),
    row(`states at ${STATES} random points, small events`, 'state', FLAT),
    row(`log page of ${PAGE}, anywhere, warm`, 'log', FLAT),
    singleRow(
      `verify, per event, ${number(at.length)} events against ${number(beside.length)}`,
      at.perEvent / beside.perEvent,
      'times',
      FLAT,
    ),
    singleRow(
      'memory of verify, against the short one',
      at.verifyMb / journals[0].verifyMb,
      'times',
      FLAT,
    ),
    singleRow(`memory of compact, ${number(packed.length)} events`, packed.compactMb, 'MB'),
    singleRow('disk per event, active', at.active, 'bytes'),
    singleRow(
      `disk per event, archived, ${number(packed.length)} events`,
      packed.archived,
      'bytes',
    ),
    singleRow('compact gives back', 100 * (1 - packed.archived / packed.active), '%'),
  ];
});

/** A journal of its own to append to and to keep states in, what is measured once, and what is measured each round. */
async function journalOf(length, program, entry) {
  const { openProject, replay, queryLog, encodeEvent, lock, loadXxh64, integrityCacheOf } = program;
  const { dir: master } = await largeJournal(length, BYTES, program);
  const cwd = scratch();
  cpSync(master, cwd, { recursive: true });
  // What is appended would have to be folded by the next that opens it.
  const grown = scratch();
  cpSync(master, grown, { recursive: true });
  const hash = await loadXxh64();
  const peak = (dir, ...args) => {
    const file = path.join(scratch(), 'peak');
    const start = performance.now();
    run(process.execPath, ['-r', PEAK, entry, ...args], {
      cwd: dir,
      env: { BENCH_PEAK_FILE: file },
    });
    return { mb: Number(readFileSync(file, 'utf8')) / 1e6, ms: performance.now() - start };
  };
  const active = bytesIn(segmentsIn(cwd)) / length;
  const verified = peak(cwd, 'verify');
  peak(cwd, 'status');
  const { mb: statusMb } = peak(cwd, 'status');
  const project = openProject(grown, { lockBudgetMs: 5000, lock, hash });
  const integrityCache = integrityCacheOf(project.ports, project.reader);
  for (const _ of integrityCache.damage()) throw new Error('damaged');
  // With the states that hooks leave on the way: without them a session is folded from its beginning.
  const turns =
    length > LONG_MAX
      ? undefined
      : openProject(await longProject(length, program), {
          lockBudgetMs: 5000,
          lock,
          hash,
          defer: unstored,
        });
  const random = seeded(length);
  const more = events(program, BYTES, length);
  const fresh = () => {
    const id = Buffer.from(Array.from({ length: 16 }, () => Math.floor(random() * 256)));
    const { value } = more.next();
    return encodeEvent({ ...value, id, client: 'claude-code', source: 'transcript' }, hash);
  };
  const point = () => `@${1 + Math.floor(random() * length)}`;
  return {
    length,
    active,
    ...(length <= LONG_MAX && compacted(cwd, length, peak)),
    verifyMs: verified.ms,
    perEvent: verified.ms / length,
    verifyMb: verified.mb,
    statusMb,
    work: {
      append: () => {
        for (let n = 0; n < APPENDS; n += 1)
          project.writer.append([{ ...fresh(), durability: 'process' }]);
      },
      open: () => void run(process.execPath, [entry, 'status', '--json'], { cwd }),
      ...(turns && {
        state: () => {
          for (let n = 0; n < STATES; n += 1) replay(turns, { point: point() });
        },
      }),
      // As the server asks for one, which has read the journal once for it.
      log: () => {
        const to = PAGE + Math.floor(random() * (length - PAGE));
        const page = { to, limit: PAGE, reverse: true, integrityCache };
        if ([...queryLog(project, page)].length !== PAGE) throw new Error('no page');
      },
    },
  };
}

/** Bytes an event once the journal is compacted, and what that held in memory: of a copy, the first stays as it is. */
function compacted(dir, length, peak) {
  const copy = scratch();
  cpSync(dir, copy, { recursive: true });
  const { mb } = peak(copy, 'compact');
  const archived = bytesIn(segmentsIn(copy)) / length;
  rmSync(copy, { recursive: true });
  return { archived, compactMb: mb };
}
