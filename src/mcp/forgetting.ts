import { ServerNote } from '../status/servers.ts';
import type { ServerContext } from './context.ts';
import type { Worker } from './worker.ts';

const LOOK_EVERY_MS = 1000;

/**
 * After an erasure, ends the worker process and reopens the journal. Freed memory of this process may still hold the text;
 * `status` reports that because of the note kept here.
 * @returns stops this and removes the note
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
      context.log.debug(`cannot check for erasures: ${(error as Error).message}`);
    }
  };
  look();
  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  return () => {
    clearInterval(timer);
    note.remove();
  };
}
