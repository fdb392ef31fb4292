import type { BaseContext } from 'clipanion';
import { Ben10Error } from '../platform/errors.ts';
import type { FileLock } from '../platform/lock.ts';
import { whenNobodyReads } from './output-error.ts';

/** A command's surroundings, which tests replace. */
export interface Ben10Context extends BaseContext {
  cwd: string;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Aborted by the first Ctrl-C, or when nobody reads the output any more. Only for commands that run until then. */
  interruption(): AbortSignal;
  /** For tests: without it the addon beside the running file. */
  lock?: FileLock | undefined;
}

export function processContext(): Ben10Context {
  const { env, stdin, stdout, stderr } = process;
  return {
    env,
    stdin,
    stdout,
    stderr,
    colorDepth: 1, // colours are chosen in ui/terminal.ts
    get cwd() {
      return currentFolder();
    },
    now: Date.now,
    interruption() {
      const controller = new AbortController();
      const end = () => controller.abort();
      process.once('SIGINT', end);
      process.once('SIGTERM', end);
      // Of a terminal that is closed, which may say so twice.
      process.on('SIGHUP', end);
      whenNobodyReads(end);
      return controller.signal;
    },
  };
}

/** Lazy, because help needs no folder. @throws Ben10Error FS_NOT_FOUND */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new Ben10Error('FS_NOT_FOUND', 'the current folder no longer exists', {
      next: 'Go to another folder: cd',
      cause,
    });
  }
}
