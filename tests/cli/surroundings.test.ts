/** @module-tag long */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratch } from '../support.ts';
import { ben10, cleanEnv, json, PROGRAM, recordedProject } from './support.ts';

/** The program, started by a shell that has first done something to what is around it. */
function within(
  dir: string,
  first: string,
  args: readonly string[],
  flags: readonly string[] = [],
) {
  const program = [process.execPath, ...flags, PROGRAM, ...args];
  return spawnSync('bash', ['-c', `${first} && exec "$@"`, 'bash', ...program], {
    cwd: dir,
    env: cleanEnv(path.join(dir, 'no-home')),
    encoding: 'utf8',
  });
}

/** Whether this Node packs by itself. */
const hasOwnZstd = 'zstdCompressSync' in process.getBuiltinModule('node:zlib');

const NO_WASM: [what: string, first: string, flags: string[]][] = [
  ['it is switched off', 'true', ['--jitless']],
  ['there is no address space for it', 'ulimit -v 3000000', []],
];

describe.runIf(process.platform === 'linux').each(NO_WASM)(
  'without WebAssembly, for %s',
  (_, first, flags) => {
    const run = (dir: string, ...args: string[]) => within(dir, first, args, flags);

    it('what was recorded is read', () => {
      const dir = recordedProject();
      for (const command of ['log', 'verify', 'recall', 'replay', 'context'])
        expect(run(dir, command), command).toMatchObject({
          status: 0,
          stdout: expect.stringMatching(/./),
        });
    });

    it('what is to be erased goes', () => {
      const dir = recordedProject();
      const word = 'TestContext';
      expect(ben10(dir, ['log', '--json']).stdout).toContain(word);
      const erased = run(dir, 'erase', '--pattern', word, '--yes', '--json');
      expect(json(erased)).toMatchObject({ plan: { events: expect.anything() } });
      expect(ben10(dir, ['log', '--json']).stdout).not.toContain(word);
      expect(ben10(dir, ['verify']).status).toBe(0);
    });

    it.skipIf(hasOwnZstd)('what cannot be packed is said, and is no success', () => {
      const { status, stdout } = run(recordedProject(), 'compact', '--json');
      expect(status).toBe(1);
      expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'LIMIT_EXCEEDED' } });
    });
  },
);

describe.runIf(process.platform === 'linux')('with few open files allowed', () => {
  it('commands do what they can, or say what the limit is', () => {
    const dir = recordedProject();
    // So few that some programs cannot be started, or some files not be opened.
    const limits = [18, 19, 20, 21, 22, 24, 26].filter(
      (files) => within(dir, `ulimit -n ${files}`, ['version', '--json']).status === 0,
    );
    expect(limits.length).toBeGreaterThan(3);
    for (const files of limits)
      for (const args of [['context'], ['save'], ['log']]) {
        const { status, stderr } = within(dir, `ulimit -n ${files}`, args);
        expect([0, 1], `${files} ${args} ${stderr}`).toContain(status);
        expect(stderr, `${files} ${args}`).not.toMatch(/INTERNAL|^\s+at .*:\d+/m);
      }
  });
});

describe.skipIf(process.platform === 'win32')('in a folder that is not there any more', () => {
  const gone = (...args: string[]) => {
    const dir = path.join(scratch(), 'gone');
    mkdirSync(dir);
    const run = within(dir, `rmdir "${dir}"`, args);
    expect(() => rmdirSync(dir)).toThrow();
    return run;
  };

  it.each([['log'], ['status'], ['context'], ['verify'], ['scan', '.']])(
    '%s says so, without a stack',
    (...args) => {
      const { status, stderr } = gone(...args);
      expect(status).toBe(1);
      expect(stderr).toContain('the current folder no longer exists [FS_NOT_FOUND]');
      expect(stderr).not.toMatch(/^\s+at .*:\d+/m);
    },
  );

  it('help is given', () => {
    expect(gone('log', '--help')).toMatchObject({ status: 0, stderr: '' });
  });
});
