/** @module-tag long */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ben10, here, json, lines } from '../cli/support.ts';
import { runHook, toolCall } from '../hook/run-hook.ts';
import { scratch, socketAt } from '../support.ts';
import {
  expectCivil,
  fullProject,
  oneOfEachClass,
  photograph,
  runCommands,
  runHooks,
} from './support.ts';

const isRoot = process.getuid?.() === 0;
if (!isRoot)
  process.stderr.write('NOT TESTED, for only root can set it up: a device in the lock’s place\n');

type Make = (file: string) => unknown;
const KINDS: Record<string, Make> = {
  'a pipe': (file) => execFileSync('mkfifo', ['-m', '600', file]),
  'a socket': socketAt,
};

const callsIn = async (dir: string) =>
  lines<{ type: string; data: { toolUseId?: string } }>(await here(dir, ['log', '--json']))
    .filter(({ type }) => type === 'tool.called')
    .map(({ data }) => data.toolUseId);

describe.runIf(process.platform === 'linux')('in place of a file of .ben10', () => {
  it.each(Object.entries(KINDS))('%s holds nobody up, and costs no event', async (kind, make) => {
    for (const name of oneOfEachClass(fullProject())) {
      const about = `${kind} at ${name}`;
      const dir = fullProject();
      const file = path.join(dir, '.ben10', name);
      rmSync(file);
      await make(file);
      const hooks = await runHooks(dir);
      expect(
        hooks.map(({ stderr }) => stderr),
        about,
      ).toEqual(['', '']);
      for (const one of [...hooks, ...(await runCommands(dir, ['verify', 'repair --yes']))]) {
        expectCivil(one, about);
        expect(one.stdout, about).not.toContain('INTERNAL');
      }
      expect((await callsIn(dir)).join(), about).toContain('hostile-');
    }
  });
});

/** All that can stand in the place of the lock; a link, and what it names. */
const IN_THE_WAY: Record<string, Make> = {
  ...KINDS,
  // What is read from it has no end.
  ...(isRoot && {
    'a device': (file) => execFileSync('mknod', ['-m', '600', file, 'c', '1', '5']),
  }),
  'a folder': (file) => mkdirSync(file),
  'a link to a file': (file) => symlinkSync(`${victims}/file`, file),
  'a link to a folder': (file) => symlinkSync(victims, file),
  'a link to nothing': (file) => symlinkSync(`${victims}/nothing`, file),
};
let victims = '';

describe.runIf(process.platform === 'linux')("in the lock's place", () => {
  it.each(Object.entries(IN_THE_WAY))(
    '%s keeps events waiting until it is gone',
    async (_, make) => {
      victims = scratch();
      writeFileSync(`${victims}/file`, 'of somebody');
      const before = photograph(victims);
      const dir = scratch();
      await runHook(dir, 'PreToolUse', toolCall('before'));
      const lock = path.join(dir, '.ben10/journal/lock');
      rmSync(lock);
      await make(lock);
      for (const id of ['while-1', 'while-2'])
        expect(await runHook(dir, 'PreToolUse', toolCall(id))).toMatchObject({
          code: 0,
          stderr: '',
        });
      expect(await callsIn(dir)).toEqual(['before', 'while-1', 'while-2']);
      expect(json(await here(dir, ['save', 'x', '--json']))).toMatchObject({
        error: {
          code: 'JOURNAL_UNSAFE',
          message: expect.stringContaining(lock),
          next: expect.stringMatching(/^(Move away what|Remove the link)/),
        },
      });
      const doctor = ben10(dir, ['doctor', '--json']).stdout;
      expect(doctor).toContain(`${lock} is not a file`);
      expect(photograph(victims)).toEqual(before);
      rmSync(lock, { recursive: true });
      expect(await runHook(dir, 'PreToolUse', toolCall('after'))).toMatchObject({ stderr: '' });
      expect(json(await here(dir, ['verify', '--json']))).toMatchObject({
        ok: true,
        events: 4,
        waiting: 0,
      });
      expect(await callsIn(dir)).toEqual(['before', 'while-1', 'while-2', 'after']);
    },
  );
});
