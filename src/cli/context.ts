import type { BaseContext } from 'clipanion';
import { Ben10Error } from '../platform/errors.ts';

/** What a command may use of the world around it: tests give it memory in place of a terminal. */
export interface Ben10Context extends BaseContext {
  /** The folder that the command is run in. */
  cwd: string;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Aborted by the first Ctrl-C. Only for commands that run until then: without it Ctrl-C ends the process. */
  interruption(): AbortSignal;
}

/** The context of this process. */
export function processContext(): Ben10Context {
  const { env, stdin, stdout, stderr } = process;
  return {
    env,
    stdin,
    stdout,
    stderr,
    colorDepth: 1, // ours are chosen in ui/terminal.ts
    get cwd() {
      return currentFolder();
    },
    now: Date.now,
    interruption() {
      const controller = new AbortController();
      process.once('SIGINT', () => controller.abort());
      process.once('SIGTERM', () => controller.abort());
      return controller.signal;
    },
  };
}

/** Asked for when a command wants it: help needs none. @throws Ben10Error FS_NOT_FOUND */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new Ben10Error(
      'FS_NOT_FOUND',
      'the folder that this was started in is not there any more',
      {
        next: 'Go to one that is: cd',
        cause,
      },
    );
  }
}
