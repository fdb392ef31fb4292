import { spawnSync } from 'node:child_process';
import { ENV, killGroup } from './run.ts';

/** Paths in a repository are bytes: they are kept as such, one a character. */
const BYTES = 'latin1';
const BYTES_MAX = 64 * 1024 * 1024;

export interface RunNow {
  /** Milliseconds that are left. */
  left(): number;
  /** Set or taken away in the program's environment. */
  env?: Readonly<Record<string, string | undefined>>;
  /** One character a byte, as the answer has them. */
  input?: string;
}

/** A time from now that no change of the clock moves. @returns the milliseconds that are left */
export function within(ms: number): () => number {
  const start = process.hrtime.bigint();
  return () => ms - Number((process.hrtime.bigint() - start) / 1_000_000n);
}

/** As `runner`, for a hook, which does nothing else meanwhile. @returns one character a byte */
export function runNow(
  program: string,
  args: readonly string[],
  cwd: string,
  { left, env, input = '' }: RunNow,
): string | undefined {
  const timeout = left();
  if (timeout <= 0) return undefined;
  const { status, error, pid, stdout } = spawnSync(program, args, {
    cwd,
    env: { ...process.env, ...ENV, ...env },
    input: Buffer.from(input, BYTES),
    encoding: BYTES,
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout,
    killSignal: 'SIGKILL',
    maxBuffer: BYTES_MAX,
    windowsHide: true,
    // As in `runner`; the types do not know it.
    ...{ detached: process.platform !== 'win32' },
  });
  if (error !== undefined) killGroup(pid || undefined);
  return error === undefined && status === 0 ? stdout : undefined;
}
