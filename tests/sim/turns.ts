import { seeded } from '../seeded.ts';
import { accountAt } from './account.ts';
import { Actor } from './actor.ts';
import { SharedMachine } from './answers.ts';
import { pick } from './chance.ts';
import { count, type Tally } from './counting.ts';
import { cacheAt, crashStates, type Profile } from './crash-states.ts';
import { judge, stateBefore } from './oracle.ts';
import type { Part } from './turn-taker.ts';

/** Everything that a run depends on; as one line of JSON it is what reproduces it. */
export interface TurnsOptions {
  turns: number;
  processes: number;
  /** Of each process. */
  operations: number;
  /** How likely it is, at a call, that another process goes on, or that this one is killed. */
  switches: number;
  kills: number;
  profile: Profile;
  diet: string;
  lockBudgetMs: number;
}

const PROCESSES_MAX = 8;
const DIETS = ['ppiidbsnrck', 'dsnrc', 'pdbe', 'psnbrcem', 'pdrcmk', 'bsnrcek'];
/** Points of a run at which it crashes, and states tried of one loss of power. */
const POINTS = 3;
const POWER_CAP = 4;
/** Of one run, far more than any takes: who waits for ever is found out. */
const CALLS_MAX = 20_000;

export function turnsOptionsOf(turns: number): TurnsOptions {
  const chance = seeded(turns);
  return {
    turns,
    processes: 2 + pick(chance, PROCESSES_MAX - 1),
    operations: 1 + pick(chance, 4),
    switches: [0.03, 0.1, 0.3, 1][pick(chance, 4)]!,
    kills: [0, 0, 0.001, 0.01][pick(chance, 4)]!,
    profile: chance() < 0.5 ? 'paranoid' : 'ext4-ordered',
    diet: DIETS[pick(chance, DIETS.length)]!,
    lockBudgetMs: [50, 50, 5000][pick(chance, 3)]!,
  };
}

/** Processes that take turns at every call: each of them may be in the middle of an operation when any other goes on. */
export class Turns {
  readonly #clock = new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT);
  readonly #actors: Actor[];

  /** @param program what each thread runs */
  private constructor(program: string) {
    this.#actors = Array.from({ length: PROCESSES_MAX }, () => new Actor(program, this.#clock));
  }

  static async start(program: string): Promise<Turns> {
    const turns = new Turns(program);
    await Promise.all(turns.#actors.map((actor) => actor.start()));
    return turns;
  }

  async end(): Promise<void> {
    await Promise.all(this.#actors.map((actor) => actor.end()));
  }

  /** One run, and what is found where everybody died at its end or before, or the power went. */
  run(options: TurnsOptions, tally: Tally): void {
    const chance = seeded(options.turns ^ 0x7042);
    const line = JSON.stringify(options);
    const machine = new SharedMachine();
    this.#play(machine, options, chance);
    tally.workloads += 1;
    for (const text of machine.complaints)
      tally.violations.push({ where: line, sentence: 10, text });
    const { disk, account } = machine;
    const foundAt = disk.now + 60_000;
    const all = disk.log.length;
    for (let tried = 0; tried < POINTS; tried += 1) {
      const point = tried === 0 ? all : pick(chance, all + 1);
      const known = accountAt(account, point);
      const cache = cacheAt(disk.base, disk.log, point);
      count(tally, judge(cache, known, { kind: 'kill' }, foundAt), `${line} kill @${point}`);
      const fault = { kind: 'power', ...stateBefore(cache) } as const;
      const { states } = crashStates(disk.base, disk.log, point, options.profile, POWER_CAP);
      for (const { image, choice } of states)
        count(tally, judge(image, known, fault, foundAt), `${line} power @${point} [${choice}]`);
      tally.points += 1;
    }
  }

  #play(machine: SharedMachine, options: TurnsOptions, chance: () => number): void {
    const { turns, processes, operations, diet, switches, kills, lockBudgetMs } = options;
    const { disk } = machine;
    const time = new Float64Array(this.#clock);
    time[0] = disk.now;
    const playing = this.#actors.slice(0, processes);
    const numbers = new Map(playing.map((actor, index) => [actor, index + 1]));
    for (const [actor, number] of numbers) {
      const letters = Array.from({ length: operations }, () => diet[pick(chance, diet.length)]);
      const part: Part = { number, seed: turns, word: letters.join(''), lockBudgetMs };
      actor.answer({ value: part });
    }
    let current = playing[0]!;
    for (let calls = 1; ; calls += 1) {
      const left = playing.filter(({ asked }) => asked.call !== 'next');
      if (left.length === 0) return;
      if (!left.includes(current) || chance() < switches)
        current = left[pick(chance, left.length)]!;
      const number = numbers.get(current)!;
      if (calls === CALLS_MAX) machine.complaints.push('does not come to an end');
      if (calls >= CALLS_MAX || (kills > 0 && chance() < kills)) disk.kill(number);
      current.answer(machine.answer(number, current.asked));
      time[0] = disk.now;
    }
  }
}
