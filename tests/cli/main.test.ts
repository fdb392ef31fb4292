import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { scratch } from '../support.ts';
import { ben10, cleanEnv, PROGRAM, recordedProject } from './support.ts';

/** Runs the program with something for stdout that cannot be written. */
function withoutOutput(dir: string, args: readonly string[]) {
  const readOnly = openSync(devNull, 'r');
  try {
    return spawnSync(process.execPath, [PROGRAM, ...args], {
      cwd: dir,
      env: cleanEnv(path.join(dir, 'no-home')),
      stdio: ['ignore', readOnly, 'pipe'],
      encoding: 'utf8',
    });
  } finally {
    closeSync(readOnly);
  }
}

describe('output that cannot be written', () => {
  it.each([
    ['log', '--limit', '0'],
    ['status'],
    ['verify', '--json'],
    ['nonsense', '--json'],
    ['--help'],
  ])('is one line on stderr and exit code 1: %s %s', (...args) => {
    const { status, stderr } = withoutOutput(recordedProject(), args);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^ben10: the output cannot be written: .+ \[FS_WRITE_ERROR\]\n$/);
  });

  it('is no failure where the reader has seen enough', () => {
    const dir = recordedProject();
    const result = spawnSync(
      'bash',
      [
        '-c',
        `set -o pipefail; "${process.execPath}" "${PROGRAM}" log --limit 0 --json | head -c 1`,
      ],
      { cwd: dir, env: cleanEnv(dir), encoding: 'utf8' },
    );
    expect(result).toMatchObject({ status: 0, stdout: '{', stderr: '' });
  });
});

it('every command is in the program that users start', { tags: 'long' }, () => {
  for (const name of Object.keys(COMMANDS))
    expect(ben10(scratch(), [name, '--help'])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(`ben10 ${name}`),
      stderr: '',
    });
});
