import type { ServerContext } from './context.ts';
import type { Renewal } from './renewing.ts';

/** How soon a server that nobody asks anything learns of what was erased, milliseconds. */
const FORGET_EVERY_MS = 1000;
/** How often it then looks for a moment at which nobody waits for it. */
const RENEW_EVERY_MS = 50;
/** When no such moment came for so long, it makes one, once a second, milliseconds. */
const URGENT_AFTER_MS = 2000;

/**
 * Looks again and again whether something was erased, and then has the server start anew, for its memory may hold it. Costs one
 * look at a file's times where nothing was erased. Keeps no process alive.
 * @returns stops it
 */
export function startForgetting(context: ServerContext, renewal: Renewal): () => void {
  let timer: NodeJS.Timeout;
  let isOver = false;
  /** Since when something is in memory that was erased, and can be got rid of. */
  let dueAt: number | undefined;
  const told = new Set<string>();
  // It may be so for hours.
  const tellOnce = (why: string) => {
    if (!told.has(why)) context.log.warn(why);
    told.add(why);
  };
  const look = async (): Promise<void> => {
    if (context.hasErased()) dueAt ??= Date.now();
    if (dueAt === undefined) return;
    await renewal.renew(isUrgent());
    if (renewal.refusal === undefined) return;
    dueAt = undefined;
    tellOnce(
      `what was erased may still be in the memory of this server, which cannot start anew: ${renewal.refusal}. Restart the client, or its connection to the MCP server ben10`,
    );
  };
  const isUrgent = () => dueAt !== undefined && Date.now() - dueAt > URGENT_AFTER_MS;
  const lookAgain = () => {
    const pause = dueAt === undefined || isUrgent() ? FORGET_EVERY_MS : RENEW_EVERY_MS;
    timer = setTimeout(async () => {
      try {
        await look();
      } catch (error) {
        tellOnce(`what was erased could not be forgotten: ${(error as Error).message}`);
      }
      if (!isOver) lookAgain();
    }, pause).unref();
  };
  lookAgain();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
