import {
  chmodSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkFolder } from '../../src/doctor/folder.ts';
import { ben10, json } from '../cli/support.ts';
import { prompt } from '../log/events.ts';
import { openTestProject, scratch, withoutRoot } from '../support.ts';

const recorded = (): string => {
  const project = openTestProject();
  project.writer.append([prompt('hello')]);
  return project.root;
};

describe('the doctor looks at .ben10', () => {
  it('finds what ben10 made in order', () => {
    expect(checkFolder(recorded()).map(({ verdict }) => verdict)).toEqual(['ok', 'ok']);
  });

  it('says what to do when it is missing, a link or a file', () => {
    const dir = scratch();
    expect(checkFolder(path.join(dir, '.ben10'))).toMatchObject([
      { verdict: 'fail', mend: 'Run: ben10 init' },
    ]);
    mkdirSync(path.join(dir, 'elsewhere'));
    symlinkSync(path.join(dir, 'elsewhere'), path.join(dir, 'link'));
    expect(checkFolder(path.join(dir, 'link'))).toMatchObject([
      { verdict: 'fail', what: expect.stringContaining('a symbolic link') },
    ]);
    writeFileSync(path.join(dir, 'file'), '');
    expect(checkFolder(path.join(dir, 'file'))).toMatchObject([
      { verdict: 'fail', what: expect.stringContaining('not a folder') },
    ]);
  });

  it.skipIf(process.platform === 'win32')('names what others on the machine can reach', () => {
    const root = recorded();
    chmodSync(path.join(root, 'journal'), 0o755);
    const [, rights] = checkFolder(root);
    expect(rights).toMatchObject({
      verdict: 'warn',
      what: `other users can access ${root}/journal`,
      mend: expect.stringContaining(`chmod -R go-rwx ${root}`),
    });
    writeFileSync(path.join(root, 'current.ctx'), '', { mode: 0o644 });
    expect(checkFolder(root)[1]!.what).toMatch(/ and 1 more$/);
    expect(checkFolder(root, 'win32')).toHaveLength(1);
  });

  it.skipIf(process.platform === 'win32')('says when others could have put it there', () => {
    const root = recorded();
    chmodSync(path.join(root, 'journal/inbox'), 0o777);
    expect(checkFolder(root)).toMatchObject([
      { check: 'owner', verdict: 'fail', what: expect.stringContaining('inbox can be written to') },
    ]);
    chmodSync(path.join(root, 'journal/inbox'), 0o700);
    chmodSync(path.dirname(root), 0o777);
    expect(checkFolder(root).at(-1)).toMatchObject({ check: 'owner', verdict: 'warn' });
    chmodSync(path.dirname(root), 0o1777); // as /tmp is
    expect(checkFolder(root).map(({ verdict }) => verdict)).toEqual(['ok', 'ok']);
  });

  it('finds a link inside of it', () => {
    const root = recorded();
    symlinkSync('/etc/passwd', path.join(root, 'journal/inbox/x.evt'));
    expect(checkFolder(root)[1]).toMatchObject({
      verdict: 'fail',
      what: expect.stringContaining('x.evt is a symbolic link'),
    });
  });

  it('takes back into its place what its owner moved to another disk, and does not begin anew', () => {
    const root = recorded();
    const origin = readdirSync(path.join(root, 'journal')).find((name) => name.length === 32)!;
    const folder = path.join(root, 'journal', origin);
    const elsewhere = path.join(scratch(), 'moved');
    renameSync(folder, elsewhere);
    symlinkSync(elsewhere, folder);
    const advice =
      /^If you moved what it names, move that back to where the link is; if not, remove/;
    expect(checkFolder(root)[1]).toMatchObject({ mend: expect.stringMatching(advice) });
    for (const command of [['verify'], ['log'], ['repair'], ['repair', '--yes']]) {
      const { error } = json<{ error?: object }>(ben10(path.dirname(root), [...command, '--json']));
      expect(error, command.join(' ')).toMatchObject({
        code: 'JOURNAL_UNSAFE',
        next: expect.stringMatching(advice),
      });
    }
    expect(ben10(path.dirname(root), ['status'])).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/is a\s+symbolic\s+link/),
    });
    rmSync(folder);
    renameSync(elsewhere, folder);
    expect(ben10(path.dirname(root), ['verify']).status).toBe(0);
  });

  it('finds what is not ours to read and write', () => {
    const root = recorded();
    chmodSync(path.dirname(root), 0o755);
    chmodSync(path.join(root, 'journal'), 0o000);
    expect(withoutRoot(() => checkFolder(root))).toMatchObject([
      { verdict: 'fail', what: expect.stringContaining('cannot be read and written') },
    ]);
    chmodSync(path.join(root, 'journal'), 0o700);
  });
});
