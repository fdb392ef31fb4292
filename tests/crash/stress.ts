import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { layoutOf } from '../../src/journal/layout.ts';
import { ADDONS } from '../ports.ts';
import { seeded } from './seeded.ts';

const BEN10 = fileURLToPath(new URL('../../dist/ben10.cjs', import.meta.url));
const SERVER = fileURLToPath(new URL('../../dist/mcp.cjs', import.meta.url));
/** How long somebody has the lock and is stopped, milliseconds. */
const STOPPED_MS = 2000;
/** Of the hooks, this share is killed while they work. */
const KILLED_SHARE = 0.05;

export interface Stress {
  /** A project, empty. */
  dir: string;
  /** `lock-holder`, bundled. */
  lockHolder: string;
  /** Hook processes at once. */
  hooks: number;
  seconds: number;
  seed: number;
}

export interface StressTally {
  hooks: number;
  killed: number;
  /** Tool calls that the server took, through `ben10_record`. */
  served: number;
  compactions: number;
  stopped: number;
  acknowledged: number;
  /** Of the hooks that were not killed, milliseconds. */
  p50: number;
  p99: number;
  /** What must not be, as sentences. */
  violations: string[];
}

/** What all of them share: what was sent, what was acknowledged, and when to end. */
class Scene {
  readonly attempted = new Set<string>();
  readonly acknowledged = new Set<string>();
  readonly violations: string[] = [];
  readonly waits: number[] = [];
  readonly dir: string;
  readonly env: Record<string, string>;
  readonly #seconds: number;
  #end = 0;
  killed = 0;
  served = 0;
  compactions = 0;
  stopped = 0;

  constructor({ dir, seconds }: Stress) {
    this.dir = dir;
    this.#seconds = seconds;
    const { PATH = '' } = process.env;
    this.env = { PATH, HOME: dir, XDG_CONFIG_HOME: `${dir}/none`, CLAUDE_PROJECT_DIR: dir };
  }

  begin(): void {
    this.#end = Date.now() + this.#seconds * 1000;
  }

  get isOver(): boolean {
    return Date.now() >= this.#end;
  }

  call(id: string): Record<string, unknown> {
    this.attempted.add(id);
    return {
      session_id: 'stress',
      transcript_path: `${this.dir}/none.jsonl`,
      cwd: this.dir,
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: `echo ${id} ${'y'.repeat(id.length * 97)}` },
      tool_use_id: id,
    };
  }
}

/**
 * Everybody at once: hooks, a server that records, compaction in a loop, holders of the lock that are stopped, and hooks
 * that are killed. Real programs, as they are built.
 */
export async function stress(run: Stress): Promise<StressTally> {
  const scene = new Scene(run);
  const random = seeded(run.seed);
  const server = await startServer(scene);
  const holder = await stoppedHolder(scene, run.lockHolder);
  scene.begin();
  const hooks = Array.from({ length: run.hooks }, (_, slot) => hookAfterHook(scene, slot, random));
  await Promise.all([
    stopHolders(scene, run.lockHolder, holder),
    serve(scene, server),
    compact(scene),
    ...hooks,
  ]);
  await reckon(scene);
  const waits = scene.waits.toSorted((a, b) => a - b);
  const at = (share: number): number => Math.round(waits[Math.floor(waits.length * share)] ?? 0);
  return {
    hooks: waits.length,
    killed: scene.killed,
    served: scene.served,
    compactions: scene.compactions,
    stopped: scene.stopped,
    acknowledged: scene.acknowledged.size,
    p50: at(0.5),
    p99: at(0.99),
    violations: scene.violations,
  };
}

async function hookAfterHook(scene: Scene, slot: number, random: () => number): Promise<void> {
  for (let n = 0; !scene.isOver; n += 1) {
    const id = `hook-${slot}-${n}`;
    const start = Date.now();
    const child = spawn(process.execPath, [BEN10, 'hook', 'PreToolUse'], { env: scene.env });
    let said = '';
    child.stdout.on('data', (data) => {
      said += String(data);
    });
    child.stderr.on('data', (data) => {
      said += String(data);
    });
    child.stdin.on('error', () => undefined); // it was killed before it had read everything
    child.stdin.end(JSON.stringify(scene.call(id)));
    if (random() < KILLED_SHARE) setTimeout(() => child.kill('SIGKILL'), random() * 200);
    const [code, signal] = await once(child, 'close');
    if (signal === 'SIGKILL') {
      scene.killed += 1;
      continue;
    }
    scene.waits.push(Date.now() - start);
    if (code !== 0) scene.violations.push(`hook ${id} ended with ${code}`);
    if (said !== '') scene.violations.push(`hook ${id} said: ${said.slice(0, 200)}`);
    scene.acknowledged.add(id);
  }
}

/** A server that has recorded one call, so that there is a journal. */
async function startServer(scene: Scene): Promise<Client> {
  const client = new Client({ name: 'stress', version: '1' });
  const { env } = scene;
  const command = { command: process.execPath, args: [SERVER], env, stderr: 'ignore' as const };
  await client.connect(new StdioClientTransport(command));
  await record(scene, client, 'first');
  return client;
}

async function serve(scene: Scene, client: Client): Promise<void> {
  for (; !scene.isOver; scene.served += 1) await record(scene, client, `served-${scene.served}`);
  await client.close();
}

async function record(scene: Scene, client: Client, id: string): Promise<void> {
  const answer = await client.callTool({ name: 'ben10_record', arguments: scene.call(id) });
  if (answer.isError === true) scene.violations.push(`${id}: ${JSON.stringify(answer.content)}`);
  else scene.acknowledged.add(id);
}

const run = promisify(execFile);
const ben10 = (scene: Scene, ...args: string[]): Promise<{ stdout: string; stderr: string }> =>
  run(process.execPath, [BEN10, ...args], {
    cwd: scene.dir,
    env: scene.env,
    maxBuffer: 2 ** 30,
  });

async function compact(scene: Scene): Promise<void> {
  while (!scene.isOver) {
    try {
      await ben10(scene, 'compact', '--json');
      scene.compactions += 1;
    } catch (error) {
      const { stderr = String(error) } = error as { stderr?: string };
      // From one who is stopped the lock cannot be had.
      if (!stderr.includes('CONTEXT_LOCKED')) scene.violations.push(stderr);
    }
  }
}

/** Somebody who has the lock and is stopped; undefined when the lock was not free. */
async function stoppedHolder(scene: Scene, program: string): Promise<ChildProcess | undefined> {
  const { lock } = layoutOf(path.join(scene.dir, '.ben10'));
  const child = spawn(process.execPath, [program, lock, ADDONS], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [said] = await once(child.stdout, 'data');
  child.kill(String(said) === 'held\n' ? 'SIGSTOP' : 'SIGKILL');
  return String(said) === 'held\n' ? child : undefined;
}

/** @param first who has the lock already */
async function stopHolders(scene: Scene, program: string, first?: ChildProcess): Promise<void> {
  for (let holder = first; ; holder = await stoppedHolder(scene, program)) {
    if (holder !== undefined) {
      scene.stopped += 1;
      await sleep(STOPPED_MS);
      const gone = once(holder, 'close');
      holder.kill('SIGKILL');
      await gone;
    }
    if (scene.isOver) return;
    await sleep(STOPPED_MS / 4);
  }
}

/** When nobody writes any more: what was acknowledged is there once, and nothing that was not sent. */
async function reckon(scene: Scene): Promise<void> {
  const log = await ben10(scene, 'log', '--type', 'tool.called', '--json');
  const found = new Map<string, number>();
  for (const line of log.stdout.split('\n').filter((one) => one !== '')) {
    const { data } = JSON.parse(line) as { data: { toolUseId: string } };
    found.set(data.toolUseId, (found.get(data.toolUseId) ?? 0) + 1);
  }
  for (const id of scene.acknowledged)
    if (!found.has(id)) scene.violations.push(`${id} was acknowledged and is lost`);
  for (const [id, times] of found) {
    if (times > 1) scene.violations.push(`${id} is there ${times} times`);
    if (!scene.attempted.has(id)) scene.violations.push(`${id} was never sent`);
  }
  const { stdout } = await ben10(scene, 'verify', '--json');
  const { ok, damage } = JSON.parse(stdout) as { ok: boolean; damage: unknown[] };
  if (!ok) scene.violations.push(`verify: ${JSON.stringify(damage)}`);
}
