import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { treeOf } from '../../src/loop/tree.ts';
import { scratch } from '../support.ts';
import { Place } from './run-loop.ts';

describe('the tree of the work', () => {
  it('is the same until something in it changes, committed or not, and nothing is written to the repository', () => {
    const place = new Place([]);
    place.write({ '.gitignore': 'ignored\n' });
    const before = treeOf(place.dir);
    const objects = () => readdirSync(path.join(place.dir, '.git'), { recursive: true }).sort();
    const [had, index] = [objects(), place.git('ls-files', '--stage')];
    const trees = ['new.txt', 'work.txt', 'ignored'].map((name) => {
      writeFileSync(path.join(place.dir, name), 'changed');
      return treeOf(place.dir);
    });
    expect(new Set([before, ...trees]).size).toBe(3);
    expect(trees[2]).toBe(trees[1]);
    expect([objects(), place.git('ls-files', '--stage')]).toEqual([had, index]);
    place.git('add', '-A');
    place.git('commit', '-qm', 'all');
    expect(treeOf(place.dir)).toBe(trees[1]);
    expect(treeOf(place.dir)).toBe(place.git('rev-parse', 'HEAD^{tree}').trim());
  });

  it('is not changed by what ben10 writes, and is unknown without a repository', () => {
    const place = new Place([]);
    rmSync(path.join(place.dir, '.gitignore'));
    const before = treeOf(place.dir);
    mkdirSync(path.join(place.dir, '.claude/handoffs'), { recursive: true });
    place.write({ '.claude/handoffs/a.md': 'a', '.claude/ralph-state.json': '{}' });
    place.git('add', '-A');
    expect(treeOf(place.dir)).toBe(before);
    expect(treeOf(scratch())).toBeUndefined();
  });
});
