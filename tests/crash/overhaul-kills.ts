import { loadZstd } from '../../src/platform/codecs/zstd-write.ts';
import { takeInbox } from '../../src/project/inbox.ts';
import type { Project } from '../../src/project/open.ts';
import { decoders } from '../ports.ts';
import { seeded } from '../seeded.ts';
import { type Account, newAccount } from './account.ts';
import { Bystanders } from './bystanders.ts';
import type { Ended, Place } from './killed-program.ts';
import { type Overhaul, overhaulsIn } from './overhaul-scenes.ts';
import { digestOf, keyOf } from './test-events.ts';

export interface OverhaulTally {
  /** Kills over a call of the file system. */
  places: number;
  /** Of these, places that a process came to. */
  died: number;
  /** Kills at random. */
  moments: number;
  /** Of all, the ones after which it was done, by itself or by who came next. */
  done: number;
  violations: string[];
}

/** How long a command takes, about, milliseconds. */
const MOMENT_MS_MAX = 300;
/** Beside others one may not come by a place that it came by alone: then it is sent again, this often in all. */
const TRIES = 3;
/** Of what was not done, one in so many is done by the command itself, the rest by the same functions in this process. */
const COMMANDS_ONE_IN = 8;

/** Beside 1 and 7 others so many fewer places are tried than alone: which ones, the seed says. */
const BESIDE_ONE_IN = 6;
/** Of each command, so many kills at random for each number of writers and lane. */
const MOMENTS = 1;

export interface OverhaulRun {
  /** Of the places, those of one lane. */
  lane: number;
  lanes: number;
  /** Of the places one in so many, others with each seed. */
  oneIn: number;
  seed: number;
  /** `bystander-process`, bundled. */
  bystander: string;
}

/**
 * Kills each at its places, alone at the first and the last of each kind, beside others at some of the first, and at moments between.
 * @param top an empty folder
 */
export async function killOverhauls(top: string, run: OverhaulRun): Promise<OverhaulTally> {
  const { lane, lanes, oneIn, seed, bystander } = run;
  const tally: OverhaulTally = { places: 0, died: 0, moments: 0, done: 0, violations: [] };
  const overhauls = overhaulsIn(top, { zstd: await loadZstd(), decoders });
  for (const [nth, others] of [0, 1, 7].entries()) {
    const beside = others === 0 ? undefined : new Bystanders(bystander, others);
    const killer = new OverhaulKiller(tally, seed + 10 * others + lane, beside);
    const every = lanes * oneIn * (others === 0 ? 1 : BESIDE_ONE_IN);
    try {
      for (const overhaul of overhauls) {
        const places = overhaul.places.filter((place) => others === 0 || place.nth === 1);
        const mine = places.filter((_, at) => (at + seed) % every === (lane + lanes * nth) % every);
        for (const place of mine) await killer.killAt(overhaul, place);
        for (let n = 0; n < MOMENTS; n += 1) await killer.killAtRandom(overhaul);
      }
    } finally {
      await beside?.end();
    }
  }
  return tally;
}

/** Kills the commands that change what is there (`repair`, `erase`, and `compact` where it drops old events), and judges what they leave. */
class OverhaulKiller {
  readonly #tally: OverhaulTally;
  readonly #random: () => number;
  readonly #others: Bystanders | undefined;
  #undone = 0;

  constructor(tally: OverhaulTally, seed: number, others?: Bystanders) {
    this.#tally = tally;
    this.#random = seeded(seed);
    this.#others = others;
  }

  async killAt(overhaul: Overhaul, place: Place): Promise<void> {
    this.#tally.places += 1;
    const tries = this.#others === undefined ? 1 : TRIES;
    for (let n = 0; n < tries; n += 1) {
      const { signal } = await this.#kill(overhaul, place);
      if (signal !== 'SIGKILL') continue;
      this.#tally.died += 1;
      return;
    }
    this.#wrong(overhaul, place, 'nobody came to it');
  }

  async killAtRandom(overhaul: Overhaul): Promise<void> {
    this.#tally.moments += 1;
    await this.#kill(overhaul, this.#random() * MOMENT_MS_MAX);
  }

  #wrong({ name }: Overhaul, at: Place | number, what: string): void {
    const where = typeof at === 'number' ? `after ${at} ms` : `${at.when} ${at.kind}, ${at.nth}`;
    const who = this.#others === undefined ? '' : ', beside others';
    this.#tally.violations.push(`${name}, ${where}${who}: ${what}`);
  }

  async #kill(overhaul: Overhaul, at: Place | number): Promise<Ended> {
    const { scene, args } = overhaul;
    scene.putBack();
    const account = newAccount();
    this.#others?.go(scene.root, account);
    await this.#others?.goOn();
    const ended = await scene.program.kill({ program: 'ben10', args }, at);
    await this.#others?.goOn();
    await this.#others?.rest();
    try {
      for (const one of this.#judged(overhaul, account, ended)) this.#wrong(overhaul, at, one);
    } catch (error) {
      this.#wrong(overhaul, at, `afterwards ${(error as Error).stack}`);
    }
    return ended;
  }

  *#judged(overhaul: Overhaul, account: Account, ended: Ended): Generator<string> {
    const { scene, args, isDone, finish } = overhaul;
    const project = scene.open();
    try {
      // What every start does, and then every append.
      takeInbox(project);
      if (!project.writer.drain()) yield 'the inbox was not taken in';
      yield* soundness(overhaul, project, account);
      const isSaid = ended.code === 0 || ended.stdout !== '';
      if (isSaid && !isDone(project)) yield `was said to be done and is not: ${ended.stdout}`;
      if (isDone(project)) {
        this.#tally.done += 1;
        return;
      }
      this.#undone += 1;
      if (this.#undone % COMMANDS_ONE_IN === 0) scene.program.runWell({ program: 'ben10', args });
      else finish(project);
    } finally {
      project.close();
    }
    const next = scene.open();
    try {
      if (!isDone(next)) yield 'could not be done again';
      yield* soundness(overhaul, next, account);
    } finally {
      next.close();
    }
  }
}

function* soundness(overhaul: Overhaul, project: Project, account: Account): Generator<string> {
  yield* overhaul.soundness(project);
  const times = new Map<string, number>();
  for (const { entry } of project.reader.entries()) {
    const key = entry === undefined ? undefined : keyOf(entry);
    if (key === undefined || !account.attempted.has(key)) continue;
    times.set(key, (times.get(key) ?? 0) + 1);
    if (digestOf(entry!.payload) !== account.attempted.get(key))
      yield `${key} is not what was sent`;
  }
  for (const key of account.acknowledged)
    if (times.get(key) !== 1)
      yield `${key} was acknowledged and is there ${times.get(key) ?? 0} times`;
}
