import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { loadZstd } from '../platform/codecs/zstd-write.ts';
import type { Logger } from '../platform/logger.ts';
import { LOCK_BUDGET_MS, openProject } from '../project/open.ts';
import { archiveStored, storedStamp } from '../timetravel/snapshots/archive.ts';
import type { ServerContext } from './context.ts';

/** When nobody has asked anything for so long, there is time to pack, milliseconds. */
export const IDLE_MS = 20_000;
/** How often that is looked at meanwhile. */
const LOOKS = 4;
/** The argument by which the server's program does this instead of serving. */
export const ARCHIVE = 'archive';

export interface Archiving {
  /** Somebody has asked something. */
  busy(): void;
  stop(): void;
}

/**
 * Packs saves and snapshots while nobody asks anything, in a process of its own at the lowest priority: level 19 would be felt in
 * the server's answers, and what is unpacked for it must not stay in the memory of a process that lives on, for an erasure
 * reaches no further than that. Keeps no process alive, and costs a listing of two folders where nothing is new.
 * @param program the server's bundle
 */
export function startArchiving(
  context: ServerContext,
  program: string,
  idleMs: number = IDLE_MS,
): Archiving {
  let busyAt = Date.now();
  /** What is there that is packed, or was tried. */
  let done = '';
  let isRunning = false;
  const look = (): void => {
    if (context.settings.isReadOnly || isRunning || Date.now() - busyAt < idleMs) return;
    const found = stampOf(context);
    if (found === done) return;
    isRunning = true;
    const ended = () => {
      isRunning = false;
      done = stampOf(context);
    };
    try {
      archiveElsewhere(context, program, ended);
    } catch (error) {
      context.log.debug(`nothing was packed: ${(error as Error).message}`);
      ended();
    }
  };
  const timer = setInterval(look, idleMs / LOOKS).unref();
  return {
    busy() {
      busyAt = Date.now();
    },
    stop: () => clearInterval(timer),
  };
}

/** What cannot be looked at now has nothing to pack. */
function stampOf(context: ServerContext): string {
  try {
    return storedStamp(context.project);
  } catch (error) {
    context.log.debug(`what is stored cannot be looked at: ${(error as Error).message}`);
    return '';
  }
}

function archiveElsewhere(
  { project, settings, log }: ServerContext,
  program: string,
  ended: () => void,
): void {
  const { compressionLevel } = settings.config.context.compactionSnapshots;
  const args = [program, ARCHIVE, project.dir, String(compressionLevel)];
  const child = spawn(process.execPath, args, { stdio: 'ignore', windowsHide: true });
  child.unref();
  child.on('error', (error) => log.debug(`nothing was packed: ${error.message}`));
  child.on('close', (code) => {
    log.debug(`packing what is stored ended with ${code}`);
    ended();
  });
}

/** What the process does that `startArchiving` begins. Whatever goes wrong is tried again when something else was stored. */
export async function archiveHere(dir: string, level: number, log: Logger): Promise<void> {
  try {
    setPriority(constants.priority.PRIORITY_LOW);
    const project = openProject(dir, { lockBudgetMs: LOCK_BUDGET_MS });
    archiveStored(project, await loadZstd(), level);
    project.close();
  } catch (error) {
    log.debug(`packing what is stored failed: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}
