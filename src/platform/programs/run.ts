import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

/** More is no answer to what a collector asks. */
const OUTPUT_BYTES_MAX = 1024 * 1024;

/** Programs must ask nobody, fetch nothing, lock nothing and speak English. */
const ENV = {
  LC_ALL: 'C',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_PAGER: '',
  // Of a repository that says that some of it is elsewhere git would fetch that, by the program that it names.
  GIT_ALLOW_PROTOCOL: 'none',
  GOTOOLCHAIN: 'local',
  RUSTUP_AUTO_INSTALL: '0',
  COREPACK_ENABLE_NETWORK: '0',
  PYTHONDONTWRITEBYTECODE: '1',
};

/** Resolves with what a program wrote to stdout; undefined when it is missing, fails, says too much or takes too long. */
export type Run = (
  program: string,
  args: readonly string[],
  cwd: string,
) => Promise<string | undefined>;

/**
 * @param signal ends what runs, with all that it started
 * @param env of the programs, where it is not this process's own
 */
export const runner =
  (signal: AbortSignal, env: Readonly<Record<string, string | undefined>> = process.env): Run =>
  (program, args, cwd) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve(undefined);
      const child = spawn(program, args, {
        cwd,
        env: { ...env, ...ENV },
        stdio: ['ignore', 'pipe', 'ignore'],
        windowsHide: true,
        // A group of its own, so that nothing that it started stays.
        detached: process.platform !== 'win32',
      });
      // Missing where too many files are open for a process to be started: then it only tells of an error.
      const stdout = child.stdout as typeof child.stdout | undefined;
      const chunks: Buffer[] = [];
      let bytes = 0;
      let isOver = false;
      const end = (text: string | undefined) => {
        if (isOver) return;
        isOver = true;
        signal.removeEventListener('abort', abort);
        if (text === undefined) kill(child.pid);
        // Whatever it left open must not keep this process alive.
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
        if (bytes > OUTPUT_BYTES_MAX) end(undefined);
        else chunks.push(chunk);
      });
      child.on('close', (code) =>
        end(code === 0 ? Buffer.concat(chunks).toString('utf8') : undefined),
      );
    });

/** A program that has not answered when the time is over has no answer, so that what others said is told. */
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

/** Whether a program is there to be asked, whatever it answers. @param env of the programs */
export const isThere = (
  program: string,
  env: Readonly<Record<string, string | undefined>>,
): boolean =>
  (env.PATH ?? '')
    .split(path.delimiter)
    .some((dir) =>
      ['', '.exe', '.cmd'].some((ending) => existsSync(path.join(dir, `${program}${ending}`))),
    );

function kill(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    if (process.platform === 'win32') process.kill(pid, 'SIGKILL');
    else process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
