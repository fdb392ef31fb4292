import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { tools } from '../../../src/workspace/collectors/tools.ts';
import { scratch } from '../../support.ts';
import { around, has, put } from '../support.ts';

describe('versions of languages', () => {
  it('are told of those that the project is written in', async () => {
    const dir = scratch();
    expect(await tools.collect(around(dir))).toEqual([]);
    put(dir, { 'package.json': '{}' });
    const { versions } = process;
    const found = await tools.collect(around(dir));
    expect(found).toEqual([{ name: 'node', version: expect.stringMatching(/^\d+\.\d+\.\d+/) }]);
    expect(found![0]!.version.split('.')).toHaveLength(versions.node.split('.').length);
  });

  it.skipIf(!has('python3'))('are asked of the real programs', async () => {
    const dir = scratch();
    put(dir, { 'pyproject.toml': '' });
    // What is on PATH may be a script that takes most of a second to find it.
    const where = ['-c', 'import sys; print(sys.executable)'];
    const real = execFileSync('python3', where, { encoding: 'utf8' }).trim();
    const env = { ...process.env, PATH: path.dirname(real) };
    expect(await tools.collect(around(dir, { env }))).toMatchObject([
      { name: 'python', version: expect.stringMatching(/^3\./) },
    ]);
  });

  it('are left out where the program is missing', async () => {
    const dir = scratch();
    put(dir, { 'package.json': '{}', 'go.mod': '' });
    expect(await tools.collect(around(dir, { env: { PATH: '/nonexistent' } }))).toEqual([]);
  });
});
