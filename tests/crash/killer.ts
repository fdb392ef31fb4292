import { takeInbox } from '../../src/project/inbox.ts';
import type { Project } from '../../src/project/open.ts';
import { seeded } from '../seeded.ts';
import { type Account, newAccount } from './account.ts';
import type { Bystanders } from './bystanders.ts';
import type { Command, Ended, Place } from './killed-program.ts';
import type { Stage } from './stage.ts';
import { digestOf, keyOf } from './test-events.ts';

/** A command that changes something, and how it is seen what a killed one has left. */
export interface Target {
  name: string;
  command: Command;
  stage: Stage;
  /** Where it comes by. */
  places: readonly Place[];
  isDone: (project: Project) => boolean;
  /** What must hold in any case, whoever has opened the journal since: violations. */
  soundness: (project: Project) => Iterable<string>;
  /** The same as the command, within this process. */
  finish?: (project: Project) => void;
  /** What must hold when it was done by who came next; the same as before where it is not given. */
  afterwards?: (project: Project) => Iterable<string>;
}

export interface KilledTally {
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

export const newKilledTally = (): KilledTally => ({
  places: 0,
  died: 0,
  moments: 0,
  done: 0,
  violations: [],
});

/** Of the places of each target one in so many, others with each seed. */
export interface Share {
  every: number;
  offset: number;
  seed: number;
}

/** How long a command takes, about, milliseconds. */
const MOMENT_MS_MAX = 300;
/** Beside others one may not come by a place that it came by alone: then it is sent again, this often in all. */
const TRIES = 3;
/** Of what was not done, one in so many is done by the command itself, the rest by the same functions in this process. */
const COMMANDS_ONE_IN = 8;
const STATUS: Command = { program: 'ben10', args: ['status', '--json'] };

/** Kills each target at its places, beside others only at the first of each kind, and at a moment of chance. */
export async function killAll(
  targets: Iterable<Target>,
  { every, offset, seed }: Share,
  tally: KilledTally,
  others?: Bystanders,
): Promise<void> {
  const killer = new Killer(tally, seed + offset, others);
  let shift = seed;
  for (const target of targets) {
    const places = target.places.filter(({ nth }) => others === undefined || nth === 1);
    for (const place of places.filter((_, at) => (at + shift) % every === offset))
      await killer.killAt(target, place);
    shift += 7;
    await killer.killAtRandom(target);
  }
}

class Killer {
  readonly #tally: KilledTally;
  readonly #random: () => number;
  readonly #others: Bystanders | undefined;
  #undone = 0;

  constructor(tally: KilledTally, seed: number, others?: Bystanders) {
    this.#tally = tally;
    this.#random = seeded(seed);
    this.#others = others;
  }

  async killAt(target: Target, place: Place): Promise<void> {
    this.#tally.places += 1;
    const tries = this.#others === undefined ? 1 : TRIES;
    for (let n = 0; n < tries; n += 1) {
      if ((await this.#kill(target, place)) !== 'SIGKILL') continue;
      this.#tally.died += 1;
      return;
    }
    this.#wrong(target, place, 'nobody came to it');
  }

  async killAtRandom(target: Target): Promise<void> {
    this.#tally.moments += 1;
    await this.#kill(target, this.#random() * MOMENT_MS_MAX);
  }

  #wrong({ name }: Target, at: Place | number, what: string): void {
    const where = typeof at === 'number' ? `after ${at} ms` : `${at.when} ${at.kind}, ${at.nth}`;
    const who = this.#others === undefined ? '' : ', beside others';
    this.#tally.violations.push(`${name}, ${where}${who}: ${what}`);
  }

  async #kill(target: Target, at: Place | number): Promise<Ended['signal']> {
    const { stage, command } = target;
    stage.putBack();
    const account = newAccount();
    this.#others?.go(stage.root, account);
    await this.#others?.goOn();
    const ended = await stage.program.kill(command, at);
    await this.#others?.goOn();
    await this.#others?.rest();
    try {
      for (const one of this.#judged(target, account, ended)) this.#wrong(target, at, one);
    } catch (error) {
      this.#wrong(target, at, `afterwards ${(error as Error).stack}`);
    }
    return ended.signal;
  }

  *#judged(target: Target, account: Account, ended: Ended): Generator<string> {
    const { stage, command, isDone, finish, afterwards } = target;
    const wrong: string[] = [];
    const left = stage.ask((project) => {
      // What every start does, and then every append.
      takeInbox(project);
      if (!project.writer.drain()) wrong.push('the inbox was not taken in');
      wrong.push(...unsound(target, project, account));
      if (isDone(project)) return 'done';
      const isSaid = ended.code === 0 || ended.stdout !== '';
      if (isSaid) wrong.push(`was said to be done and is not: ${ended.stdout}`);
      this.#undone += 1;
      if (finish === undefined || this.#undone % COMMANDS_ONE_IN === 0) return 'undone';
      finish(project);
      return 'finished';
    });
    yield* wrong;
    if (left === 'done') this.#tally.done += 1;
    if (left === 'done' && finish !== undefined) return;
    // The next command works, and what was not done can be done.
    if (left !== 'finished') stage.program.runWell(left === 'done' ? STATUS : command);
    yield* stage.ask((project) => [
      ...(isDone(project) ? [] : ['could not be done again']),
      ...(afterwards?.(project) ?? unsound(target, project, account)),
    ]);
  }
}

/** What must hold of a project, and of the events of those who wrote beside. */
function* unsound(target: Target, project: Project, account: Account): Generator<string> {
  yield* target.soundness(project);
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
