import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { ADDONS } from '../ports.ts';
import { type Account, newAccount, Told } from './account.ts';
import type { Aim } from './aim.ts';

/** A writer that does not come to what is waited for in this time is killed as it is, milliseconds. */
const PATIENCE_MS = { mixed: 400, large: 10_000 };
/** Between two appends of all of them together, milliseconds: those who are not killed must not take the machine's time. */
const PACE_MS = 8;

/** What writers append: see `writer-process.ts`. */
export type Diet = keyof typeof PATIENCE_MS;

interface Member {
  child: ChildProcess;
  told: Told;
}

/**
 * What the processes get to see of the environment: nothing. What is set for other programs, such as more certificates
 * to trust, can cost a start of Node twice as much as all that is measured here.
 */
export const NO_ENVIRONMENT = {};

/** Writers that append until they are killed, each a process of its own. */
export class Crew {
  readonly account: Account = newAccount();
  readonly #program: string;
  readonly #root: string;
  readonly #diet: Diet;
  readonly #pauseMs: number;
  readonly #members = new Map<number, Member>();
  #started = 0;
  kills = 0;
  /** Of the kills, how many found their victim between what it said that it was going to append and its acknowledgement. */
  inAppends = 0;
  /** Writers that ended in another way than being killed: there must be none. */
  readonly strays: string[] = [];

  constructor(program: string, root: string, writers: number, diet: Diet) {
    this.#program = program;
    this.#root = root;
    this.#diet = diet;
    this.#pauseMs = writers * PACE_MS;
  }

  /** Starts a writer in a slot; every process has a name of its own. */
  start(slot: number): void {
    const name = `w${slot}.${this.#started}`;
    this.#started += 1;
    const args = [this.#program, this.#root, ADDONS, name, String(this.#pauseMs), this.#diet];
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: NO_ENVIRONMENT,
    });
    const told = new Told(name, this.account);
    child.stdout.on('data', (data) => told.hear(String(data)));
    child.on('exit', (_, signal) => {
      if (signal !== 'SIGKILL') this.strays.push(name);
    });
    this.#members.set(slot, { child, told });
  }

  /**
   * Kills a writer, at once or when `aim` says, and waits until it is gone.
   * @param chosen the slot of the one to kill where `aim` does not leave it open
   * @returns the slot that is free now
   */
  async kill(chosen: number, aim?: Aim): Promise<number> {
    const ready = aim && (await this.#firstToSay(aim, chosen));
    const slot = ready ?? chosen;
    const { child, told } = this.#members.get(slot)!;
    const gone = once(child, 'close');
    const kill = () => void child.kill('SIGKILL');
    const isGone = () => child.killed || (child.exitCode ?? child.signalCode) !== null;
    const impatient = setTimeout(kill, PATIENCE_MS[this.#diet]);
    if (aim === undefined || ready === undefined) kill();
    else aim.shoot(kill, isGone);
    await gone;
    clearTimeout(impatient);
    this.kills += 1;
    if (told.isAppending) this.inAppends += 1;
    return slot;
  }

  /** The slot of who says what is aimed at; undefined when nobody does in time. */
  #firstToSay({ at, nth, isAnybody }: Aim, chosen: number): Promise<number | undefined> {
    return new Promise((resolve) => {
      const impatient = setTimeout(resolve, PATIENCE_MS[this.#diet], undefined);
      const isIt = (slot: number) => () => {
        clearTimeout(impatient);
        resolve(slot);
      };
      for (const [slot, { told }] of this.#members)
        if (isAnybody || slot === chosen) told.once(at, isIt(slot), nth);
    });
  }

  async killAll(): Promise<void> {
    await Promise.all([...this.#members.keys()].map((slot) => this.kill(slot)));
  }

  /** For the end of a test that failed half-way. */
  abandon(): void {
    for (const { child } of this.#members.values()) child.kill('SIGKILL');
  }
}
