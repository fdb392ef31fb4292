import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { killServer } from '../mcp/processes.ts';
import type { Scene } from './scene.ts';

/** Of the calls, at this share the server is killed while it works, and started again. */
const KILLED_SHARE = 0.01;

/**
 * A real server that records, call after call, until the scene is over.
 * @returns `started` once it has recorded one, so that there is a journal
 */
export function serve(scene: Scene): { started: Promise<void>; goOn: () => Promise<void> } {
  let server: Server;
  const start = async () => {
    server = await connect(scene);
    await record(scene, server.client, 'first');
  };
  const goOn = async () => {
    for (let n = 0; !scene.isOver; n += 1) {
      const isLast = scene.random() < KILLED_SHARE;
      const killAfterMs = scene.random() * 20;
      const answer = record(scene, server.client, `served-${n}`, isLast);
      if (isLast) setTimeout(() => killServer(server.pid), killAfterMs);
      await answer;
      if (!isLast) continue;
      await server.gone;
      scene.counts.serversKilled += 1;
      server = await connect(scene);
    }
    await server.client.close();
  };
  return { started: start(), goOn };
}

interface Server {
  client: Client;
  pid: number;
  gone: Promise<void>;
}

async function connect(scene: Scene): Promise<Server> {
  const { env } = scene;
  const client = new Client({ name: 'stress', version: '1' });
  const command = {
    command: process.execPath,
    args: [scene.program, 'serve'],
    env,
    stderr: 'ignore' as const,
  };
  const transport = new StdioClientTransport(command);
  const gone = new Promise<void>((resolve) => {
    client.onclose = resolve;
  });
  await client.connect(transport);
  return { client, pid: transport.pid!, gone };
}

/** @param mayDie its answer need not come */
async function record(scene: Scene, client: Client, id: string, mayDie = false): Promise<void> {
  try {
    const call = { name: 'ben10_record', arguments: scene.call(id, '') };
    const answer = await client.callTool(call);
    if (answer.isError === true) scene.violations.push(`${id}: ${JSON.stringify(answer.content)}`);
    else scene.acknowledged.add(id);
    scene.counts.served += 1;
  } catch (error) {
    if (!mayDie) scene.violations.push(`${id}: ${String(error)}`);
  }
}
