import { ServerNote } from '../status/servers.ts';
import type { ServerContext } from './context.ts';
import type { Worker } from './worker.ts';

/** How soon an idle server learns of an erasure, milliseconds. */
const LOOK_EVERY_MS = 1000;

/**
 * Drops what was read before an erasure: the worker process ends, and the journal is opened anew. Freed memory of this process may
 * still hold the text, which `status` reports by the note that is kept here. Keeps no process alive.
 * @returns stops it and removes the note
 */
export function startForgetting(context: ServerContext, worker: Worker): () => void {
  const note = new ServerNote(process.pid);
  const look = () => {
    try {
      if (!context.settings.isReadOnly) note.keep(context.project);
      if (!context.hasErased()) return;
      worker.retire();
      context.reopen();
    } catch (error) {
      context.log.debug(`erasures could not be looked for: ${(error as Error).message}`);
    }
  };
  look();
  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  return () => {
    clearInterval(timer);
    note.remove();
  };
}
