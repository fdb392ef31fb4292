import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { killGroup } from './run.ts';

/** After the shell ended its group is killed; only what left the group can still hold its output open. */
const GRACE_MS = 1000;

export interface Shell {
  file: string;
  args: string[];
  windowsVerbatimArguments?: true;
}

/** Elsewhere than on Windows both outputs are one pipe, so what is written first is read first. */
export const shellOf = (command: string, platform: NodeJS.Platform = process.platform): Shell =>
  platform === 'win32'
    ? {
        file: process.env.ComSpec ?? 'cmd.exe',
        args: ['/d', '/s', '/c', `"${command}"`],
        windowsVerbatimArguments: true,
      }
    : { file: '/bin/sh', args: ['-c', 'exec /bin/sh -c "$1" 2>&1', 'sh', command] };

interface ShellOptions {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  timeoutMs: number;
  /** Kills the command. */
  signal: AbortSignal;
  /** Receives what it prints. */
  printed(chunk: Buffer): void;
  /** Its stdin; none by default. */
  input?: Buffer;
}

export interface Ended {
  /** Null if a signal or the time limit ended it. */
  exit: number | null;
  /** Not of the time limit. */
  signal?: string;
  ms: number;
}

/** What left its group still has the mark in its environment. Elsewhere than on Linux nobody can tell. */
function killMarked(mark: string): void {
  for (const pid of process.platform === 'linux' ? readdirSync('/proc') : []) {
    try {
      if (readFileSync(`/proc/${pid}/environ`).includes(mark)) process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has ended, is somebody else's, or is no process.
    }
  }
}

/** Runs a user's command in a group of its own that does not outlive it. @throws Node's error if it cannot start */
export const runShell = (
  command: string,
  { cwd, env, timeoutMs, signal, printed, input }: ShellOptions,
): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const started = performance.now();
    const { file, args, ...how } = shellOf(command);
    const mark = `BEN10_CAPTURE=${randomUUID()}`;
    const child = spawn(file, args, {
      ...how,
      cwd,
      env: { ...env, ...Object.fromEntries([mark.split('=')]) },
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      windowsHide: true,
      detached: process.platform !== 'win32',
    });
    let isLate = false;
    let ended: Ended = { exit: null, ms: 0 };
    const kill = () => {
      killGroup(child.pid);
      killMarked(mark);
    };
    const late = setTimeout(() => {
      isLate = true;
      kill();
    }, timeoutMs);
    const end = () => {
      clearTimeout(late);
      signal.removeEventListener('abort', kill);
      for (const stream of [child.stdout, child.stderr]) stream?.destroy();
      resolve(ended);
    };
    signal.addEventListener('abort', kill);
    if (signal.aborted) kill();
    const [stdout, stderr] = [child.stdout!, child.stderr!];
    // It may not read all of it.
    child.stdin?.on('error', () => undefined).end(input);
    for (const stream of [stdout, stderr]) stream.on('data', printed);
    child.on('error', (error) => {
      clearTimeout(late);
      reject(error);
    });
    child.on('exit', (exit, by) => {
      const ms = Math.round(performance.now() - started);
      ended = { exit, ms, ...(by !== null && !isLate && { signal: by }) };
      kill();
      setTimeout(end, GRACE_MS).unref();
    });
    child.on('close', end);
  });
