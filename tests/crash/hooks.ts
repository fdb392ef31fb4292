import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import type { Scene } from './scene.ts';

/** Of the hooks, this share is killed while they work. */
const KILLED_SHARE = 0.05;
/** The many would leave the few no time: their priority is lower by this. */
const NICE = 12;

/** One hook process after the other, as one agent makes them. */
export async function hookAfterHook(scene: Scene, slot: number): Promise<void> {
  for (let n = 0; !scene.isOver; n += 1) {
    const id = `hook-${slot}-${n}`;
    const killAfterMs = scene.random() < KILLED_SHARE ? scene.random() * 200 : undefined;
    const start = Date.now();
    if (await hook(scene, id, '', killAfterMs)) scene.waits.push(Date.now() - start);
    else scene.counts.killed += 1;
  }
}

/**
 * The hook of one tool call.
 * @param more stands in its command
 * @returns false when it was killed; otherwise what it got is acknowledged
 */
export async function hook(
  scene: Scene,
  id: string,
  more: string,
  killAfterMs?: number,
): Promise<boolean> {
  const child = spawn(process.execPath, [scene.program, 'hook', 'PreToolUse'], {
    env: scene.env,
  });
  if (more === '') setPriority(child.pid!, NICE);
  let said = '';
  const hear = (data: Buffer) => {
    said += String(data);
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  child.stdin.on('error', () => undefined); // it was killed before it had read everything
  child.stdin.end(JSON.stringify(scene.call(id, more)));
  if (killAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  const [code, signal] = await once(child, 'close');
  if (signal === 'SIGKILL' && killAfterMs !== undefined) return false;
  if (code !== 0) scene.violations.push(`hook ${id} ended with ${code ?? signal}`);
  if (said !== '') scene.violations.push(`hook ${id} said: ${said.slice(0, 200)}`);
  scene.acknowledged.add(id);
  return true;
}
