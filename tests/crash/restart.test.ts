import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it } from 'vitest';
import { seeded } from '../seeded.ts';
import { scratch } from '../support.ts';

const DIST = new URL('../../dist/', import.meta.url).pathname;
const SESSION = 'killed-and-started-again';
const ROUNDS = 6;
/** A round is over when its server is killed, milliseconds after its first answer. */
const ROUND_MS = 2500;
/** Of each kind and round: a state holds no more than the newest of them. */
const ROUND_EVENTS = 25;

/** A real client's project: hooks are processes, tool calls go to a server, and both die by kill -9 whenever it happens to be. */
class Agent {
  readonly dir = scratch();
  readonly random: () => number;
  /** What was acknowledged: prompts and commands, and of each save what was before it. */
  readonly prompts: string[] = [];
  readonly called: string[] = [];
  readonly succeeded: string[] = [];
  readonly saves = new Map<string, string[]>();
  killed = { hooks: 0, servers: 0 };
  readonly #env: Record<string, string>;
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
    const kill = () => process.kill(pid!, 'SIGKILL');
    this.#doomed.add(kill);
    void gone.then(() => this.#doomed.delete(kill));
    return { client, gone };
  }

  /** One kill -9 for all that runs now. */
  killAll(): void {
    for (const kill of this.#doomed) kill();
    this.#doomed = new Set();
  }

  /** @returns whether it lived to acknowledge what it was given */
  async hook(name: string, fields: object): Promise<boolean> {
    const child = spawn(process.execPath, [`${DIST}ben10.cjs`, 'hook', name], { env: this.#env });
    const kill = () => child.kill('SIGKILL');
    this.#doomed.add(kill);
    child.stdin.on('error', () => undefined);
    child.stdin.end(JSON.stringify(this.input(name, fields)));
    const [code, signal] = await once(child, 'close');
    this.#doomed.delete(kill);
    if (signal !== null) this.killed.hooks += 1;
    return code === 0;
  }

  input(name: string, fields: object): Record<string, unknown> {
    const transcript_path = `${this.dir}/none.jsonl`;
    return {
      session_id: SESSION,
      transcript_path,
      cwd: this.dir,
      hook_event_name: name,
      ...fields,
    };
  }
}

async function answers(client: Client, name: string, args: object): Promise<string | undefined> {
  try {
    const answer = await client.callTool({ name, arguments: { ...args } });
    if (answer.isError === true) throw new Error(JSON.stringify(answer.content));
    return (answer.content as { text: string }[]).map(({ text }) => text).join('\n');
  } catch (error) {
    if (/Connection closed|Not connected|EPIPE/.test(String(error))) return undefined;
    throw error;
  }
}

/** Prompts, calls and what came of them, by hooks and by the server, until all of it is killed. */
async function work(agent: Agent, round: number): Promise<void> {
  const { client, gone } = await agent.server();
  let isOver = false;
  setTimeout(() => {
    isOver = true;
    agent.killAll();
  }, agent.random() * ROUND_MS);
  const hooks = async () => {
    for (let n = 0; n < ROUND_EVENTS && !isOver; n += 1) {
      const prompt = `Please do part ${round}-${n} of it.`;
      if (await agent.hook('UserPromptSubmit', { prompt })) agent.prompts.push(prompt);
    }
  };
  const calls = async () => {
    for (let n = 0; n < ROUND_EVENTS; n += 1) {
      const command = `make part-${round}-${n}.o`;
      const call = { tool_name: 'Bash', tool_input: { command }, tool_use_id: `t-${round}-${n}` };
      const tool_response = { stdout: 'made', stderr: '', interrupted: false };
      const before = agent.input('PreToolUse', call);
      if ((await answers(client, 'ben10_record', before)) === undefined) return;
      agent.called.push(command);
      const after = agent.input('PostToolUse', { ...call, tool_response });
      if ((await answers(client, 'ben10_record', after)) === undefined) return;
      agent.succeeded.push(command);
      if (n % 5 !== 4) continue;
      const known = [...agent.succeeded];
      if ((await answers(client, 'ben10_save', { name: `s-${round}-${n}` })) === undefined) return;
      agent.saves.set(`s-${round}-${n}`, known);
    }
  };
  await Promise.all([hooks(), calls(), gone]);
  agent.killed.servers += 1;
}

/** All pages of a full restore, by a server that was just started. */
async function restored(agent: Agent, args: object): Promise<string> {
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

describe('after a kill -9 of hooks and server, whenever it came', () => {
  it('a server that is started again gives back a state with everything that was acknowledged', {
    timeout: 300_000,
  }, async () => {
    const seed = Number(process.env.BEN10_SEED ?? Date.now() % 1_000_000);
    const agent = new Agent(seed);
    expect(await agent.hook('SessionStart', { source: 'startup' })).toBe(true);
    const lost: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await work(agent, round);
      const state = await restored(agent, {});
      for (const prompt of agent.prompts) if (!state.includes(`user: ${prompt}`)) lost.push(prompt);
      for (const command of agent.called) if (!state.includes(`  ${command}\n`)) lost.push(command);
      for (const command of agent.succeeded)
        if (!state.includes(` ok  ${command}\n`)) lost.push(`${command}: its outcome`);
    }
    const [name, known] = [...agent.saves].at(-1) ?? [];
    const saved = name === undefined ? '' : await restored(agent, { name });
    for (const command of known ?? [])
      if (!saved.includes(` ok  ${command}\n`)) lost.push(`${command} in ${name}`);
    const { prompts, called, saves, killed } = agent;
    const tally = { prompts: prompts.length, calls: called.length, saves: saves.size, ...killed };
    process.stdout.write(`restart: ${JSON.stringify(tally)}, seed ${seed}\n`);
    expect(lost).toEqual([]);
    expect(killed).toEqual({ hooks: expect.any(Number), servers: ROUNDS });
    for (const many of [prompts.length, called.length, saves.size]) expect(many).toBeGreaterThan(0);
  });
});
