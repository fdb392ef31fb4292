import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { setTimeout as after, setImmediate as nextTurn } from 'node:timers/promises';
import type { Handover } from './handover.ts';

/** A program that only says its version takes a tenth of a second, milliseconds. */
const REHEARSAL_MS = 10_000;
/**
 * For so long nothing is read of a client that never stops asking, each time for twice as long as the time before, milliseconds. At
 * most less than the two seconds that a hook waits for its tool call.
 */
const PAUSE_MS = 250;
const PAUSE_MS_MAX = 1500;
const PAUSE_STEP_MS = 10;

const NO_WAY =
  'the process that the client started can neither be replaced nor followed by another';
const OTHER_BEN10 = 'another version was installed meanwhile';
const OTHER_NODE = 'another Node was installed meanwhile';

export interface RenewalPorts {
  /** All that the client said is answered, and the answers are written. */
  isAnswered(): boolean;
  /** Nobody waits for anything of this process, and nothing of what it started runs on. */
  isQuiet(): boolean;
  /** Tells the client what there is to tell. */
  tell(): Promise<void>;
  /** Has the process end that reads. */
  retire(): void;
  /** From the next turn on nothing is read any more, as soon as no line is half read; until `resume`. */
  pause(): void;
  resume(): void;
  /** Lets go of all that is open. */
  rest(): void;
  handover(): Handover;
}

/** How the next program takes the place of this one. */
export interface Way {
  /** The environment that it gets. */
  environment(handover: Handover): NodeJS.ProcessEnv;
  /**
   * Ends this program for the next one; returns where a signal, or the end of its parent, came in between.
   * @throws where it cannot be
   */
  leave(handover: Handover): void | Promise<void>;
}

/**
 * Starts the server's program anew over the same pipes: the kernel takes back every page of the memory, whatever is on it,
 * and the client, whose pipes stay, notices no more than a pause. What it has written and nobody has read waits in its pipe.
 */
export class Renewal {
  readonly #ports: RenewalPorts;
  readonly #installed = installed();
  #isRehearsed = false;
  #pauseMs = PAUSE_MS;
  readonly #way: Way | undefined;
  #refusal: string | undefined;

  /** @param way undefined where there is none */
  constructor(ports: RenewalPorts, way: Way | undefined) {
    this.#ports = ports;
    this.#way = way;
    if (way === undefined) this.#refusal = NO_WAY;
  }

  /** Why it is not possible, now and later. */
  get refusal(): string | undefined {
    return this.#refusal;
  }

  /**
   * Never settles where it renews; returns when somebody waits for something just now, or when it is not possible.
   * @param isUrgent of a client that asks without a pause nothing is read for a moment, in which all that it asked is answered
   * @throws what the system says, where it starts no program just now
   */
  async renew(isUrgent: boolean): Promise<void> {
    const ports = this.#ports;
    if (this.#refusal !== undefined) return;
    if (ports.isAnswered()) await ports.tell();
    // Until that is written.
    await nextTurn();
    if (!isUrgent && !ports.isAnswered()) return;
    try {
      ports.pause();
      await nextTurn();
      if (!this.#isQuiet() && isUrgent) await this.#comesToRest();
      if (this.#isQuiet()) await this.#leave();
    } finally {
      ports.resume();
    }
  }

  /** What read for answers that are given is told to end, for it is not quiet before that. */
  #isQuiet(): boolean {
    if (this.#ports.isAnswered()) this.#ports.retire();
    return this.#ports.isQuiet();
  }

  async #comesToRest(): Promise<void> {
    const until = Date.now() + this.#pauseMs;
    this.#pauseMs = Math.min(2 * this.#pauseMs, PAUSE_MS_MAX);
    while (!this.#isQuiet() && Date.now() < until) await after(PAUSE_STEP_MS);
  }

  async #leave(): Promise<void> {
    const { handover, isQuiet, rest } = this.#ports;
    const way = this.#way!;
    if (!this.#isRehearsed) {
      if (!rehearse(way.environment(handover()))) this.#refusal = OTHER_NODE;
      this.#isRehearsed = true;
      // A signal may have come meanwhile, and is heard first.
      await nextTurn();
      if (!isQuiet()) return;
    }
    if (installed() !== this.#installed) this.#refusal ??= OTHER_BEN10;
    if (this.#refusal !== undefined) return;
    rest();
    await way.leave(handover());
  }
}

/**
 * Most versions of Node abort where the system refuses to start a program in the place of one: by then it is too late to find out.
 * @returns false when that program is another Node
 */
function rehearse(env: NodeJS.ProcessEnv): boolean {
  const { stdout, error } = spawnSync(process.execPath, ['--version'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
    timeout: REHEARSAL_MS,
    windowsHide: true,
  });
  if (error !== undefined) throw error;
  return stdout.trim() === process.version;
}

/** Another when the program's files are. */
const installed = (): string => stampOf(process.argv[1]) + stampOf(__filename);

function stampOf(file: string | undefined): string {
  const stat = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false });
  return `${stat?.ino} ${stat?.size} ${stat?.mtimeMs} `;
}
