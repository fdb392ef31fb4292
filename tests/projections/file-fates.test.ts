import { describe, expect, it } from 'vitest';
import { fatesOf } from '../../src/projections/file-fates.ts';

/** What became of these files, changed by the events 1 to 9, by commands that ran then. */
function fates(files: string[], ...commands: string[]): Record<string, string> {
  const told = fatesOf(
    commands.map((about, n) => ({ about, seq: 10 + n })),
    '/app',
  );
  return Object.fromEntries(
    files.map((file) => {
      const { path, isGone, isCommitted } = told(`/app/${file}`, 1);
      return [file, isGone ? 'gone' : `${path.slice(5)}${isCommitted ? ' committed' : ''}`];
    }),
  );
}

describe('a commit', () => {
  it('of some files leaves the others uncommitted', () => {
    const of = (...commands: string[]) => fates(['src/b.py', 'src/f.py'], ...commands);
    const expected = { 'src/b.py': 'src/b.py committed', 'src/f.py': 'src/f.py' };
    expect(of('git commit -qm "b is done" src/b.py')).toEqual(expected);
    expect(of('git commit -m b -- src/b.py')).toEqual(expected);
    expect(of('git add src/b.py && git commit -m "all of it"')).toEqual(expected);
    expect(of('cd src && git add b.py', 'git commit -m b')).toEqual(expected);
    expect(of('git -C src -c user.name=a commit -m b b.py')).toEqual(expected);
  });

  it('of all, or of nobody says what, has every file', () => {
    for (const one of ['git commit -am x', 'git add -A && git commit -m x', 'git commit -m x'])
      expect(fates(['src/b.py'], one)).toEqual({ 'src/b.py': 'src/b.py committed' });
    expect(fates(['src/b.py'], 'git add src', 'git commit')).toEqual({
      'src/b.py': 'src/b.py committed',
    });
  });

  it('has what it has, whatever its message says', () => {
    for (const message of [
      '"$(cat <<\'EOF\'\nBe exact\n\nrm src/b.py\nEOF\n)"',
      '"a; rm src/b.py && b"',
    ])
      expect(fates(['src/b.py'], `git commit -m ${message} 2>&1`)).toEqual({
        'src/b.py': 'src/b.py committed',
      });
  });

  it('is of what was changed before it', () => {
    const told = fatesOf([{ about: 'git commit -am x', seq: 5 }], '/app');
    expect(told('/app/a', 4).isCommitted).toBe(true);
    expect(told('/app/a', 6).isCommitted).toBe(false);
  });
});

describe('a file that a command', () => {
  it('deleted or took back is not in work', () => {
    for (const one of [
      'rm -f src/a.py',
      'git rm src/a.py',
      'git checkout -- src/a.py',
      'git checkout HEAD -- src',
      'git restore src/a.py',
      'git reset --hard',
    ])
      expect(fates(['src/a.py'], one), one).toEqual({ 'src/a.py': 'gone' });
  });

  it('moved is where it is now', () => {
    expect(fates(['src/d.py'], 'git mv src/d.py src/dd.py')).toEqual({ 'src/d.py': 'src/dd.py' });
    expect(fates(['src/d.py'], 'mv src/d.py lib/', 'git commit -am x')).toEqual({
      'src/d.py': 'lib/d.py committed',
    });
  });

  it('only named, switched the branch of, or took out of the index stays as it was', () => {
    for (const one of [
      'git checkout main',
      'git restore --staged src/a.py',
      'git rm --cached src/a.py',
      'cat src/a.py',
      'git diff src/a.py',
      'echo "rm src/a.py"',
    ])
      expect(fates(['src/a.py'], one), one).toEqual({ 'src/a.py': 'src/a.py' });
  });

  it('took back after it was committed has nothing open', () => {
    expect(fates(['a'], 'git commit -am x', 'git reset --hard')).toEqual({ a: 'a committed' });
  });
});
