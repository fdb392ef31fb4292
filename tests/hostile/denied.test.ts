import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { cleanEnv, json, PROGRAM } from '../cli/support.ts';
import { runHook, toolCall } from '../hook/run-hook.ts';
import { prompt } from '../log/events.ts';
import { openTestProject, scratch } from '../support.ts';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

const as = (uid: number, dir: string, args: string[], input = '') =>
  spawnSync(process.execPath, [PROGRAM, ...args], {
    cwd: dir,
    env: cleanEnv('/nowhere', { CLAUDE_PROJECT_DIR: dir }),
    encoding: 'utf8',
    input,
    ...(isRoot ? { uid, gid: uid } : {}),
  });

/** A project of somebody who is not root: four segments of one event each, and one with a text beside the journal. */
async function project() {
  const dir = scratch();
  chmodSync(dir, 0o755);
  expect(await runHook(dir, 'PreToolUse', toolCall('t1'))).toMatchObject({ code: 0, stderr: '' });
  const { writer, reader, layout } = openTestProject(dir);
  for (const text of ['two', 'three', 'four']) {
    writer.rotate(0);
    writer.append([prompt(text)]);
  }
  writer.close();
  const large = { ...toolCall('t2'), tool_input: { command: 'word '.repeat(40_000) } };
  expect(await runHook(dir, 'PreToolUse', large)).toMatchObject({ code: 0, stderr: '' });
  const segments = reader.segments().map((file) => file.path);
  const names = readdirSync(dir, { recursive: true, encoding: 'utf8' });
  if (isRoot) for (const name of ['.', ...names]) chownSync(path.join(dir, name), NOBODY, NOBODY);
  return { dir, layout, segments };
}

interface Doctor {
  ok: boolean;
  findings: { check: string; verdict: string; what: string; mend?: string }[];
}

const doctor = (dir: string) => json<Doctor>(as(NOBODY, dir, ['doctor', '--json']));

describe.skipIf(process.platform === 'win32')('a file that its owner closed to itself', () => {
  it.each(['segment', 'folder', 'lock', 'manifest'])(
    'is opened again with chmod, and nobody is sent for sudo: %s',
    async (what) => {
      const { dir, layout, segments } = await project();
      const place = { folder: layout.inbox, lock: layout.lock, manifest: layout.manifest }[what];
      const closed = place ?? segments[1]!;
      chmodSync(closed, 0);
      const x = what === 'folder' ? 'x' : '';
      const mends = doctor(dir).findings.map(({ mend }) => mend ?? '');
      expect(mends.join('\n')).not.toContain('sudo');
      expect(mends).toContainEqual(expect.stringContaining(`chmod u+rw${x} ${closed}`));
    },
  );
});
