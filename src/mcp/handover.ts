import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import type { ServerCounts } from './context.ts';
import type { Watched } from './subscriptions.ts';

/**
 * What a server's program leaves to the one that takes its place, so that the client's session goes on. Anybody who may look at
 * the process can read it, and a supervisor holds it: no text of the journal or of the client is in it.
 */
export interface Handover {
  /** The client can put a question to its user: all that counts here of what it said at its beginning. */
  canAsk: boolean;
  watched: Watched;
  /** Something was appended, which may have to be synced. */
  hasAppended: boolean;
  counts: ServerCounts;
}

const VARIABLE = 'BEN10_HANDOVER';

type Environment = Record<string, string | undefined>;

/**
 * The environment of the program that follows in the same process.
 * @param pid the process: whoever else finds this in its environment has inherited it by mistake
 */
export const handedOver = (env: Environment, pid: number, handover: Handover): Environment => ({
  ...env,
  [VARIABLE]: JSON.stringify({ pid, ...handover }),
});

/** What was left to this program by the one before it in its process, once: no process that it starts finds it. */
export function takeHandover(env: Environment, pid: number): Handover | undefined {
  const text = env[VARIABLE];
  delete env[VARIABLE];
  if (text === undefined) return undefined;
  try {
    const left = JSON.parse(text) as ({ pid: number } & Handover) | null;
    if (left?.pid !== pid) return undefined;
    const { pid: _, ...handover } = left;
    return handover;
  } catch {
    return undefined; // nobody's that knows this program
  }
}

/** Tells a server that is on no transport yet what the client told the program before it; the answer is nobody's. */
export async function introduce(server: Server, { canAsk }: Handover): Promise<void> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const answered = new Promise((resolve) => {
    far.onmessage = resolve;
  });
  await server.connect(near);
  await far.send({
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: {
      protocolVersion: LATEST_PROTOCOL_VERSION,
      capabilities: canAsk ? { elicitation: { form: {} } } : {},
      clientInfo: { name: '', version: '' },
    },
  });
  await answered;
  await server.close();
}
