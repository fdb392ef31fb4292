import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { ADDONS } from '../ports.ts';

/** What the parent knows, which cannot die with a writer: what was attempted, and what of it was acknowledged. */
export interface Account {
  /** Digest of each event's payload, by `writer:number`. */
  attempted: Map<string, string>;
  acknowledged: Set<string>;
}

/** A writer that does not come to anything large in this time is killed as it is. */
const PATIENCE_MS = { mixed: 150, modest: 150, large: 10_000 };

/** What writers append: see `writer-process.ts`. */
type Diet = keyof typeof PATIENCE_MS;

interface Member {
  name: string;
  child: ChildProcess;
  /** Told when it is about to append something large: a good moment to die. */
  onLarge: (() => void) | undefined;
}

/** Writers that append as fast as they can, each a process of its own, until they are killed. */
export class Crew {
  readonly account: Account = { attempted: new Map(), acknowledged: new Set() };
  readonly #program: string;
  readonly #root: string;
  readonly #diet: Diet;
  readonly #members = new Map<number, Member>();
  #started = 0;
  kills = 0;
  /** Writers that ended in another way than being killed: there must be none. */
  readonly strays: string[] = [];

  constructor(program: string, root: string, diet: Diet = 'mixed') {
    this.#program = program;
    this.#root = root;
    this.#diet = diet;
  }

  /** Starts a writer in a slot; every process has a name of its own. */
  start(slot: number): void {
    const name = `w${slot}.${this.#started}`;
    this.#started += 1;
    const { child } = this.#spawn(slot, name, [
      this.#program,
      this.#root,
      ADDONS,
      name,
      '0',
      this.#diet,
    ]);
    child.on('exit', (_, signal) => {
      if (signal !== 'SIGKILL') this.strays.push(name);
    });
  }

  /**
   * Runs another program in a slot, which tells as the writers do, to its end.
   * @param args program, root, addons, name…
   * @returns the signal that ended it, null when it ended by itself
   */
  async run(slot: number, args: readonly string[]): Promise<NodeJS.Signals | null> {
    const { child } = this.#spawn(slot, args[3]!, args);
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    if (code !== null && code !== 0) this.strays.push(args[3]!);
    this.#members.delete(slot);
    return signal;
  }

  #spawn(slot: number, name: string, args: readonly string[]): Member {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const member: Member = { name, child, onLarge: undefined };
    this.#members.set(slot, member);
    let rest = '';
    child.stdout.on('data', (data) => {
      const lines = (rest + String(data)).split('\n');
      rest = lines.pop()!;
      for (const line of lines) this.#hear(member, line);
    });
    return member;
  }

  #hear(member: Member, line: string): void {
    const [word, number, digest] = line.split(' ');
    const key = `${member.name}:${number}`;
    if (word === 'large') member.onLarge?.();
    else if (word === 'intent') this.account.attempted.set(key, digest!);
    else if (word === 'ack') this.account.acknowledged.add(key);
  }

  /**
   * Kills a writer and waits until it is gone: now, or at a moment that `aim` chooses when the writer says that it is
   * about to append something large.
   */
  async kill(slot: number, aim?: (shoot: () => void) => void): Promise<void> {
    const member = this.#members.get(slot)!;
    const { child } = member;
    const gone = once(child, 'close');
    const shoot = () => void child.kill('SIGKILL');
    if (aim === undefined) shoot();
    else member.onLarge = () => aim(shoot);
    const impatient = setTimeout(shoot, PATIENCE_MS[this.#diet]);
    await gone;
    clearTimeout(impatient);
    this.kills += 1;
  }

  async killAll(): Promise<void> {
    await Promise.all([...this.#members.keys()].map((slot) => this.kill(slot)));
  }

  /** For the end of a test that failed half-way. */
  abandon(): void {
    for (const { child } of this.#members.values()) child.kill('SIGKILL');
  }
}
