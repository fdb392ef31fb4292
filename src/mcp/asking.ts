import type { Server } from '@modelcontextprotocol/sdk/server/index.js';

/** The reply to a question: `unanswered` if the client could not show it, or nobody answered in time. */
export type Reply = 'accept' | 'decline' | 'cancel' | 'unanswered';

/** Asks the user to confirm something. @param over cancels the question */
export type Ask = (question: string, over?: AbortSignal) => Promise<Reply>;

const REPLY_WAIT_MS = 10 * 60 * 1000;

/**
 * Uses MCP elicitation, with a form without fields. Undefined if the client does not support it.
 * @param signal of the call that asks
 */
export function askerOf(server: Server, signal: AbortSignal): Ask | undefined {
  if (server.getClientCapabilities()?.elicitation?.form === undefined) return undefined;
  return async (message, over) => {
    try {
      const { action } = await server.elicitInput(
        { message, requestedSchema: { type: 'object', properties: {} } },
        { signal: AbortSignal.any(over ? [signal, over] : [signal]), timeout: REPLY_WAIT_MS },
      );
      return action;
    } catch {
      return 'unanswered';
    }
  };
}
