import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { JournalReader } from '../../src/journal/read/reader.ts';
import { decoders, realPorts } from '../ports.ts';
import { hook } from './hooks.ts';
import type { Scene } from './scene.ts';

/** Of compactions and erasures, these shares are killed, and stopped for a while, somewhere in their first second. */
const KILLED_SHARE = 0.25;
const STOPPED_SHARE = 0.15;
const FIRST_MS = 1000;
const STOPPED_MS = 2000;
/** An erasure that others, or its own death, keep from its end is tried again this often. */
const TRIES_MAX = 50;

/** Compaction in one loop, and erasure, by a text and by a seq in turn, in another. */
export async function maintain(scene: Scene): Promise<void> {
  await Promise.all([compactAll(scene), eraseAll(scene)]);
}

async function compactAll(scene: Scene): Promise<void> {
  while (!scene.isOver) if (await command(scene, ['compact'])) scene.counts.compactions += 1;
}

async function eraseAll(scene: Scene): Promise<void> {
  for (let n = 0; !scene.isOver; n += 1) {
    const id = `leak-${n}`;
    const canary = `canary-${n}-${Math.floor(scene.random() * 2 ** 32).toString(36)}-yranac`;
    await hook(scene, id, `--key ${canary}`);
    const seq = n % 2 === 0 ? undefined : await seqOf(scene, id);
    const how = seq === undefined ? ['erase', '--pattern', '-'] : ['erase', `@${seq}`];
    if (seq !== undefined) scene.erased.add(id);
    scene.canaries.push(canary);
    await untilDone(scene, [...how, '--yes'], seq === undefined ? canary : '');
    scene.counts.erasures += 1;
  }
}

async function untilDone(scene: Scene, args: readonly string[], given: string): Promise<void> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) if (await command(scene, args, given)) return;
  scene.violations.push(`${args.join(' ')} never came to its end`);
}

/** Undefined as long as it waits in the inbox. */
async function seqOf({ root }: Scene, id: string): Promise<number | undefined> {
  const isIt = Buffer.from(`echo ${id} `);
  for (let tries = 0; tries < 10; tries += 1) {
    for (const { entry } of new JournalReader(realPorts, root, decoders).entries())
      if (entry?.payload.includes(isIt) === true) return entry.seq;
    await sleep(300);
  }
  return undefined;
}

/**
 * A command that may be killed or stopped on its way.
 * @returns true when it came to its end and did it
 */
async function command(scene: Scene, args: readonly string[], given = ''): Promise<boolean> {
  const child = spawn(process.execPath, [scene.program, ...args], {
    cwd: scene.dir,
    env: scene.env,
  });
  let said = '';
  child.stdout.on('data', () => undefined);
  child.stderr.on('data', (data) => {
    said += String(data);
  });
  child.stdin.on('error', () => undefined); // it was killed before it had read it
  child.stdin.end(given);
  const gone = once(child, 'close');
  const timer = setTimeout(fateOf(scene, child), scene.random() * FIRST_MS);
  const [code, signal] = await gone;
  clearTimeout(timer);
  if (signal === 'SIGKILL') return false;
  if (code === 0) return true;
  // From one who is stopped the lock cannot be had.
  if (!said.includes('CONTEXT_LOCKED'))
    scene.violations.push(`${args.join(' ')} ended with ${code ?? signal}: ${said.slice(0, 400)}`);
  return false;
}

/** What happens to it; when all is over nothing does any more. */
function fateOf(scene: Scene, child: ChildProcess): () => void {
  const lot = scene.random();
  const resume = () => void child.kill('SIGCONT');
  return () => {
    if (scene.isOver) return;
    if (lot < KILLED_SHARE) {
      scene.counts.maintainersKilled += 1;
      child.kill('SIGKILL');
    } else if (lot < KILLED_SHARE + STOPPED_SHARE) {
      scene.counts.maintainersStopped += 1;
      child.kill('SIGSTOP');
      setTimeout(resume, STOPPED_MS);
    }
  };
}
