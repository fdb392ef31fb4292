import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

const OUTPUT_BYTES_MAX = 1024 * 1024;

/** Programs must not prompt, fetch or lock, and must print English. */
export const ENV = {
  LC_ALL: 'C',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_PAGER: '',
  // A partial clone would fetch missing objects, with a program of its choice.
  GIT_ALLOW_PROTOCOL: 'none',
  GOTOOLCHAIN: 'local',
  RUSTUP_AUTO_INSTALL: '0',
  COREPACK_ENABLE_NETWORK: '0',
  PYTHONDONTWRITEBYTECODE: '1',
};

/** Resolves with the program's stdout; undefined if it is missing, fails, prints too much or takes too long. */
export type Run = (
  program: string,
  args: readonly string[],
  cwd: string,
) => Promise<string | undefined>;

interface RunLimits {
  bytesMax?: number;
  /** Called for a program that prints more. */
  tooMuch?(): void;
}

/** @param signal kills the program and all that it started */
export const runner =
  (
    signal: AbortSignal,
    env: Readonly<Record<string, string | undefined>> = process.env,
    { bytesMax = OUTPUT_BYTES_MAX, tooMuch }: RunLimits = {},
  ): Run =>
  (program, args, cwd) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve(undefined);
      const child = spawn(program, args, {
        cwd,
        env: { ...env, ...ENV },
        stdio: ['ignore', 'pipe', 'ignore'],
        windowsHide: true,
        // A process group, so that its children can be killed, too.
        detached: process.platform !== 'win32',
      });
      // Missing if too many files are open to start a process.
      const stdout = child.stdout as typeof child.stdout | undefined;
      const chunks: Buffer[] = [];
      let bytes = 0;
      let isOver = false;
      const end = (text: string | undefined) => {
        if (isOver) return;
        isOver = true;
        signal.removeEventListener('abort', abort);
        if (text === undefined) killGroup(child.pid);
        // A pipe that a child left open must not keep this process alive.
        stdout?.destroy();
        child.unref();
        resolve(text);
      };
      const abort = () => end(undefined);
      signal.addEventListener('abort', abort);
      child.on('error', () => end(undefined));
      stdout?.on('error', () => end(undefined));
      stdout?.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= bytesMax) chunks.push(chunk);
        else {
          tooMuch?.();
          end(undefined);
        }
      });
      child.on('close', (code) =>
        end(code === 0 ? Buffer.concat(chunks).toString('utf8') : undefined),
      );
    });

/** Programs that have not answered after `ms` count as failed, so that the other answers can be used. */
export function until(ms: number, run: Run): { run: Run; isOver(): boolean } {
  let isOver = false;
  const over = new Promise<undefined>((resolve) => {
    const end = () => {
      isOver = true;
      resolve(undefined);
    };
    setTimeout(end, ms).unref();
  });
  return {
    run: async (...args) => (isOver ? undefined : Promise.race([run(...args), over])),
    isOver: () => isOver,
  };
}

/** Whether a program is on PATH. */
export const isThere = (
  program: string,
  env: Readonly<Record<string, string | undefined>>,
): boolean =>
  (env.PATH ?? '')
    .split(path.delimiter)
    .some((dir) =>
      ['', '.exe', '.cmd'].some((ending) => existsSync(path.join(dir, `${program}${ending}`))),
    );

/** Kills a program that was started as a group, with all that it started. */
export function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    const kill = spawn('taskkill', ['/pid', `${pid}`, '/t', '/f'], { stdio: 'ignore' });
    kill.on('error', () => undefined).unref();
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}
