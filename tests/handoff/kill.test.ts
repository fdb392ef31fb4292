/** @module-tag long */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { hooked, runHook } from '../hook/run-hook.ts';
import { GIT_ENV } from '../packs/repository.ts';
import { scratch } from '../support.ts';
import { atWork, documentsIn, eventsOf, see } from './at-work.ts';
import { git } from './random-repository.ts';

beforeEach(() => {
  for (const [name, value] of Object.entries(GIT_ENV)) vi.stubEnv(name, value);
});

const PRELOAD = path.join(import.meta.dirname, 'killed.cjs');

/** Runs the hook of a turn's end, and kills it before its nth change. */
const killedAt = (dir: string, at: number, more: object = {}) =>
  runHook(
    dir,
    'Stop',
    { hook_event_name: 'Stop', session_id: 's', cwd: dir },
    {
      NODE_OPTIONS: `--require ${PRELOAD}`,
      KILLED_AT: String(at),
      ...more,
    },
  );

/** How many changes the hook makes. */
async function changes(isStaged: boolean): Promise<number> {
  const { dir } = dueAt(isStaged);
  const counted = path.join(scratch(), 'count');
  await killedAt(dir, -2, { KILLED_COUNT: counted });
  expect(documentsIn(dir)).toHaveLength(1);
  return Number(readFileSync(counted, 'utf8'));
}

function dueAt(isStaged: boolean) {
  const project = atWork();
  if (isStaged) git(project.dir, ['add', 'new.txt']);
  see(project.dir);
  return project;
}

async function checkKill(at: number, isStaged: boolean): Promise<void> {
  const project = dueAt(isStaged);
  const { dir } = project;
  const about = `before change ${at}, ${isStaged ? 'on a ref' : 'on the branch'}`;
  expect((await killedAt(dir, at)).code, about).toBe(null);
  // Work goes on.
  writeFileSync(path.join(dir, 'later.txt'), 'later\n');
  await hooked(dir, 'SessionStart', { source: 'startup', session_id: 's2' });
  await hooked(dir, 'Stop');
  expect(documentsIn(dir), about).toEqual([expect.stringMatching(/^[-0-9]+\.md$/)]);
  for (const type of ['checkpoint.begun', 'wip.committed', 'handoff.created'])
    expect(eventsOf(project, type), `${about}: ${type}`).toHaveLength(1);
  const [wip] = eventsOf(project, 'wip.committed');
  const commits = git(dir, ['log', '--all', '--format=%H', '--grep=^Ben10-Checkpoint: ']);
  expect(commits.trim(), about).toBe((wip!.data as { commit: string }).commit);
  const left = readdirSync(path.join(dir, '.git'), { recursive: true, encoding: 'utf8' });
  expect(
    left.filter((name) => /ben10-wip-|\.lock$/.test(name)),
    about,
  ).toEqual([]);
  const status = git(dir, ['status', '--porcelain', '--untracked-files=no']);
  expect(status, about).toBe(isStaged ? ' M a.txt\nA  new.txt\n' : '');
  git(dir, ['fsck', '--strict']);
}

describe('a checkpoint whose process is killed', () => {
  // All of them take three minutes.
  const step = process.env.BEN10_WHOLE === '1' ? 1 : 9;

  it('is finished once, by the next hook, before whichever of its changes', {
    timeout: 600_000,
  }, async () => {
    // The first hook of a build writes the code's cache, too.
    await changes(false);
    for (const isStaged of [false, true]) {
      const count = await changes(isStaged);
      expect(count).toBeGreaterThan(30);
      for (let at = 0; at <= count; at += step) await checkKill(at, isStaged);
    }
  });
});
