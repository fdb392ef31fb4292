import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ADDONS, decoders, realPorts } from '../ports.ts';
import { type Account, newAccount, Told } from './account.ts';
import type { Bystanders } from './bystanders.ts';
import { whereAre } from './canary.ts';
import { NO_ENVIRONMENT } from './crew.ts';
import type { KillPoint } from './kill-points.ts';
import { Survivors } from './survivors.ts';
import { SECRET } from './test-events.ts';

/** Every point that the doomed process comes by, the first and the last time, before, half-way (of writes) and after. */
export async function killPoints(doomed: string, root: string): Promise<KillPoint[]> {
  const scout = new Doomed(doomed, root, 'scout', newAccount());
  await scout.ready;
  const { signal, said } = await scout.goToTheEnd();
  const found = [...said.matchAll(/^point (\d+) (.*)$/gm)];
  if (signal !== null || found.length === 0) throw new Error(`the doomed process said: ${said}`);
  return found.flatMap(([, times, name = '']) =>
    [...new Set([1, Number(times)])].flatMap((nth) => {
      const moments = ['before', ...(name.startsWith('write') ? ['halfway'] : []), 'after'];
      return moments.map((when) => ({ name, nth, when }) as KillPoint);
    }),
  );
}

/** The process that does everything that writers do, and is killed over it. */
class Doomed {
  readonly ready: Promise<void>;
  readonly #child: ChildProcess;
  #said = '';

  constructor(program: string, root: string, name: string, account: Account, point?: KillPoint) {
    const args = [program, root, ADDONS, name, ...(point ? [JSON.stringify(point)] : [])];
    this.#child = spawn(process.execPath, args, {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: NO_ENVIRONMENT,
    });
    const told = new Told(name, account);
    this.ready = new Promise((resolve) => told.once('ready', resolve));
    this.#child.stdout!.on('data', (data) => {
      this.#said += String(data);
      told.hear(String(data));
    });
  }

  /** @throws when it failed by itself */
  async goToTheEnd(): Promise<{ signal: NodeJS.Signals | null; said: string }> {
    const gone = once(this.#child, 'close');
    this.#child.stdin!.end('go\n');
    const [code, signal] = (await gone) as [number | null, NodeJS.Signals | null];
    if (signal === null && code !== 0) throw new Error(`the doomed process ended with ${code}`);
    return { signal, said: this.#said };
  }

  abandon(): void {
    this.#child.kill('SIGKILL');
  }
}

/**
 * What a process comes by may be done by others before it: then another one is sent, this often. The first goes where
 * others write already, the next ones to an empty journal together with the others, then so many ms ahead of them.
 */
const HEAD_STARTS_MS = [undefined, 0, 0, 2, 5, 10, 20, 40, 80, 160, 320] as const;

export interface PointRun {
  /** Processes that were sent until one was killed there. */
  sent: number;
  /** False when none was. */
  died: boolean;
  violations: string[];
}

/** Kills doomed processes at a point, beside others, and looks at what each of them left. */
export class PointKiller {
  readonly #program: string;
  readonly #others: Bystanders | undefined;
  readonly #dir: string;
  readonly #firstTry = new Map<string, number>();
  #runs = 0;

  /** @param dir an empty folder */
  constructor(program: string, dir: string, others?: Bystanders) {
    this.#program = program;
    this.#dir = dir;
    this.#others = others;
  }

  async kill(point: KillPoint): Promise<PointRun> {
    const violations: string[] = [];
    // What was reached by a head start at one moment is so at the others.
    const first = this.#firstTry.get(point.name) ?? 0;
    const tries = this.#others === undefined ? [0] : [...HEAD_STARTS_MS.keys()].slice(first);
    for (const [index, at] of tries.entries()) {
      const run = await this.#once(point, HEAD_STARTS_MS[at]);
      violations.push(...run.violations);
      if (!run.killed) continue;
      this.#firstTry.set(point.name, at);
      return { sent: index + 1, died: true, violations };
    }
    return { sent: tries.length, died: false, violations };
  }

  async #once(
    point: KillPoint,
    headStartMs: number | undefined,
  ): Promise<{ killed: boolean; violations: string[] }> {
    this.#runs += 1;
    const root = path.join(this.#dir, String(this.#runs), '.ben10');
    mkdirSync(path.dirname(root));
    const account = newAccount();
    const doomed = new Doomed(this.#program, root, 'doomed', account, point);
    const survivors = new Survivors(root, realPorts, decoders);
    try {
      await doomed.ready;
      if (headStartMs === undefined) {
        this.#others?.go(root, account);
        await this.#others?.goOn();
      }
      const end = doomed.goToTheEnd();
      if (headStartMs !== undefined) {
        if (headStartMs > 0) await sleep(headStartMs);
        this.#others?.go(root, account);
      }
      const { signal } = await end;
      await this.#others?.goOn();
      const violations = survivors.look(account);
      await this.#others?.rest();
      violations.push(...survivors.reckon(account));
      if (survivors.isErased('doomed:0'))
        violations.push(...whereAre([SECRET], root).map((where) => `still there: ${where}`));
      return { killed: signal === 'SIGKILL', violations };
    } finally {
      doomed.abandon();
      rmSync(path.dirname(root), { recursive: true, force: true });
    }
  }
}
