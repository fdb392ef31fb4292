import type { Server } from '@modelcontextprotocol/sdk/server/index.js';

/** What became of a question: `unanswered` when the client could not put it, or nobody answered in time. */
export type Reply = 'accept' | 'decline' | 'cancel' | 'unanswered';

/**
 * Asks the person at the client for a yes; absent where the client cannot ask.
 * @param over takes the question back: who asks is not there any more
 */
export type Ask = (question: string, over?: AbortSignal) => Promise<Reply>;

/** A person may be away from the screen for a while; a call must end all the same, milliseconds. */
export const REPLY_WAIT_MS = 10 * 60 * 1000;

/**
 * By the protocol's elicitation, as a form without fields: what is asked for is a yes.
 * @param signal of the call that asks: when the client gives it up, the question is over, too
 */
export function askerOf(server: Server, signal: AbortSignal): Ask | undefined {
  if (server.getClientCapabilities()?.elicitation?.form === undefined) return undefined;
  return async (message, over) => {
    try {
      const { action } = await server.elicitInput(
        { message, requestedSchema: { type: 'object', properties: {} } },
        {
          signal: over === undefined ? signal : AbortSignal.any([signal, over]),
          timeout: REPLY_WAIT_MS,
        },
      );
      return action;
    } catch {
      return 'unanswered';
    }
  };
}
