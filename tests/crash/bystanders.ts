import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { ADDONS } from '../ports.ts';
import { type Account, newAccount, Told } from './account.ts';
import { NO_ENVIRONMENT } from './crew.ts';

/** An append waits 50 ms for the lock; what takes this long, milliseconds, will never come. */
const PATIENCE_MS = 30_000;

interface Bystander {
  name: string;
  child: ChildProcess;
  told: Told;
}

/**
 * Writers that append modestly beside one that is killed, and that have to go on after it: the same processes for one
 * journal after the other, for to start one costs more than all that it does.
 */
export class Bystanders {
  readonly #all: readonly Bystander[];

  constructor(program: string, count: number) {
    this.#all = Array.from({ length: count }, (_, number) => {
      const name = `b${number}`;
      const child = spawn(process.execPath, [program, ADDONS, name], {
        stdio: ['pipe', 'pipe', 'inherit'],
        env: NO_ENVIRONMENT,
      });
      const bystander = { name, child, told: new Told(name, newAccount()) };
      child.stdout.on('data', (data) => bystander.told.hear(String(data)));
      return bystander;
    });
  }

  /** Sends them to a journal. */
  go(root: string, account: Account): void {
    for (const one of this.#all) {
      one.told = new Told(one.name, account);
      one.child.stdin!.write(`go ${root}\n`);
    }
  }

  /**
   * Waits until each of them has acknowledged another event than those until now.
   * @throws when one of them does not come to it
   */
  goOn(): Promise<void> {
    return this.#each(({ told }, then) => told.once('ack', then));
  }

  /** @throws when one of them does not come to an end */
  rest(): Promise<void> {
    return this.#each(({ told, child }, then) => {
      told.once('rested', then);
      child.stdin!.write('rest\n');
    });
  }

  async #each(wait: (one: Bystander, then: () => void) => void): Promise<void> {
    await Promise.all(
      this.#all.map(
        (one) =>
          new Promise<void>((resolve, reject) => {
            const failed = () => reject(new Error(`${one.name}, beside it, does not go on`));
            const timer = setTimeout(failed, PATIENCE_MS);
            wait(one, () => {
              clearTimeout(timer);
              resolve();
            });
          }),
      ),
    );
  }

  async end(): Promise<void> {
    for (const { child } of this.#all) {
      if ((child.exitCode ?? child.signalCode) !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'close');
    }
  }
}
