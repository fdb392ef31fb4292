import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { placeOf } from '../../src/platform/place.ts';
import { scratch } from '../support.ts';
import { git, repository } from '../workspace/support.ts';

describe('the worktree that work is done in', () => {
  it('is the project itself, in whichever of its folders', () => {
    const dir = repository(path.join(scratch(), 'p'), { 'src/a.txt': 'a' });
    for (const cwd of [undefined, dir, path.join(dir, 'src'), 'relative', '/', '/nowhere/at/all'])
      expect(placeOf(dir, cwd)).toEqual({ dir, worktree: '.' });
  });

  it('is a worktree of git’s, by its path in the project or, outside of it, by its own', () => {
    const root = scratch();
    const dir = repository(path.join(root, 'p'));
    git(dir, 'worktree', 'add', '-q', '-b', 'one', 'trees/one');
    git(dir, 'worktree', 'add', '-q', '-b', 'two', path.join(root, 'two'));
    mkdirSync(path.join(dir, 'trees/one/deep/er'), { recursive: true });
    const inside = { dir: path.join(dir, 'trees/one'), worktree: 'trees/one' };
    expect(placeOf(dir, path.join(dir, 'trees/one/deep/er'))).toEqual(inside);
    const outside = path.join(root, 'two');
    expect(placeOf(dir, outside)).toEqual({ dir: outside, worktree: outside });
    // However its folder is written, a worktree that is the project is no other one.
    expect(placeOf(`${outside}/`, outside).worktree).toBe('.');
  });

  it('is not a submodule, which is a part of its repository', () => {
    const root = scratch();
    repository(path.join(root, 'lib'));
    const dir = repository(path.join(root, 'p'));
    git(dir, 'submodule', 'add', '-q', path.join(root, 'lib'), 'lib');
    expect(placeOf(dir, path.join(dir, 'lib'))).toEqual({ dir, worktree: '.' });
  });
});
