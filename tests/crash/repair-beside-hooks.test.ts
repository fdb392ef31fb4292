/** @module-tag long */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { segmentPath } from '../../src/journal/format/layout.ts';
import { ben10, cleanEnv, json, lines, PROGRAM } from '../cli/support.ts';
import { runHook, toolCall } from '../hook/run-hook.ts';
import { openTestProject, scratch } from '../support.ts';

const REPAIRS = 6;

/** Something for a repair to set aside: a file in the inbox that is none, and a segment that is none. */
function damage(dir: string, round: number): void {
  const { layout } = openTestProject(dir);
  const stamp = Date.now().toString(16).padStart(12, '0');
  const name = `${stamp}0000-${String(round).padStart(12, '0')}.evt`;
  writeFileSync(path.join(layout.inbox, name), 'no events', { mode: 0o600 });
  const origin = readdirSync(layout.journal).find((one) => /^[0-9a-f]{32}$/.test(one))!;
  writeFileSync(
    segmentPath(layout, origin, 1_000_000 * (round + 1), false),
    'no segment '.repeat(9),
  );
}

it('a repair beside hooks that append all the time loses and doubles none of their events', async () => {
  const dir = scratch();
  await runHook(dir, 'PreToolUse', toolCall('first'));
  const kept = ['first'];
  let isDone = false;
  const append = async (who: string): Promise<void> => {
    for (let n = 0; !isDone; n += 1) {
      const id = `${who}-${n}`;
      const run = await runHook(dir, 'PreToolUse', toolCall(id));
      expect(run).toMatchObject({ code: 0, stdout: '' });
      if (run.stderr === '') kept.push(id);
    }
  };
  const repair = async (): Promise<void> => {
    for (let round = 0; round < REPAIRS; round += 1) {
      damage(dir, round);
      const child = spawn(process.execPath, [PROGRAM, 'repair', '--yes'], {
        cwd: dir,
        env: cleanEnv(dir),
        stdio: 'ignore',
      });
      expect(await once(child, 'exit')).toEqual([0, null]);
    }
    isDone = true;
  };
  await Promise.all([append('a'), append('b'), repair()]);
  await runHook(dir, 'PreToolUse', toolCall('last'));
  const ids = lines<{ data: { toolUseId?: string } }>(ben10(dir, ['log', '--json']))
    .map(({ data }) => data.toolUseId)
    .filter((id) => id !== undefined);
  expect(kept.length).toBeGreaterThan(REPAIRS);
  expect(ids.sort()).toEqual([...kept, 'last'].sort());
  expect(json(ben10(dir, ['verify', '--json']))).toMatchObject({ ok: true, waiting: 0 });
});
