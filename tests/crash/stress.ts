import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FRAME_KIND } from '../../src/journal/format/format.ts';
import { layoutOf } from '../../src/journal/format/layout.ts';
import { JournalReader } from '../../src/journal/read/reader.ts';
import { ADDONS, decoders, realPorts } from '../ports.ts';
import { whereAre } from './canary.ts';
import { hookAfterHook } from './hooks.ts';
import { maintain } from './maintenance.ts';
import { OLD_EVENTS, RETENTION, recordOldEvents } from './old-events.ts';
import { Scene, type Stress, type StressTally } from './scene.ts';
import { serve } from './served.ts';

/** How long somebody has the lock and is stopped, milliseconds. */
const STOPPED_MS = 2000;
/**
 * Everybody at once: hooks, a server that records, compaction and erasure in loops, holders of the lock that are stopped,
 * and all of them killed at random. Real programs, as they are built.
 */
export async function stress(run: Stress): Promise<StressTally> {
  const scene = new Scene(run);
  // One of the compactions drops them, or some do, one after the other's death.
  recordOldEvents(scene.root);
  await scene.ben10(['config', 'set', 'retention.events', RETENTION]);
  const server = serve(scene);
  await server.started;
  const holder = await stoppedHolder(scene, run.lockHolder);
  scene.begin();
  const hooks = Array.from({ length: run.hooks }, (_, slot) => hookAfterHook(scene, slot));
  await Promise.all([
    stopHolders(scene, run.lockHolder, holder),
    server.goOn(),
    maintain(scene),
    ...hooks,
  ]);
  await reckon(scene);
  const waits = scene.waits.toSorted((a, b) => a - b);
  const at = (share: number): number => Math.round(waits[Math.floor(waits.length * share)] ?? 0);
  return {
    ...scene.counts,
    hooks: waits.length,
    acknowledged: scene.acknowledged.size,
    p50: at(0.5),
    p99: at(0.99),
    violations: scene.violations,
  };
}

/** Somebody who has the lock and is stopped; undefined when the lock was not free. */
async function stoppedHolder(scene: Scene, program: string): Promise<ChildProcess | undefined> {
  const { lock } = layoutOf(scene.root);
  const child = spawn(process.execPath, [program, lock, ADDONS], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: scene.env,
  });
  const [said] = await once(child.stdout, 'data');
  child.kill(String(said) === 'held\n' ? 'SIGSTOP' : 'SIGKILL');
  return String(said) === 'held\n' ? child : undefined;
}

/** @param first who has the lock already */
async function stopHolders(scene: Scene, program: string, first?: ChildProcess): Promise<void> {
  for (let holder = first; ; holder = await stoppedHolder(scene, program)) {
    if (holder !== undefined) {
      scene.counts.stopped += 1;
      await sleep(STOPPED_MS);
      const gone = once(holder, 'close');
      holder.kill('SIGKILL');
      await gone;
      await sleep(STOPPED_MS);
    }
    if (scene.isOver) return;
    await sleep(STOPPED_MS / 20);
  }
}

/**
 * When nobody writes any more: what was acknowledged and not erased is there once, nothing that was not sent, and nothing
 * that was erased.
 */
async function reckon(scene: Scene): Promise<void> {
  const log = await scene.ben10(['log', '--type', 'tool.called', '--json']);
  const found = new Map<string, number>();
  for (const line of log.stdout.split('\n').filter((one) => one !== '')) {
    const id = (JSON.parse(line) as { data: { toolUseId?: string } | null }).data?.toolUseId;
    if (id !== undefined) found.set(id, (found.get(id) ?? 0) + 1);
  }
  for (const id of scene.acknowledged)
    if (!found.has(id) && !scene.erased.has(id))
      scene.violations.push(`${id} was acknowledged and is lost`);
  for (const [id, times] of found) {
    if (times > 1) scene.violations.push(`${id} is there ${times} times`);
    if (!scene.attempted.has(id)) scene.violations.push(`${id} was never sent`);
    if (scene.erased.has(id)) scene.violations.push(`${id} was erased and is there`);
  }
  if (scene.counts.compactions > 0)
    for (const { entry } of new JournalReader(realPorts, scene.root, decoders).entries(
      1,
      OLD_EVENTS,
    ))
      if (entry?.kind !== FRAME_KIND.tombstone)
        scene.violations.push(`old event @${entry?.seq} was not dropped`);
  const { stdout } = await scene.ben10(['verify', '--json']);
  const { ok, damage } = JSON.parse(stdout) as { ok: boolean; damage: unknown[] };
  if (!ok) scene.violations.push(`verify: ${JSON.stringify(damage)}`);
  for (const where of whereAre(scene.canaries, scene.root))
    scene.violations.push(`erased and still in ${path.normalize(where)}`);
}
