import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { headOfRepository } from '../../src/workspace/head.ts';
import { scratch } from '../support.ts';
import { git, put, repository } from './support.ts';

describe('the branch that is checked out', () => {
  const made = () => repository(path.join(scratch(), 'project'), { 'a.txt': 'a' });
  const branchOf = (dir: string) => headOfRepository(dir)?.branch;

  it('is read without a program, in the repository and in any folder of it', () => {
    const dir = made();
    put(dir, { 'src/deep/b.txt': 'b' });
    expect(branchOf(dir)).toBe('main');
    expect(headOfRepository(path.join(dir, 'src/deep'))).toEqual({ dir, branch: 'main' });
    git(dir, 'checkout', '-q', '-b', 'fix/retry');
    expect(branchOf(dir)).toBe('fix/retry');
    git(dir, 'checkout', '-q', '--detach');
    expect(branchOf(dir)).toMatch(/^detached at [0-9a-f]{9}$/);
  });

  it('of a worktree is its own', () => {
    const dir = made();
    git(dir, 'worktree', 'add', '-q', '-b', 'feature', 'trees/feature');
    expect(branchOf(path.join(dir, 'trees/feature'))).toBe('feature');
    expect(branchOf(dir)).toBe('main');
  });

  it('is not known where its files say nothing, something else, or more than they may', () => {
    const dir = made();
    const head = path.join(dir, '.git/HEAD');
    for (const text of [
      '',
      'ref: refs/heads/.invalid\n',
      'ref: refs/heads/a\nb',
      'x'.repeat(5000),
    ]) {
      writeFileSync(head, text);
      // Its name is known all the same: what changed in it is told.
      expect(headOfRepository(dir)).toEqual({ dir, branch: undefined });
    }
    const other = scratch();
    writeFileSync(path.join(other, '.git'), 'gitdir: /dev\n');
    expect(headOfRepository(other)).toEqual({ dir: other, branch: undefined });
    expect(headOfRepository(scratch())).toBeUndefined();
  });
});
