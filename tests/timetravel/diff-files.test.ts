import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Project } from '../../src/project/open.ts';
import { contentHash } from '../../src/projections/file-text.ts';
import { clear } from '../../src/timetravel/clear.ts';
import { ADDED_MAX, diffFiles, type FileDiff } from '../../src/timetravel/diff-files.ts';
import { ENTRIES_MAX } from '../../src/timetravel/disk-walk.ts';
import { FILE_BYTES_MAX } from '../../src/timetravel/file-on-disk.ts';
import { renderDiff } from '../../src/timetravel/render-diff.ts';
import { PATCH_BYTES_MAX } from '../../src/timetravel/unified.ts';
import { scratch } from '../support.ts';
import { ran, saw, tell } from '../tell.ts';
import { testProject } from './project.ts';

type Json = Record<string, unknown>;

/** Records file tools with outcomes as the client gives them, and leaves the disk to the test. */
class Agent {
  readonly project: Project = testProject();
  #calls = 0;

  path(name: string): string {
    return path.resolve(this.project.dir, name);
  }

  onDisk(name: string, content: string | Uint8Array): void {
    mkdirSync(path.dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), content);
  }

  call(name: string, input: Json, response: unknown): void {
    this.#calls += 1;
    const about = { at: this.#calls * 10 };
    tell(this.project, ...ran(`t${this.#calls}`, name, input, { response }, about));
  }

  write(name: string, content: string): void {
    const input = { file_path: this.path(name), content };
    this.call('Write', input, { type: 'create', filePath: this.path(name), content });
  }

  edit(name: string, [before, after]: [string, string], more: Json = {}, input: Json = {}): void {
    this.call(
      'Edit',
      { file_path: this.path(name), old_string: before, new_string: after, ...input },
      {
        filePath: this.path(name),
        oldString: before,
        newString: after,
        userModified: false,
        ...more,
      },
    );
  }

  read(name: string, content: string, more: Json = {}): void {
    const numLines = content.split('\n').length;
    const file = {
      filePath: this.path(name),
      content,
      startLine: 1,
      numLines,
      totalLines: numLines,
    };
    this.call('Read', { file_path: this.path(name) }, { type: 'text', file: { ...file, ...more } });
  }
}

const statusOf = (diff: FileDiff, agent: Agent, name: string): string | undefined =>
  diff.files.find((file) => file.path === agent.path(name))?.status;
const whyOf = (diff: FileDiff): string | undefined => diff.files[0]?.why;

describe('diffFiles', () => {
  test('a written file is unchanged, changed or deleted', () => {
    const agent = new Agent();
    for (const name of ['same.js', 'other.js', 'gone.js']) agent.write(name, 'const a = 1;\n');
    agent.onDisk('same.js', 'const a = 1;\n');
    agent.onDisk('other.js', 'const a = 2;\n');
    const diff = diffFiles(agent.project);
    expect(diff.files.map((file) => file.status)).toEqual(['unchanged', 'changed', 'deleted']);
    expect(diff).toMatchObject({
      kind: 'files',
      session: 's',
      counts: { unchanged: 1, changed: 1, deleted: 1, unknown: 0 },
    });
    expect(diff.files[1]).toEqual({
      path: agent.path('other.js'),
      status: 'changed',
      seq: 4,
      at: 20,
      disk: { hash: contentHash('const a = 2;\n'), bytes: 13, mtimeMs: expect.any(Number) },
    });
  });

  test('a file that the settings exclude is left out', () => {
    const agent = new Agent();
    for (const name of ['a.js', 'a.log']) agent.write(name, 'x');
    const excludedBy = (file: string) => (file.endsWith('.log') ? '*.log' : undefined);
    const project = Object.create(agent.project, { excludedBy: { value: excludedBy } });
    expect(diffFiles(project).files.map(({ path: file }) => file)).toEqual([agent.path('a.js')]);
  });

  test('an edited file is compared with what the edit made of it', () => {
    const agent = new Agent();
    agent.edit('a.js', ['one', 'two'], { originalFile: 'one, one\n' });
    agent.edit('b.js', ['one', 'two'], { originalFile: 'one, one\n' }, { replace_all: true });
    // Without the original it is known from what was seen before.
    agent.write('c.js', 'start\n');
    agent.edit('c.js', ['start', 'end$&']);
    agent.onDisk('a.js', 'two, one\n');
    agent.onDisk('b.js', 'two, two\n');
    agent.onDisk('c.js', 'end$&\n');
    expect(diffFiles(agent.project).counts).toMatchObject({ unchanged: 3 });
  });

  test('an edit that deletes takes the line end with it, as the client does', () => {
    const agent = new Agent();
    agent.edit('line.js', ['two', ''], { originalFile: 'one\ntwo\nthree\n' });
    agent.edit('within.js', ['wo', ''], { originalFile: 'two three\n' });
    agent.edit('all.js', ['a', ''], { originalFile: 'a\nb\na\n' }, { replace_all: true });
    agent.onDisk('line.js', 'one\nthree\n');
    agent.onDisk('within.js', 't three\n');
    agent.onDisk('all.js', 'b\n');
    expect(diffFiles(agent.project).counts).toMatchObject({ unchanged: 3, changed: 0 });
  });

  test('several edits at once are made one after the other', () => {
    const agent = new Agent();
    const edits = [
      { old_string: 'a', new_string: 'b' },
      { old_string: 'b', new_string: 'c' },
    ];
    const input = { file_path: agent.path('a.js'), edits };
    agent.call('MultiEdit', input, { originalFileContents: 'a\n', edits, userModified: false });
    agent.onDisk('a.js', 'c\n');
    expect(statusOf(diffFiles(agent.project), agent, 'a.js')).toBe('unchanged');
  });

  test('a file that was read whole is compared with what was read', () => {
    const agent = new Agent();
    agent.read('a.md', '# Title\n\ntext');
    agent.read('b.md', '# Title\n');
    agent.onDisk('a.md', '\ufeff# Title\r\n\r\ntext\r\n');
    agent.onDisk('b.md', '# Another title\n');
    const diff = diffFiles(agent.project);
    expect(statusOf(diff, agent, 'a.md')).toBe('unchanged');
    expect(statusOf(diff, agent, 'b.md')).toBe('changed');
  });

  test('a later look at a part takes nothing back of what was known', () => {
    const agent = new Agent();
    agent.write('a.md', '1\n2\n3\n');
    agent.read('a.md', '2', { startLine: 2, numLines: 1, totalLines: 4 });
    agent.onDisk('a.md', '1\n2\n3\n');
    expect(statusOf(diffFiles(agent.project), agent, 'a.md')).toBe('unchanged');
  });

  test('a text that was too large for its event is compared all the same', () => {
    const agent = new Agent();
    const large = 'line of a large file\n'.repeat(10_000);
    agent.write('large.txt', large);
    agent.onDisk('large.txt', large);
    expect(statusOf(diffFiles(agent.project), agent, 'large.txt')).toBe('unchanged');
    agent.onDisk('large.txt', `${large}!`);
    expect(statusOf(diffFiles(agent.project), agent, 'large.txt')).toBe('changed');
  });

  describe('is not known, and says why,', () => {
    test('when only a part was read', () => {
      const agent = new Agent();
      agent.onDisk('a.md', '1\n2\n3\n');
      agent.read('a.md', '2', { startLine: 2, numLines: 1, totalLines: 4 });
      expect(whyOf(diffFiles(agent.project))).toBe('only a part of it was ever read');
    });

    test('when the user corrected the edit', () => {
      const agent = new Agent();
      agent.onDisk('a.md', 'two\n');
      agent.edit('a.md', ['one', 'two'], { originalFile: 'one\n', userModified: true });
      expect(whyOf(diffFiles(agent.project))).toContain('the user changed the edit');
    });

    test('when a secret was left out', () => {
      const agent = new Agent();
      const content = `token = "ghp_${'a1B2'.repeat(9)}"\n`;
      agent.onDisk('a.env', content);
      agent.write('a.env', content);
      expect(whyOf(diffFiles(agent.project))).toBe('a secret in it was not recorded');
    });

    test('when the edit cannot be done again', () => {
      const agent = new Agent();
      agent.onDisk('a.md', 'x\n');
      agent.edit('a.md', ['“one”', 'two'], { originalFile: '"one"\n' });
      expect(whyOf(diffFiles(agent.project))).toContain('does not have what was in it');
    });

    test('when the tool does not say what it left', () => {
      const agent = new Agent();
      agent.onDisk('a.ipynb', '{}');
      agent.call('NotebookEdit', { notebook_path: agent.path('a.ipynb'), new_source: '1' }, {});
      expect(whyOf(diffFiles(agent.project))).toContain('does not have what was in it');
    });

    test('when it is no UTF-8 text, no file any more, or too large', () => {
      const agent = new Agent();
      for (const name of ['latin1.txt', 'folder', 'huge.txt']) agent.write(name, 'ä\n');
      agent.onDisk('latin1.txt', Buffer.from('ä\n', 'latin1'));
      mkdirSync(agent.path('folder'));
      agent.onDisk('huge.txt', '');
      truncateSync(agent.path('huge.txt'), FILE_BYTES_MAX + 1);
      const whys = diffFiles(agent.project).files.map((file) => file.why);
      expect(whys).toEqual([
        'it is not UTF-8 text',
        'it is not a file any more',
        `it is larger than ${FILE_BYTES_MAX} bytes`,
      ]);
      truncateSync(agent.path('huge.txt'), FILE_BYTES_MAX);
      expect(statusOf(diffFiles(agent.project), agent, 'huge.txt')).toBe('changed');
    });
  });

  describe('opens nothing outside of the project,', () => {
    const OUTSIDE = 'it is outside of the project';

    test.each(['/etc/passwd', '//server/share/file', '../other/file.js'])('not %s', (name) => {
      const agent = new Agent();
      agent.call('Write', { file_path: name, content: 'x' }, {});
      expect(diffFiles(agent.project).files).toMatchObject([{ status: 'unknown', why: OUTSIDE }]);
    });

    test('nor through a link', () => {
      const agent = new Agent();
      const elsewhere = scratch();
      writeFileSync(path.join(elsewhere, 'secret.txt'), 'x');
      symlinkSync(elsewhere, agent.path('linked'));
      agent.write('linked/secret.txt', 'x');
      expect(whyOf(diffFiles(agent.project))).toBe('a link leads outside of the project');
    });

    test('but a project that is itself reached through a link is inside', () => {
      const agent = new Agent();
      const link = path.join(scratch(), 'project');
      symlinkSync(agent.project.dir, link);
      const linked = testProject({ dir: link });
      agent.write('a.js', 'x\n');
      agent.onDisk('a.js', 'x\n');
      expect(diffFiles(linked).files).toMatchObject([{ status: 'unchanged' }]);
    });
  });

  test('a failed call changes nothing that is known', () => {
    const agent = new Agent();
    agent.write('a.js', 'x\n');
    agent.onDisk('a.js', 'x\n');
    const input = { file_path: agent.path('a.js'), content: 'y\n' };
    tell(agent.project, ...ran('f', 'Write', input, { error: 'denied' }, { at: 99 }));
    expect(statusOf(diffFiles(agent.project), agent, 'a.js')).toBe('unchanged');
  });

  test('of a session that has just begun is that of the one before it, unless it is asked for', () => {
    const agent = new Agent();
    agent.write('a.js', 'x\n');
    agent.onDisk('a.js', 'y\n');
    const data = { source: 'startup', worktree: agent.project.dir };
    tell(agent.project, saw('session.started', data, { session: 'next', at: 100 }));
    expect(diffFiles(agent.project)).toMatchObject({ session: 's', counts: { changed: 1 } });
    const asked = diffFiles(agent.project, { session: 'next' });
    expect(asked).toMatchObject({ session: 'next', counts: { changed: 0 } });
  });

  test('says so where a context was cleared and nothing was touched since', () => {
    const agent = new Agent();
    agent.write('a.js', 'x\n');
    const { seq } = clear(agent.project);
    const diff = diffFiles(agent.project);
    expect(diff).toMatchObject({ files: [], cleared: seq });
    expect(renderDiff(diff)).toBe(
      `No file is tracked: no file tool was used since the context was cleared (before that: @${seq}).`,
    );
  });

  test('without any session there is nothing to compare', () => {
    const diff = diffFiles(testProject());
    expect(diff).toMatchObject({ session: null, files: [] });
    expect(renderDiff(diff)).toBe('No file is tracked: no file tool was used yet.');
  });

  test('people read the differing files first, with the event that saw them last', () => {
    const agent = new Agent();
    for (const name of ['same.js', 'gone.js', 'other.js']) agent.write(name, 'x\n');
    agent.onDisk('same.js', 'x\n');
    agent.onDisk('other.js', 'y\n');
    rmSync(agent.path('gone.js'), { force: true });
    const text = renderDiff(diffFiles(agent.project));
    expect(text).toMatch(/^3 files of session s, .*: 1 changed, 1 deleted, 1 unchanged\n/);
    expect(text).toMatch(/\n {2}changed +\S+other\.js +last seen at @6/);
    expect(text.indexOf('other.js')).toBeLessThan(text.indexOf('gone.js'));
    expect(text).not.toContain('same.js');
  });
});

describe('what the journal never saw', () => {
  /** A session that has begun: its first call was at 10 ms after 1970, so that all files are younger. */
  const begun = () => {
    const agent = new Agent();
    agent.write('known.js', 'known\n');
    agent.onDisk('known.js', 'known\n');
    return agent;
  };
  const added = (agent: Agent) =>
    diffFiles(agent.project)
      .files.filter(({ status }) => status === 'added')
      .map((file) => path.relative(agent.project.dir, file.path))
      .sort();

  test('is added when it was created since the session began', () => {
    const agent = begun();
    agent.onDisk('src/deep/new.js', 'x');
    expect(added(agent)).toEqual(['src/deep/new.js']);
    expect(diffFiles(agent.project).counts).toMatchObject({ added: 1, unchanged: 1 });
  });

  test('is not added when it was there before', () => {
    const agent = new Agent();
    agent.onDisk('old.js', 'x');
    tell(agent.project, saw('prompt.submitted', { text: 'later' }, { at: Date.now() + 60_000 }));
    expect(added(agent)).toEqual([]);
  });

  test('is passed over where git or the settings say so, in every folder', () => {
    const agent = begun();
    agent.onDisk('.gitignore', 'build/\n*.tmp\n!keep.tmp\n');
    agent.onDisk('src/.gitignore', '*.gen.js\n!b.tmp\n');
    for (const name of ['build/out.js', 'a.tmp', 'keep.tmp', 'src/a.gen.js', 'src/b.tmp', 'b.tmp'])
      agent.onDisk(name, 'x');
    agent.onDisk('.git/config', 'x');
    agent.onDisk('lib/.git/config', 'x');
    expect(added(agent)).toEqual(['.gitignore', 'keep.tmp', 'src/.gitignore', 'src/b.tmp']);
    const excludedBy = (file: string) => (file.endsWith('.tmp') ? '*.tmp' : undefined);
    const project = Object.create(agent.project, { excludedBy: { value: excludedBy } });
    expect(diffFiles(project).counts.added).toBe(2);
  });

  test('is not looked for behind links', () => {
    const agent = begun();
    const elsewhere = scratch();
    writeFileSync(path.join(elsewhere, 'a.js'), 'x');
    symlinkSync(elsewhere, agent.path('linked'));
    symlinkSync(path.join(elsewhere, 'a.js'), agent.path('a.js'));
    symlinkSync('.', agent.path('round'));
    expect(added(agent)).toEqual([]);
  });

  test('is told to be binary', () => {
    const agent = begun();
    agent.onDisk('image.png', Buffer.from([0x89, 0x50, 0, 1]));
    agent.onDisk('known.js', Buffer.from([1, 0, 2]));
    const { files } = diffFiles(agent.project, { unified: true });
    expect(files).toMatchObject([
      { status: 'changed', binary: true, noPatch: 'it is a binary file' },
      { status: 'added', binary: true },
    ]);
    expect(renderDiff(diffFiles(agent.project))).toMatch(/added +\S*image\.png .*a binary file/);
  });

  test('may have any name, which is shown on one line without control characters', () => {
    const agent = begun();
    const hostile = ['-rf', ' ', '..x', 'a\nb', '\u001b[31mred', '*', '!x', '#x', 'x\\'];
    for (const name of hostile) writeFileSync(path.join(agent.project.dir, name), 'x');
    expect(added(agent)).toEqual([...hostile].sort());
    const text = renderDiff(diffFiles(agent.project));
    expect(text.split('\n')).toHaveLength(hostile.length + 1);
    expect(text).not.toContain('\u001b');
  });

  test('is looked for up to a limit, which is told when it is met', { tags: 'long' }, () => {
    const agent = begun();
    const many = agent.path('many');
    mkdirSync(many);
    for (let n = 0; n < ENTRIES_MAX; n += 1) writeFileSync(path.join(many, `f${n}`), '');
    agent.onDisk('top.js', 'x');
    const diff = diffFiles(agent.project);
    expect(diff.limits).toEqual([
      `${ENTRIES_MAX} files and folders were looked at`,
      `${ADDED_MAX} added files are listed`,
    ]);
    expect(diff.files.filter(({ status }) => status === 'added')).toHaveLength(ADDED_MAX);
    expect(diff.counts.added).toBeGreaterThan(ADDED_MAX);
    expect(renderDiff(diff)).toContain('The search stopped early: ');
  });

  test('takes no long time with a .gitignore that was made for that', () => {
    const agent = begun();
    agent.onDisk('.gitignore', `${'*a'.repeat(60)}*b\n`.repeat(300));
    for (let n = 0; n < 20; n += 1) agent.onDisk(`${'a'.repeat(200 + n)}`, 'x');
    const start = process.cpuUsage();
    expect(diffFiles(agent.project).counts.added).toBe(21);
    expect(process.cpuUsage(start).user).toBeLessThan(5_000_000);
  });
});

describe('a file that is gone', () => {
  test('was moved when another that no tool touched has the same content', () => {
    const agent = new Agent();
    for (const name of ['a.js', 'b.js', 'c.js']) agent.write(name, `text of ${name}\n`);
    agent.onDisk('lib/new-name.js', 'text of a.js\r\n');
    agent.onDisk('lib/b.js', 'text of b.js, and more\n');
    const diff = diffFiles(agent.project);
    expect(diff.counts).toMatchObject({ moved: 1, deleted: 2, added: 1 });
    expect(diff.files[0]).toEqual({
      path: agent.path('a.js'),
      status: 'moved',
      movedTo: agent.path('lib/new-name.js'),
      seq: 2,
      at: 10,
      disk: { hash: contentHash('text of a.js\n'), bytes: 13, mtimeMs: expect.any(Number) },
    });
    expect(renderDiff(diff)).toMatch(/moved +\S+a\.js +to \S+new-name\.js; last seen at @2/);
  });

  test('went where its name is, if there are several, and two never to the same', () => {
    const agent = new Agent();
    agent.write('one.js', 'same\n');
    agent.write('two.js', 'same\n');
    agent.onDisk('x/a.js', 'same\n');
    agent.onDisk('x/one.js', 'same\n');
    const to = diffFiles(agent.project).files.map((file) => file.movedTo);
    expect(to).toEqual([agent.path('x/one.js'), agent.path('x/a.js')]);
  });

  test('was not moved to a link, to an ignored file, nor when it was empty', () => {
    const agent = new Agent();
    const elsewhere = path.join(scratch(), 'a.js');
    writeFileSync(elsewhere, 'text\n');
    agent.write('a.js', 'text\n');
    agent.write('empty.js', '');
    symlinkSync(elsewhere, agent.path('b.js'));
    agent.onDisk('.gitignore', 'c.js\n');
    agent.onDisk('c.js', 'text\n');
    agent.onDisk('d.js', '');
    expect(diffFiles(agent.project).counts).toMatchObject({ moved: 0, deleted: 2 });
  });
});

describe('line by line', () => {
  const patchOf = (agent: Agent) => diffFiles(agent.project, { unified: true }).files[0]!;

  test('a changed file and a deleted one are unified diffs, as patch takes them', () => {
    const agent = new Agent();
    agent.write('a.js', '1\n2\n3\n');
    agent.write('b.js', 'gone\n');
    agent.onDisk('a.js', '1\nzwei\n3\n');
    const text = renderDiff(diffFiles(agent.project, { unified: true }));
    expect(text).toMatch(
      /\n--- a\/\S*a\.js\n\+\+\+ b\/\S*a\.js\n@@ -1,3 \+1,3 @@\n 1\n-2\n\+zwei\n 3/,
    );
    expect(text).toMatch(/\n--- a\/\S*b\.js\n\+\+\+ \/dev\/null\n@@ -1,1 \+0,0 @@\n-gone/);
    expect(renderDiff(diffFiles(agent.project))).not.toContain('@@');
  });

  test('is taken back by git: also a move, and names that cannot be shown', () => {
    const agent = new Agent();
    const { dir } = agent.project;
    const names = [
      'a b.js',
      'evil\u202egpj.js',
      'bell\u0007\u001b[31m.js',
      'tab\there.js',
      'ü "q".js',
    ];
    for (const name of names) {
      agent.write(`src/${name}`, '-- one\t\ntwo\n');
      agent.onDisk(`src/${name}`, 'two\nthree\n');
    }
    agent.write('src/gone.js', 'gone\n');
    agent.write('src/old name.js', 'moved\nas it was\n');
    agent.onDisk('src/new name.js', 'moved\nas it was\n');
    const diff = diffFiles(agent.project, { unified: true });
    const text = renderDiff(diff);
    expect(text).toMatch(/\nrename from src\/old name\.js\nrename to src\/new name\.js$/m);
    expect(text).toContain('--- "a/src/evil\\342\\200\\256gpj.js"');
    expect(text).toContain('/src/evil\\u{202e}gpj.js');
    expect(text).not.toMatch(/[\u0007\u001b\u202e]/);
    execFileSync('git', ['apply', '--whitespace=nowarn', '-R', '-'], {
      cwd: dir,
      input: `${text}\n`,
    });
    for (const name of names)
      expect(readFileSync(agent.path(`src/${name}`), 'utf8')).toBe('-- one\t\ntwo\n');
    expect(readFileSync(agent.path('src/gone.js'), 'utf8')).toBe('gone\n');
    expect(existsSync(agent.path('src/old name.js'))).toBe(true);
    expect(existsSync(agent.path('src/new name.js'))).toBe(false);
  });

  test('an empty file that was deleted is a patch as well, as git takes it', () => {
    const agent = new Agent();
    agent.write('src/empty.js', '');
    const { status, patch } = patchOf(agent);
    expect(status).toBe('deleted');
    execFileSync('git', ['apply', '-R', '-'], { cwd: agent.project.dir, input: patch });
    expect(readFileSync(agent.path('src/empty.js'), 'utf8')).toBe('');
  });

  test('says of a file that a link is in its place', () => {
    const agent = new Agent();
    agent.write('a.js', 'one\n');
    agent.onDisk('b.js', 'two\n');
    symlinkSync('b.js', agent.path('a.js'));
    expect(patchOf(agent)).toMatchObject({ status: 'changed', link: 'b.js' });
    expect(renderDiff(diffFiles(agent.project))).toMatch(/changed .*a\.js .*; a link to b\.js/);
  });

  test('shows no secret and no control character of the disk', () => {
    const agent = new Agent();
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    agent.write('a.js', 'one\n');
    agent.onDisk('a.js', `one\nconst token = "${secret}";\n\u001b[2Jcleared\n`);
    const { patch } = patchOf(agent);
    expect(patch).toContain('[REDACTED:');
    expect(patch).not.toContain(secret);
    expect(patch).not.toContain('\u001b');
    expect(patch).toContain('+cleared');
  });

  test('is left out, with the reason, where it would be too long', () => {
    const agent = new Agent();
    agent.write('a.js', 'one\n');
    agent.onDisk('a.js', 'another line\n'.repeat(10_000));
    expect(patchOf(agent).noPatch).toBe(`it is longer than ${PATCH_BYTES_MAX} bytes`);
    const text = renderDiff(diffFiles(agent.project, { unified: true }));
    expect(text).toMatch(/No unified diff of \S*a\.js: it is longer than/);
  });
});
