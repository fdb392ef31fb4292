import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectAbove } from '../../src/platform/project-above.ts';
import { isNoProject, nativeFolder } from '../../src/platform/project-folder.ts';
import { scratch } from '../support.ts';

/** Folders and files below a new one; what ends in a slash is a folder. */
function tree(...names: string[]): string {
  const top = scratch();
  for (const name of names) {
    const at = path.join(top, name);
    mkdirSync(name.endsWith('/') ? at : path.dirname(at), { recursive: true });
    if (!name.endsWith('/')) writeFileSync(at, '');
  }
  return top;
}

describe('the folder that the client names', () => {
  it.each([
    ['/c/Users/me/shop', 'win32', 'c:/Users/me/shop'],
    ['/c/Users/me/shop', 'linux', '/c/Users/me/shop'],
    ['C:\\Users\\me', 'win32', 'C:\\Users\\me'],
    ['/cc/Users', 'win32', '/cc/Users'],
    ['//server/share', 'win32', '//server/share'],
  ] as const)('%s, on %s, is %s', (said, platform, native) => {
    expect(nativeFolder(said, platform)).toBe(native);
  });
});

describe('the project that a folder belongs to', () => {
  it('is the nearest one upwards that has a journal', () => {
    const top = tree('.ben10/', 'a/.ben10/', 'a/b/c/');
    expect(projectAbove(path.join(top, 'a/b/c'))).toBe(path.join(top, 'a'));
    expect(projectAbove(path.join(top, 'a'))).toBe(path.join(top, 'a'));
    expect(projectAbove(top)).toBe(top);
  });

  it.skipIf(process.platform === 'win32')('is found past a `.git` that cannot be looked at', () => {
    const top = tree('.ben10/journal/', 'repo/src/');
    symlinkSync('.git', path.join(top, 'repo/.git'));
    expect(projectAbove(path.join(top, 'repo/src'), '')).toBe(top);
  });

  it('is none beyond the top of its repository that a hook left there by mistake', () => {
    const top = tree('.ben10/journal/', 'repo/.git/', 'repo/src/');
    expect(projectAbove(path.join(top, 'repo/src'))).toBeUndefined();
    expect(projectAbove(path.join(top, 'repo'))).toBeUndefined();
  });

  it('is that of the repository that a worktree or a submodule is part of', () => {
    const top = tree('.git/', '.ben10/journal/', '.worktrees/one/.git', '.worktrees/one/src/');
    expect(projectAbove(path.join(top, '.worktrees/one/src'))).toBe(top);
  });

  it('is one beyond it that somebody set up, as for a repository inside of a project', () => {
    for (const settings of ['config.yaml', 'config.json']) {
      const top = tree(`.ben10/${settings}`, '.git/', 'vendor/lib/.git/', 'vendor/lib/src/');
      expect(projectAbove(path.join(top, 'vendor/lib/src'))).toBe(top);
    }
  });

  it('is its own repository’s, whether it was set up or not', () => {
    const top = tree('.ben10/config.yaml', 'repo/.git/', 'repo/.ben10/', 'repo/src/');
    expect(projectAbove(path.join(top, 'repo/src'))).toBe(path.join(top, 'repo'));
  });

  it('is the home folder only where somebody set that up', () => {
    const home = tree('.ben10/', 'work/');
    expect(projectAbove(path.join(home, 'work'), home)).toBeUndefined();
    expect(projectAbove(path.join(home, 'work'), `${home}/`)).toBeUndefined();
    // Whoever stands in it sees what is there.
    expect(projectAbove(home, home)).toBe(home);
    writeFileSync(path.join(home, '.ben10/config.yaml'), '');
    expect(projectAbove(path.join(home, 'work'), home)).toBe(home);
  });
});

describe('what is no project', () => {
  it('is the top of the file system and the home folder, where nobody set them up', () => {
    const home = tree('work/');
    expect(isNoProject(path.parse(home).root, home)).toBe(true);
    expect(isNoProject(home, home)).toBe(true);
    expect(isNoProject(`${home}/`, home)).toBe(true);
    expect(isNoProject(path.join(home, 'work'), home)).toBe(false);
    expect(isNoProject(home, '')).toBe(false);
    mkdirSync(path.join(home, '.ben10'));
    expect(isNoProject(home, home)).toBe(true);
    writeFileSync(path.join(home, '.ben10/config.json'), '{}');
    expect(isNoProject(home, home)).toBe(false);
  });
});
