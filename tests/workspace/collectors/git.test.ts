import { existsSync, rmSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { statusOf } from '../../../src/platform/programs/git.ts';
import { type Run, runner } from '../../../src/platform/programs/run.ts';
import { git as collector, parseStatus } from '../../../src/workspace/collectors/git.ts';
import { workingFiles } from '../../../src/workspace/working-files.ts';
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

  it('is of the first twenty of them; of more only the branch is told', {
    tags: 'long',
  }, async () => {
    const root = scratch();
    const names = Array.from({ length: 24 }, (_, index) => `r${10 + index}`);
    for (const name of names) repository(path.join(root, name));
    // They are alike, and what git says of one is said of all: on a busy machine twenty take longer than they have.
    const said = new Map<string, ReturnType<Run>>();
    const asked = new Set<string>();
    const real = around(root);
    const run: Run = (program, args, cwd) => {
      asked.add(path.basename(cwd));
      const answer = said.get(`${args}`) ?? real.run(program, args, cwd);
      said.set(`${args}`, answer);
      return answer;
    };
    const found = await collector.collect({ ...real, run });
    expect(found!.map(({ name, branch, changes }) => [name, branch, changes])).toEqual(
      names.map((name, index) => [name, 'main', index < 20 ? '' : null]),
    );
    expect([...asked].sort()).toEqual(names.slice(0, 20));
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

  describe('starts no program that the repository names', () => {
    const trapIn = (root: string) => path.join(root, 'trapped');
    /** As after a checkout: git reads the files again, and finds them as they were. */
    const touch = (...files: string[]) => {
      for (const file of files) utimesSync(file, 1, 1);
    };

    it('for what changed', async () => {
      const root = scratch();
      const dir = repository(path.join(root, 'a'));
      git(dir, 'config', 'core.fsmonitor', `touch ${trapIn(root)}; false`);
      await collect(dir);
      const found = await collect(dir);
      expect(found![0]!.changes).toBe('');
      expect(existsSync(trapIn(root))).toBe(false);
    });

    it.each([
      ['config', 'clean'],
      ['config', 'process'],
      ['config --worktree', 'clean'],
    ])('to filter a file: %s %s', async (config, key) => {
      const root = scratch();
      const dir = repository(path.join(root, 'a'), { 'a.txt': 'a' });
      git(dir, 'config', 'extensions.worktreeConfig', 'true');
      git(dir, ...config.split(' '), `filter.B.c.${key}`, `touch ${trapIn(root)}; cat`);
      git(dir, 'config', 'filter.B.c.required', 'true');
      put(dir, { '.git/info/attributes': '* filter=B.c\n' });
      touch(path.join(dir, 'a.txt'));
      expect((await collect(dir))![0]!.changes).toBe('');
      expect(await workingFiles(dir, {})).toBeUndefined();
      expect(existsSync(trapIn(root))).toBe(false);
    });

    it('to filter a file, of a git that tells nobody where a setting is from', async () => {
      const root = scratch();
      const dir = repository(path.join(root, 'a'), { 'a.txt': 'a' });
      git(dir, 'config', 'filter.a.clean', `touch ${trapIn(root)}; cat`);
      put(dir, { '.git/info/attributes': '* filter=a\n' });
      touch(path.join(dir, 'a.txt'));
      const now = runner(new AbortController().signal);
      const before: Run = async (program, args, cwd) =>
        args.includes('--show-scope') ? undefined : now(program, args, cwd);
      expect(await statusOf(before, dir, '--porcelain')).toBe('');
      expect(existsSync(trapIn(root))).toBe(false);
    });

    it('to filter a file of a submodule that it tells of nowhere', async () => {
      const root = scratch();
      const dir = repository(path.join(root, 'a'));
      const lib = repository(path.join(dir, 'lib'), { 'a.txt': 'a' });
      git(dir, 'add', 'lib');
      git(dir, 'commit', '-q', '-m', 'lib');
      git(lib, 'config', 'filter.a.clean', `touch ${trapIn(root)}; cat`);
      put(lib, { '.git/info/attributes': '* filter=a\n' });
      touch(path.join(lib, 'a.txt'));
      expect((await collect(dir))![0]!.changes).toBe('');
      expect(existsSync(trapIn(root))).toBe(false);
    });

    it('and says nothing of changes where a filter has a name that cannot be switched off', async () => {
      const root = scratch();
      const dir = repository(path.join(root, 'a'), { 'a.txt': 'a' });
      git(dir, 'config', 'filter.a=b.clean', `touch ${trapIn(root)}; cat`);
      put(dir, { '.git/info/attributes': '* filter=a=b\n' });
      touch(path.join(dir, 'a.txt'));
      expect(await collect(dir)).toMatchObject([{ branch: 'main', changes: null }]);
      expect(existsSync(trapIn(root))).toBe(false);
    });

    it('to fetch what is not there', async () => {
      const root = scratch();
      const dir = repository(path.join(root, 'a'), { 'a.txt': 'a\n'.repeat(100) });
      const object = git(dir, 'rev-parse', 'HEAD:a.txt').trim();
      git(dir, 'mv', 'a.txt', 'b.txt');
      put(dir, { 'b.txt': 'a\n'.repeat(101) });
      git(dir, 'add', '-A');
      rmSync(path.join(dir, '.git/objects', object.slice(0, 2), object.slice(2)));
      for (const [key, value] of [
        ['core.repositoryFormatVersion', '1'],
        ['extensions.partialClone', 'x'],
        ['remote.x.promisor', 'true'],
        ['remote.x.url', repository(path.join(root, 'x'))],
        ['remote.x.uploadpack', `touch ${trapIn(root)}; false`],
      ] as const)
        git(dir, 'config', key, value);
      await collect(dir);
      expect(existsSync(trapIn(root))).toBe(false);
    });
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
