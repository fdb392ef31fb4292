import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { killServer } from '../mcp/processes.ts';
import { seeded } from '../seeded.ts';
import { scratch } from '../support.ts';

const DIST = new URL('../../dist/', import.meta.url).pathname;
export const SESSION = 'killed-and-started-again';
/** A real client's project: hooks are processes, tool calls go to a server, and both die by kill -9. */
export class Agent {
  readonly dir = scratch();
  readonly random: () => number;
  /** What a state must show from now on: each was acknowledged. */
  readonly promised: string[] = [];
  /** Of each save, what was promised before it. */
  readonly saves = new Map<string, string[]>();
  /** The instructions of each compaction whose snapshot was acknowledged. */
  readonly compactions: string[] = [];
  /** The last message of each turn whose end was acknowledged. */
  readonly turns: string[] = [];
  /** How many calls of Write were told of by their outcome's hook alone. */
  withoutCall = 0;
  /** How many hooks of each name were killed while they ran. */
  readonly killed = new Map<string, number>();
  /** The next hook of this name dies at any moment of its life, and all that runs beside it; undefined when it did. */
  aim: string | undefined;
  readonly #env: Record<string, string>;
  readonly #took = new Map<string, number>();
  #doomed = new Set<() => void>();

  constructor(seed: number) {
    this.random = seeded(seed);
    const { PATH = '' } = process.env;
    this.#env = { PATH, HOME: scratch(), CLAUDE_PROJECT_DIR: this.dir };
  }

  async server(): Promise<{ client: Client; gone: Promise<void> }> {
    const client = new Client({ name: 'restart', version: '1' });
    const args = [`${DIST}ben10.cjs`, 'serve'];
    const transport = new StdioClientTransport({
      command: process.execPath,
      args,
      cwd: this.dir,
      env: this.#env,
      stderr: 'ignore',
    });
    const gone = new Promise<void>((resolve) => {
      client.onclose = resolve;
    });
    await client.connect(transport);
    const { pid } = transport;
    const kill = () => killServer(pid!);
    this.#doomed.add(kill);
    void gone.then(() => this.#doomed.delete(kill));
    return { client, gone };
  }

  /**
   * @param name as `PostToolUse`, or `PostToolUse Write` to aim at
   * @returns whether it lived to acknowledge what it was given, and had nothing to complain of
   */
  async hook(name: string, fields: object): Promise<boolean> {
    const [event = ''] = name.split(' ');
    const began = performance.now();
    const child = spawn(process.execPath, [`${DIST}ben10.cjs`, 'hook', event], { env: this.#env });
    const kill = () => child.kill('SIGKILL');
    this.#doomed.add(kill);
    const aimed =
      this.aim === name
        ? setTimeout(() => this.#killAll(), this.random() * (this.#took.get(name) ?? 0))
        : undefined;
    let said = '';
    child.stderr.on('data', (data) => {
      said += data;
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(JSON.stringify(this.input(event, fields)));
    const [code, signal] = await once(child, 'close');
    clearTimeout(aimed);
    this.#doomed.delete(kill);
    if (signal !== null) this.killed.set(name, (this.killed.get(name) ?? 0) + 1);
    else this.#took.set(name, performance.now() - began);
    return code === 0 && said === '';
  }

  input(event: string, fields: object): Record<string, unknown> {
    const transcript_path = `${this.dir}/none.jsonl`;
    const of = { session_id: SESSION, transcript_path, cwd: this.dir, hook_event_name: event };
    return { ...of, ...fields };
  }

  /** One kill -9 for all that runs now. */
  #killAll(): void {
    this.aim = undefined;
    for (const kill of this.#doomed) kill();
    this.#doomed = new Set();
  }
}

/** All pages of a full restore, by a server that was just started. */
export async function restored(agent: Agent, args: object): Promise<string> {
  const { client } = await agent.server();
  let text = '';
  for (let cursor: string | undefined; ; ) {
    const answer = await client.callTool({
      name: 'ben10_restore',
      arguments: cursor === undefined ? { mode: 'full', ...args } : { cursor },
    });
    if (answer.isError === true) throw new Error(JSON.stringify(answer.content));
    const begin = text.length;
    text += (answer.content as { text: string }[]).map((one) => one.text).join('\n');
    [, cursor] = /^Page .* with cursor "([^"]+)"/.exec(text.slice(begin)) ?? [];
    if (cursor === undefined) break;
  }
  await client.close();
  return text;
}
