import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureDir } from '../platform/files.ts';
import { FILE_MODE, nodeFs } from '../platform/fs.ts';
import { startOf } from '../platform/process-identity.ts';
import { killGroup } from '../platform/programs/run.ts';

/** How often somebody else's child is looked at. */
const LOOK_MS = 100;

/** A client at work: our child, or that of a loop that was killed. */
export interface Client {
  pid: number;
  started: string;
  /** Resolves when it is gone; the code only of our own child. */
  ended: Promise<{ exit?: number; signal?: string }>;
}

/** Where a client reads and writes: files, so that it outlives its loop, and what it said does. */
export class Desk {
  readonly dir: string;

  constructor(root: string, loop: string, n: number) {
    this.dir = path.join(root, 'loops', `${loop}-${n}`);
  }

  file(name: 'prompt' | 'out' | 'errors'): string {
    return path.join(this.dir, name);
  }

  lay(prompt: string): void {
    for (const dir of [path.dirname(this.dir), this.dir])
      ensureDir(nodeFs, dir, { durable: false });
    writeFileSync(this.file('prompt'), prompt, { mode: FILE_MODE });
  }

  /** Empty if it is not there. */
  read(name: 'prompt' | 'errors'): string {
    try {
      return readFileSync(this.file(name), 'utf8');
    } catch {
      return '';
    }
  }

  /** Of an iteration that is recorded. */
  clear(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }
}

/** A loop that is killed closes the gate's other end: then the shell ends, and the client never was. */
const GATE = 'IFS= read -r go <&3 && exec 3<&- && exec "$@"';

/**
 * Starts a client behind a gate, in a group of its own: it runs no line before `go`. Windows has no such shell: there it runs at once.
 * @throws Node's error if no process can be started
 */
export async function startClient(
  command: readonly string[],
  desk: Desk,
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
) {
  const isWindows = process.platform === 'win32';
  const [program, ...args] = isWindows ? command : ['/bin/sh', '-c', GATE, 'sh', ...command];
  const files = [
    openSync(desk.file('prompt'), 'r'),
    openSync(desk.file('out'), 'w', FILE_MODE),
    openSync(desk.file('errors'), 'w', FILE_MODE),
  ] as const;
  const stdio = [...files, ...(isWindows ? [] : (['pipe'] as const))];
  let child: ChildProcess;
  try {
    child = spawn(program!, args, { cwd, env, stdio, windowsHide: true, detached: !isWindows });
  } finally {
    for (const file of files) closeSync(file);
  }
  const ended = once(child, 'exit').then(([exit, signal]) => ({
    ...(exit !== null && { exit }),
    ...(signal !== null && { signal }),
  }));
  ended.catch(() => undefined);
  await once(child, 'spawn');
  const pid = child.pid!;
  const gate = child.stdio[3] as Duplex | undefined;
  gate?.on('error', () => undefined);
  return { pid, started: startOf(pid) ?? '', ended, go: () => void gate?.end('go\n') };
}

/** The client of a loop that was killed. @returns undefined if it is gone */
export function runningClient(pid: number, started: string): Client | undefined {
  if (startOf(pid) !== started) return undefined;
  const gone = async () => {
    while (startOf(pid) === started) await sleep(LOOK_MS);
    return {};
  };
  return { pid, started, ended: gone() };
}

const INT_MS = 10_000;
const TERM_MS = 10_000;

/**
 * Asks a client to end, then makes it: SIGINT, SIGTERM, and then its whole group is killed.
 * @param isShell what the shell has started is asked, too; Claude Code tells its own servers
 */
export function interrupt(client: Client, isShell: boolean): { kill(): void; end(): void } {
  const send = (signal: 'SIGINT' | 'SIGTERM') => {
    try {
      process.kill(isShell && process.platform !== 'win32' ? -client.pid : client.pid, signal);
    } catch {
      // It has ended.
    }
  };
  const kill = () => killGroup(client.pid);
  send('SIGINT');
  const timers = [setTimeout(() => send('SIGTERM'), INT_MS), setTimeout(kill, INT_MS + TERM_MS)];
  return { kill, end: () => timers.forEach(clearTimeout) };
}
