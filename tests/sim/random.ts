import type { Codecs } from '../../src/journal/seal/compact-segment.ts';
import { seeded } from '../seeded.ts';
import { type Account, accountAt, onDisk } from './account.ts';
import { pick } from './chance.ts';
import { complain, count, type Tally } from './counting.ts';
import { cacheAt, crashStates, type Profile } from './crash-states.ts';
import { Killed } from './disk.ts';
import { restartEvents } from './events.ts';
import type { Image } from './image.ts';
import { judge, stateBefore } from './oracle.ts';
import { LETTERS, type Letter, World } from './workload.ts';

/** Everything that a random run depends on; as one line of JSON it is what reproduces it. */
export interface RandomOptions {
  seed: number;
  processes: number;
  /** Crashes in a run, and operations before each, at most. */
  crashes: number;
  operations: number;
  /** How likely it is, at a call, that another process comes in, or that this one is killed. */
  interrupts: number;
  kills: number;
  profile: Profile;
  /** Letters to choose from; some more often than others. */
  diet: string;
}

const DIETS = [
  'pppiidbsnrck',
  'ppppssnn',
  'dddbbrrc',
  'pidbsnrckv',
  'bsnrc',
  'ppiissdk',
  'ppbsewkoc',
  'dbkewrce',
  'ppidxbsn',
  'dpxkwrcxs',
  'pdrcmebn',
];
/** States tried of one loss of power; the run goes on with one of them. */
const POWER_CAP = 6;
/** Processes in the middle of an operation at once. */
const DEPTH_MAX = 3;
/** For each operation, how many may come in between: else two could keep each other busy for ever. */
const OPERATIONS_BETWEEN = 1;

export function optionsOf(seed: number): RandomOptions {
  const chance = seeded(seed);
  return {
    seed,
    processes: 2 + pick(chance, 7),
    crashes: 4,
    operations: 3 + pick(chance, 9),
    interrupts: [0, 0.02, 0.1, 0.3][pick(chance, 4)]!,
    kills: [0, 0, 0.002, 0.02][pick(chance, 4)]!,
    profile: chance() < 0.5 ? 'paranoid' : 'ext4-ordered',
    diet: DIETS[pick(chance, DIETS.length)]!,
  };
}

/** One run: operations of several processes, a loss of power, and on with what is left, several times. */
export function runRandom(codecs: Codecs, options: RandomOptions, tally: Tally): void {
  restartEvents();
  const chance = seeded(options.seed ^ 0x5eed);
  const line = JSON.stringify(options);
  let world = new World(codecs, options.seed);
  let processes = 0;
  for (let crash = 0; crash < options.crashes; crash += 1) {
    const from = world.disk.log.length;
    const failed = (error: unknown) => complain(tally, line, error);
    const scheduler = new Scheduler(world, options, chance, processes, failed);
    processes = scheduler.run();
    // Nothing that a crash left was there, so `verify` had to be content.
    if (crash === 0 && options.kills === 0)
      for (const text of world.complaints)
        tally.violations.push({ where: line, sentence: 10, text });
    const { disk, account } = world;
    const point = from + pick(chance, disk.log.length - from + 1);
    const known = accountAt(account, point);
    const cache = cacheAt(disk.base, disk.log, point);
    // What the loss of power before has left is for the first writer since to put right.
    const since = crash > 0 ? { mayRepeat: true, bootedAt: disk.bootedAt } : {};
    if (!check(tally, line, cache, known, { kind: 'kill', ...since }, disk.now)) return;
    const before = stateBefore(cache);
    const { states } = crashStates(disk.base, disk.log, point, options.profile, POWER_CAP);
    const state = states[pick(chance, states.length)]!;
    const fault = { kind: 'power', ...before } as const;
    const survivors = check(tally, line, state.image, known, fault, disk.now);
    if (survivors === undefined) return;
    for (const { image } of states)
      if (image !== state.image) check(tally, line, image, known, fault, disk.now);
    tally.points += 1;
    world = new World(codecs, options.seed, state.image, onDisk(known, survivors), disk.now + 5000);
  }
  tally.workloads += 1;
}

/** @returns what survived; undefined when something was wrong */
function check(
  tally: Tally,
  where: string,
  image: Image,
  account: Account,
  fault: Parameters<typeof judge>[2],
  now: number,
): Set<string> | undefined {
  const verdict = judge(image, account, fault, now + 60_000);
  count(tally, verdict, `${where} ${fault.kind}`);
  return verdict.violations.length === 0 ? verdict.survivors : undefined;
}

/** Lets processes run, one coming in between two calls of another. */
class Scheduler {
  readonly #world: World;
  readonly #options: RandomOptions;
  readonly #chance: () => number;
  readonly #failed: (error: unknown) => void;
  /** Number of the process in each slot. */
  readonly #slots: number[];
  readonly #busy = new Set<number>();
  #started: number;
  #left: number;

  constructor(
    world: World,
    options: RandomOptions,
    chance: () => number,
    started: number,
    failed: (error: unknown) => void,
  ) {
    this.#world = world;
    this.#options = options;
    this.#chance = chance;
    this.#failed = failed;
    this.#started = started;
    this.#left = options.operations * OPERATIONS_BETWEEN;
    this.#slots = Array.from({ length: options.processes }, () => this.#next());
  }

  #next(): number {
    this.#started += 1;
    return this.#started;
  }

  /** @returns how many processes there have been */
  run(): number {
    const { disk } = this.#world;
    disk.splitsWrites = this.#options.interrupts > 0;
    disk.beforeCall = (process) => this.#between(process);
    for (let count = 0; count < this.#options.operations; count += 1) this.#operate();
    disk.beforeCall = undefined;
    return this.#started;
  }

  #operate(): void {
    const free = this.#slots.map((_, slot) => slot).filter((slot) => !this.#busy.has(slot));
    const slot = free[pick(this.#chance, free.length)];
    if (slot === undefined) return;
    this.#busy.add(slot);
    const { diet } = this.#options;
    const letter = (diet[pick(this.#chance, diet.length)] ?? LETTERS[0]) as Letter | 'v';
    try {
      this.#world.run(letter, this.#slots[slot]!);
    } catch (error) {
      if (error instanceof Killed) this.#slots[slot] = this.#next();
      else this.#failed(error);
    } finally {
      this.#busy.delete(slot);
    }
  }

  #between(process: number): void {
    const { interrupts, kills } = this.#options;
    if (kills > 0 && this.#chance() < kills) this.#world.disk.kill(process);
    else if (this.#left > 0 && this.#busy.size < DEPTH_MAX && this.#chance() < interrupts) {
      this.#left -= 1;
      this.#operate();
    }
  }
}
