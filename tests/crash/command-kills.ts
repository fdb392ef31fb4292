import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { REPAIRED_TYPE } from '../../src/journal/append/own-events.ts';
import { decodeContainer } from '../../src/journal/format/container.ts';
import { verifyJournal } from '../../src/journal/verify/verify.ts';
import type { Project } from '../../src/project/open.ts';
import { readEvents } from '../../src/projections/events.ts';
import { replay } from '../../src/timetravel/replay.ts';
import { restore } from '../../src/timetravel/restore.ts';
import { listSaves } from '../../src/timetravel/saves.ts';
import { listSnapshots } from '../../src/timetravel/snapshots/indexed.ts';
import { loadSnapshot } from '../../src/timetravel/snapshots/load.ts';
import { decoders, realPorts } from '../ports.ts';
import { seeded } from '../seeded.ts';
import { type Act, actsOf } from './command-acts.ts';
import { CommandScene } from './command-scene.ts';
import type { Ended, Place } from './killed-program.ts';

export interface CommandTally {
  /** Kills over a call of the file system. */
  places: number;
  /** Kills at random. */
  moments: number;
  /** Of all, the ones after which it was done all the same. */
  done: number;
  violations: string[];
}

/** As long as a command takes, about, milliseconds. */
const MOMENT_MS_MAX = 300;
/** Of each command, so many kills at random for each of its places that are tried. */
const MOMENTS_SHARE = 0.25;

export interface CommandRun {
  /** Of the commands, those of one lane. */
  lane: number;
  lanes: number;
  /** Of the places one in so many, others with each seed. */
  oneIn: number;
  seed: number;
}

/** Kills each command at its places, and at moments between. @param top an empty folder */
export async function killCommands(top: string, run: CommandRun): Promise<CommandTally> {
  const { lane, lanes, oneIn, seed } = run;
  const random = seeded(seed);
  const scene = new CommandScene(top);
  const killer = new CommandKiller(scene);
  for (const act of actsOf(scene).filter((_, index) => index % lanes === lane)) {
    const first = Math.floor(random() * oneIn);
    const places = killer.placesIn(act).filter((_, index) => index % oneIn === first);
    for (const place of places) await killer.kill(act, place);
    const moments = Math.ceil(places.length * MOMENTS_SHARE);
    for (let n = 0; n < moments; n += 1) await killer.kill(act, random() * MOMENT_MS_MAX);
  }
  return killer.tally;
}

/** How often each type of event is in a journal. */
type Counts = Map<string, number>;

/** What a project says before an act, and how much the act may add. */
interface Before {
  last: number;
  entries: string;
  state: string;
  counts: Counts;
  may: Counts;
  /** Where the act can die. */
  places: Place[];
}

/** Kills commands with -9, and judges what they leave. */
class CommandKiller {
  readonly tally: CommandTally = { places: 0, moments: 0, done: 0, violations: [] };
  readonly #scene: CommandScene;
  readonly #before = new Map<string, Before>();

  constructor(scene: CommandScene) {
    this.#scene = scene;
  }

  placesIn(act: Act): readonly Place[] {
    return this.#beforeOf(act).places;
  }

  async kill(act: Act, at: Place | number): Promise<void> {
    const scene = this.#scene;
    const before = this.#beforeOf(act);
    scene.putBack();
    const ended = await scene.program.kill(act.command, at);
    if (typeof at !== 'number' && ended.signal !== 'SIGKILL')
      this.#wrong(act, at, 'did not die there');
    this.tally[typeof at === 'number' ? 'moments' : 'places'] += 1;
    try {
      for (const one of this.#judged(act, before, ended)) this.#wrong(act, at, one);
    } catch (error) {
      this.#wrong(act, at, `afterwards ${(error as Error).stack}`);
    }
  }

  #wrong(act: Act, at: Place | number, what: string): void {
    const where = typeof at === 'number' ? `after ${at} ms` : `${at.when} ${at.kind}, ${at.nth}`;
    this.tally.violations.push(`${act.name}, ${where}: ${what}`);
  }

  *#judged(act: Act, before: Before, ended: Ended): Generator<string> {
    const scene = this.#scene;
    const project = scene.open();
    let isDone: boolean;
    try {
      if (!project.writer.drain()) yield 'the inbox was not taken in';
      yield* this.#soundness(project, before);
      isDone = act.isDone(project);
      const isSaid = ended.code === 0 || ended.stdout !== '';
      if (isSaid && !isDone) yield `was said to be done and is not: ${ended.stdout}`;
    } finally {
      project.close();
    }
    if (isDone) this.tally.done += 1;
    // The next command works, and what was not done can be done.
    scene.program.runWell(isDone ? { program: 'ben10', args: ['status', '--json'] } : act.command);
    const next = scene.open();
    try {
      if (!act.isDone(next)) yield 'could not be done again';
      for (const { name } of listSaves(next)) restore(next, { name, mode: 'summary' });
    } finally {
      next.close();
    }
  }

  *#soundness(project: Project, before: Before): Generator<string> {
    const { damage } = verifyJournal(realPorts, project.root, decoders);
    if (damage.length > 0) yield `damage: ${JSON.stringify(damage)}`;
    if (this.#entriesOf(project, before.last) !== before.entries)
      yield 'events from before are others';
    if (stateOf(project, before.last) !== before.state) yield 'the state from before is another';
    for (const [type, n] of this.#countsOf(project)) {
      // Whoever comes next makes a torn tail good, and says so.
      if (type === REPAIRED_TYPE) continue;
      const least = before.counts.get(type) ?? 0;
      const most = least + (before.may.get(type) ?? 0);
      if (n < least || n > most) yield `${type}: ${n}, not ${least} to ${most}`;
    }
    for (const { id, bytes } of listSnapshots(project).snapshots) {
      const { notes } = loadSnapshot(project, id);
      if (bytes > 0 && notes.length > 0) yield `snapshot ${id}: ${notes.join()}`;
    }
    if (listSaves(project).some(({ bytes }) => bytes === 0)) yield 'a save without its file';
    const current = path.join(project.root, 'current.ctx');
    if (decodeContainer(readFileSync(current), decoders, realPorts.xxh64) === undefined)
      yield 'current.ctx cannot be read';
  }

  /** Found by a run that nobody kills. */
  #beforeOf(act: Act): Before {
    const known = this.#before.get(act.name);
    if (known !== undefined) return known;
    const scene = this.#scene;
    scene.putBack();
    const project = scene.open();
    const counts = this.#countsOf(project);
    const { seq: last } = replay(project).point;
    const state = {
      last,
      entries: this.#entriesOf(project, last),
      state: stateOf(project, last),
      counts,
    };
    if (act.isDone(project)) throw new Error(`${act.name}: nothing to do`);
    project.close();
    scene.putBack();
    const places = scene.program.placesOf(act.command);
    const after = scene.open();
    const may = this.#countsOf(after);
    for (const [type, n] of may) may.set(type, n - (counts.get(type) ?? 0));
    if (!act.isDone(after)) throw new Error(`${act.name}: was not done`);
    after.close();
    const before = { ...state, may, places };
    this.#before.set(act.name, before);
    return before;
  }

  /** Of each type of what is not old. */
  #countsOf({ reader, ports }: Project): Counts {
    const counts: Counts = new Map();
    for (const { type } of readEvents(reader, ports.xxh64, { from: this.#scene.old + 1 }))
      counts.set(type, (counts.get(type) ?? 0) + 1);
    return counts;
  }

  /** All entries that are not old up to a seq, as one digest. */
  #entriesOf({ reader }: Project, last: number): string {
    const sum = createHash('sha256');
    for (const { entry } of reader.entries(this.#scene.old + 1, last)) {
      sum.update(`${entry?.seq} `);
      if (entry !== undefined) sum.update(entry.payload);
    }
    return sum.digest('hex');
  }
}

const stateOf = (project: Project, seq: number): string =>
  createHash('sha256')
    .update(JSON.stringify(replay(project, { point: `@${seq}` }).state))
    .digest('hex');
