import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';
import { decodeEvent } from '../../src/events/decode.ts';
import type { JournalEvent } from '../../src/events/types.ts';
import { FRAME_KIND } from '../../src/journal/format/format.ts';
import type { Entry } from '../../src/journal/format/frame.ts';
import { JournalReader } from '../../src/journal/read/reader.ts';
import { ADDONS, decoders, realPorts, scratch } from '../support.ts';
import { killServer } from './processes.ts';

const HERE = path.dirname(fileURLToPath(import.meta.url));
/** How a client starts a server. */
export const SERVE = [path.join(HERE, '../../dist/ben10.cjs'), 'serve'];

/** No variable of the client that runs these tests reaches the server under test. */
const cleanEnv = (dir: string, more: Record<string, string> = {}): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: path.join(dir, 'no-home'),
  XDG_CONFIG_HOME: path.join(dir, 'no-config'),
  CLAUDE_PROJECT_DIR: dir,
  ...more,
});

export interface Connected {
  client: Client;
  dir: string;
  /** The process that the client started. */
  pid: number;
  stderr(): string;
}

/**
 * A server on a project, and the SDK's own client of it, which checks structured content against the tool's schema.
 * @param dir the project; a scratch folder by default
 * @param answer the user, when the client can ask one; by default it cannot
 */
export async function connect(
  dir: string = scratch(),
  env: Record<string, string> = {},
  answer?: (question: string, takenBack: AbortSignal) => ElicitResult | Promise<ElicitResult>,
): Promise<Connected> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: SERVE,
    cwd: dir,
    env: cleanEnv(dir, env),
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const capabilities = answer === undefined ? {} : { elicitation: {} };
  const client = new Client({ name: 'test', version: '1' }, { capabilities });
  if (answer !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }, { signal }) =>
      answer(params.message, signal),
    );
  }
  await client.connect(transport);
  onTestFinished(() => client.close());
  await client.listTools();
  return { client, dir, pid: transport.pid!, stderr: () => stderr };
}

export interface ToolAnswer {
  content: { type: string; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** Calls a tool and returns its answer. */
export const call = async (
  { client }: Pick<Connected, 'client'>,
  name: string,
  args: Record<string, unknown> = {},
): Promise<ToolAnswer> => (await client.callTool({ name, arguments: args })) as ToolAnswer;

/** The structured content of a tool's answer, which must be no error. */
export async function dataOf<T = Record<string, never>>(
  server: Pick<Connected, 'client'>,
  name: string,
  args: Record<string, unknown> = {},
): Promise<T> {
  const answer = await call(server, name, args);
  if (answer.isError || answer.structuredContent === undefined) {
    throw new Error(`${name}: ${answer.content[0]?.text}`);
  }
  return answer.structuredContent as T;
}

export const textOf = (answer: ToolAnswer): string =>
  answer.content.map((block) => block.text).join('\n');

/** The arguments of an `mcp_tool` hook, as the client fills them in: everything is text. */
export const hookArgs = (
  event: string,
  n: number | string,
  more: Record<string, unknown> = {},
): Record<string, unknown> => ({
  hook_event_name: event,
  session_id: '11111111-2222-4333-8444-555555555555',
  transcript_path: '/nowhere/transcript.jsonl',
  cwd: '/nowhere',
  prompt_id: 'p1',
  permission_mode: 'default',
  agent_id: '',
  agent_type: '',
  tool_name: 'Bash',
  tool_input: JSON.stringify({ command: `echo ${n}` }),
  tool_use_id: `toolu_${n}`,
  ...(event === 'PostToolUse'
    ? { tool_response: JSON.stringify({ stdout: `out ${n}`, stderr: '' }), duration_ms: '12' }
    : {}),
  ...more,
});

/** A server that is spoken to in lines, as they are. */
export interface RawServer {
  child: ChildProcess;
  dir: string;
  /** Everything that was written to stdout so far. */
  stdout(): string;
  stderr(): string;
  send(...messages: unknown[]): void;
  /** The answer to the request of that id. */
  answer(id: number | string): Promise<Record<string, unknown>>;
  /** Fulfilled with the exit code, or the signal's name. */
  ended: Promise<number | string | null>;
}

export function rawServer(
  dir: string,
  options: {
    env?: Record<string, string>;
    uid?: number;
    command?: readonly string[];
  } = {},
): RawServer {
  const child = spawn(process.execPath, options.command ?? SERVE, {
    cwd: dir,
    env: cleanEnv(dir, options.env),
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  });
  onTestFinished(async () => {
    killServer(child.pid!);
    await ended;
  });
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  let stdout = '';
  let stderr = '';
  const waiting = new Set<() => void>();
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    for (const wake of waiting) wake();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  child.stdin.on('error', () => {}); // killed in the middle of a write, in some tests
  const find = (id: number | string) =>
    linesOf(stdout).find((message) => message.id === id && !('method' in message));
  return {
    child,
    dir,
    stdout: () => stdout,
    stderr: () => stderr,
    send(...messages) {
      const lines = messages.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
      child.stdin.write(lines.map((line) => `${line}\n`).join(''));
    },
    answer: (id) =>
      new Promise((resolve) => {
        const wake = () => {
          const found = find(id);
          if (found === undefined) return;
          waiting.delete(wake);
          resolve(found);
        };
        waiting.add(wake);
        wake();
      }),
    ended,
  };
}

/** The whole lines of a stdout, each of which must be JSON. */
export const linesOf = (stdout: string): Record<string, unknown>[] =>
  stdout
    .slice(0, stdout.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 'init',
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
};

export const toolCall = (id: number | string, name: string, args: unknown): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

/** Every event of a project's journal and inbox, read without the server. */
export function eventsOf(dir: string): JournalEvent[] {
  const reader = new JournalReader(realPorts, path.join(dir, '.ben10'), decoders);
  const entries = [...reader.entries()].flatMap(({ entry }) =>
    entry === undefined ? [] : [entry],
  );
  const waiting = reader
    .inbox()
    .map((event) => ({ ...event, kind: FRAME_KIND.event, seq: 0 }) as unknown as Entry);
  return [...entries, ...waiting].flatMap((entry) => {
    const event = decodeEvent(entry);
    return event === undefined ? [] : [event];
  });
}

export const toolUseIds = (events: readonly JournalEvent[], type: string): string[] =>
  events
    .filter((event) => event.type === type)
    .map((event) => (event.data as { toolUseId: string }).toolUseId);

/** The file that is being appended to. */
export function activeSegment(dir: string): string {
  const journal = path.join(dir, '.ben10/journal');
  const origin = readdirSync(journal).find((name) => /^[0-9a-f]{32}$/.test(name))!;
  const names = readdirSync(path.join(journal, origin)).filter((name) => name.endsWith('.b10'));
  return path.join(journal, origin, names.sort().at(-1)!);
}

/** Another process that holds the lock of a project's journal. */
export async function holdLock(dir: string): Promise<{ release(): Promise<void> }> {
  const lockFile = path.join(dir, '.ben10/journal/lock');
  const child = spawn(process.execPath, [path.join(HERE, 'hold-lock.mjs'), ADDONS, lockFile], {
    stdio: 'pipe',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const died = once(child, 'close').then(([code, signal]) => {
    throw new Error(`the holder of the lock ended with ${code ?? signal}`);
  });
  await Promise.race([once(child.stdout, 'data'), died]);
  died.catch(() => {}); // from here on it ends when it is told to
  return {
    async release() {
      child.stdin.end();
      await once(child, 'close');
    },
  };
}
