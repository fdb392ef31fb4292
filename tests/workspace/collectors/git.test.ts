import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { git as collector, parseStatus } from '../../../src/workspace/collectors/git.ts';
import { scratch } from '../../support.ts';
import { around, git, put, repository } from '../support.ts';

const collect = (dir: string) => collector.collect(around(dir));

describe('what git says of a project', () => {
  it('is the branch, what was changed, and the last commit of the repository at its root', async () => {
    const dir = repository(path.join(scratch(), 'project'), {
      'a.txt': 'a',
      'b.txt': 'b',
      'c d.txt': 'c',
    });
    put(dir, { 'a.txt': 'other', 'new.txt': 'n', 'staged.txt': 's' });
    git(dir, 'add', 'staged.txt');
    git(dir, 'rm', '-q', 'b.txt');
    expect(await collect(dir)).toEqual([
      {
        name: 'project',
        kind: 'repository',
        branch: 'main',
        ahead: 0,
        behind: 0,
        changes: '1M 1A 1D 1?',
        commit: expect.stringMatching(/^[0-9a-f]{7,} First one \(.* ago\)$/),
      },
    ]);
  });

  it('says how far it is ahead of and behind its upstream', async () => {
    const root = scratch();
    const origin = repository(path.join(root, 'origin'));
    git(root, 'clone', '-q', origin, 'clone');
    const clone = path.join(root, 'clone');
    put(origin, { 'x.txt': 'x' });
    git(origin, 'add', '-A');
    git(origin, 'commit', '-q', '-m', 'theirs');
    put(clone, { 'y.txt': 'y' });
    git(clone, 'add', '-A');
    git(clone, 'commit', '-q', '-m', 'ours');
    git(clone, 'commit', '-q', '--allow-empty', '-m', 'ours too');
    git(clone, 'fetch', '-q');
    expect(await collect(clone)).toMatchObject([{ ahead: 2, behind: 1, changes: '' }]);
  });

  it('is of every repository below a folder that is none', async () => {
    const root = scratch();
    repository(path.join(root, 'b/lib'));
    repository(path.join(root, 'a'));
    repository(path.join(root, 'node_modules/dep'));
    repository(path.join(root, '.hidden/dep'));
    const found = await collect(root);
    expect(found!.map(({ name }) => name)).toEqual(['a', 'b/lib']);
  });

  it('says of those below a folder which are worktrees, and has their submodules', async () => {
    const root = scratch();
    repository(path.join(root, 'lib'));
    const all = path.join(root, 'all');
    const dir = repository(path.join(all, 'api'));
    git(dir, 'submodule', 'add', '-q', path.join(root, 'lib'), 'vendor/lib');
    git(dir, 'worktree', 'add', '-q', '-b', 'feature', path.join(all, 'tree'));
    expect(await collect(all)).toMatchObject([
      { name: 'api', kind: 'repository' },
      { name: 'api/vendor/lib', kind: 'submodule' },
      { name: 'tree', kind: 'worktree', branch: 'feature' },
    ]);
  });

  it('includes submodules and the other worktrees', async () => {
    const root = scratch();
    repository(path.join(root, 'lib'));
    const dir = repository(path.join(root, 'project'));
    git(dir, 'submodule', 'add', '-q', path.join(root, 'lib'), 'vendor/lib');
    git(dir, 'worktree', 'add', '-q', '-b', 'feature', path.join(root, 'tree'));
    put(dir, { 'vendor/lib/a.txt': 'other' });
    expect(await collect(dir)).toMatchObject([
      { name: 'project', kind: 'repository', branch: 'main' },
      { name: 'vendor/lib', kind: 'submodule', branch: 'main', changes: '1M' },
      { name: 'tree', kind: 'worktree', branch: 'feature', changes: '' },
    ]);
  });

  it('is of the repository that the project is a folder of', async () => {
    const dir = repository(path.join(scratch(), 'mono'), { 'packages/one/a.txt': 'a' });
    expect(await collect(path.join(dir, 'packages/one'))).toMatchObject([
      { name: 'mono', branch: 'main' },
    ]);
  });

  it('knows a detached head, and a repository without a commit', async () => {
    const root = scratch();
    const dir = repository(path.join(root, 'a'));
    git(dir, 'checkout', '-q', '--detach');
    git(root, 'init', '-q', '-b', 'trunk', 'b');
    expect(await collect(root)).toMatchObject([
      { name: 'a', branch: expect.stringMatching(/^detached at [0-9a-f]{9}$/) },
      { name: 'b', branch: 'trunk', commit: '' },
    ]);
  });

  it('is nothing where there is no repository, where git is switched off, and unknown where git is missing', async () => {
    const root = scratch();
    expect(await collect(root)).toEqual([]);
    const dir = repository(path.join(root, 'a'));
    const off = around(dir);
    off.settings.git.enabled = false;
    expect(await collector.collect(off)).toEqual([]);
    expect(await collector.collect(around(dir, { env: { PATH: '/nonexistent' } }))).toBeUndefined();
  });

  it('starts no program that the repository names', async () => {
    const dir = repository(path.join(scratch(), 'a'));
    const trap = path.join(dir, 'trapped');
    git(dir, 'config', 'core.fsmonitor', `touch ${trap}; false`);
    await collect(dir);
    const found = await collect(dir);
    expect(found![0]!.changes).toBe('');
  });
});

it('conflicts, renames and changed types are read as git writes them', () => {
  const text = [
    '# branch.oid 0123456789abcdef',
    '# branch.head main',
    '# branch.upstream origin/main',
    '# branch.ab +3 -0',
    '1 .T N... 100644 100644 120000 a a link',
    '2 R. N... 100644 100644 100644 a a R100 new\told',
    'u UU N... 100644 100644 100644 100644 a a a conflict',
    '? untracked',
    '! ignored',
  ].join('\n');
  expect(parseStatus(text)).toEqual({
    branch: 'main',
    ahead: 3,
    behind: 0,
    changes: '1U 1M 1R 1?',
  });
});
