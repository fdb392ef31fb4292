import { spawnSync } from 'node:child_process';
import { fstatSync, statSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from '../platform/logger.ts';
import { type Handover, handedOver } from './handover.ts';

/** Node has it from 22.15 and 23.11 on, and not on Windows. */
type Execve = (file: string, args: readonly string[], env: NodeJS.ProcessEnv) => never;

/** A program that only says its version takes a tenth of a second, milliseconds. */
const REHEARSAL_MS = 10_000;
const STDIN = 0;

export interface RenewalPorts {
  /** Nobody waits for anything of this process. */
  isQuiet(): boolean;
  /** Tells the client what there is to tell. */
  tell(): Promise<void>;
  /** Lets go of all that is open. */
  rest(): void;
  handover(): Handover;
}

/**
 * Starts the server's program anew in the same process: the kernel takes back every page of the memory, whatever is on it,
 * and the client, whose pipes stay, notices nothing. What it has written and nobody has read waits in its pipe.
 */
export class Renewal {
  readonly #ports: RenewalPorts;
  readonly #log: Logger;
  readonly #installed = stampOf(process.argv[1]) + stampOf(__filename);
  #isRehearsed = false;
  #execve = (process as { execve?: Execve }).execve;

  constructor(ports: RenewalPorts, log: Logger) {
    this.#ports = ports;
    this.#log = log;
    // Of anything else than a pipe more may have been read than anybody here has seen; a channel to a parent would be closed.
    const stdin = fstatSync(STDIN);
    const isPipe = stdin.isFIFO() || stdin.isSocket();
    if (!isPipe || process.channel !== undefined) this.#execve = undefined;
  }

  /** False where Node or the system has no such thing, and once it was seen not to work. */
  get isPossible(): boolean {
    return this.#execve !== undefined;
  }

  /** Never settles where it renews; returns when somebody waits for something just now, or when it is not possible. */
  async renew(): Promise<void> {
    if (this.#execve === undefined) return;
    await this.#ports.tell();
    // Until that is written.
    await nextTurn();
    if (!this.#ports.isQuiet()) return;
    try {
      if (!this.#isRehearsed) {
        rehearse(handedOver(process.env, this.#ports.handover()));
        this.#isRehearsed = true;
        // A signal, or a word of the client's, may have come meanwhile, and is heard first.
        await nextTurn();
        if (!this.#ports.isQuiet()) return;
      }
      // From here on nothing is read and nothing is heard.
      this.#replace(this.#execve);
    } catch (error) {
      this.#execve = undefined;
      this.#log.debug(`the server was not started anew: ${(error as Error).message}`);
    }
  }

  #replace(execve: Execve): never {
    const handover = this.#ports.handover();
    const env = handedOver(process.env, handover);
    if (stampOf(process.argv[1]) + stampOf(__filename) !== this.#installed) {
      throw new Error('another version was installed meanwhile');
    }
    this.#ports.rest();
    const args = [process.argv0, ...process.execArgv, ...process.argv.slice(1)];
    return execve(process.execPath, args, env);
  }
}

/** Most versions of Node abort where the system refuses: by then it is too late to find out. */
function rehearse(env: NodeJS.ProcessEnv): void {
  const { stdout, error } = spawnSync(process.execPath, ['--version'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
    timeout: REHEARSAL_MS,
    windowsHide: true,
  });
  if (error !== undefined) throw error;
  if (stdout.trim() !== process.version) throw new Error('another Node was installed meanwhile');
}

/** Another when the file is. */
function stampOf(file: string | undefined): string {
  const stat = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false });
  return `${stat?.ino} ${stat?.size} ${stat?.mtimeMs} `;
}
