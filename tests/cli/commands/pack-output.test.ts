import { linkSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { folder } from '../../support.ts';
import { inMemory } from '../support.ts';

async function projectDir(): Promise<string> {
  const dir = folder({ 'a.txt': 'a\n', '.git/config': '[core]\n' });
  mkdirSync(path.join(dir, '.ben10'), { mode: 0o700 });
  expect((await inMemory(dir, ['pack', 'create', 'auth'])).code).toBe(0);
  expect((await inMemory(dir, ['pack', 'add', 'auth', 'a.txt'])).code).toBe(0);
  return dir;
}

describe.each(['render', 'export'])('the file of pack %s -o', (verb) => {
  const written = async (dir: string, file: string) =>
    await inMemory(dir, ['pack', verb, 'auth', '-o', file]);

  it('is none of the journal’s or of git’s, by a link neither', async () => {
    const dir = await projectDir();
    symlinkSync('.ben10', path.join(dir, 'linked'));
    symlinkSync('linked/journal/manifest', path.join(dir, 'deep.txt'));
    symlinkSync('.git/new', path.join(dir, 'dangling.txt'));
    const files = ['.ben10/journal/manifest', '.git/config'];
    const bytes = () => files.map((file) => readFileSync(path.join(dir, file)));
    const before = bytes();
    const through = ['linked/journal/manifest', 'deep.txt', 'dangling.txt'];
    for (const file of [...files, '.ben10/new', ...through]) {
      const { code, stderr } = await written(dir, file);
      expect(code).toBe(2);
      expect(stderr).toContain(`${file} is a place of the journal's or of git's`);
      expect(stderr).toContain('Give -o a file outside of .ben10 and .git.');
    }
    expect(bytes()).toEqual(before);
  });

  it('is none that has another name, which may be one of the journal’s', async () => {
    const dir = await projectDir();
    const manifest = path.join(dir, '.ben10/journal/manifest');
    const before = readFileSync(manifest);
    linkSync(manifest, path.join(dir, 'hard.txt'));
    const { code, stderr } = await written(dir, 'hard.txt');
    expect(code).toBe(2);
    expect(stderr).toContain('hard.txt has other names');
    expect(readFileSync(manifest)).toEqual(before);
  });

  it('is named if it cannot be written', async () => {
    const dir = await projectDir();
    mkdirSync(path.join(dir, 'folder'));
    for (const [file, expected] of [
      ['folder', 'FS_WRITE_ERROR'],
      ['/dev/full', 'FS_WRITE_ERROR'],
      ['/nonexist/x', 'FS_NOT_FOUND'],
      ['a.txt/x', 'FS_NOT_FOUND'],
    ] as const) {
      const { code, stderr } = await written(dir, file);
      expect(code).toBe(1);
      expect(stderr).toContain(`${file} cannot be written`);
      expect(stderr).toContain(expected);
      expect(stderr).not.toContain('journal');
    }
  });

  it('may be a new one, or a link to one', async () => {
    const dir = await projectDir();
    symlinkSync(`${verb}.real`, path.join(dir, `${verb}.txt`));
    expect((await written(dir, `${verb}.txt`)).code).toBe(0);
    expect(readFileSync(path.join(dir, `${verb}.real`), 'utf8')).toContain('a');
  });
});
