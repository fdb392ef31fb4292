import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { addSources, createPack } from '../../../src/packs/change.ts';
import { commitsOf } from '../../../src/packs/use/commits.ts';
import { Imports } from '../../../src/packs/use/imports.ts';
import { pathsAsked, suggest } from '../../../src/packs/use/suggest.ts';
import { ran, saw, tell } from '../../tell.ts';
import { testProject } from '../../timetravel/project.ts';
import { commitIn, gitIn, repository } from '../repository.ts';
import { turn } from './planted.ts';

const FILES = {
  'src/session.ts': "import { keys } from './keys.js';\nexport const a = keys;\n",
  'src/keys.ts': 'export const keys = 1;\n',
  'src/session.test.ts': "import { a } from './session.ts';\n",
  'docs/old.md': 'old\n',
  '.env': 'TOKEN=1\n',
};

const suggested = async (dir: string, ...files: string[]) =>
  suggest(testProject({ dir }), new Set(files), { limit: 10 });

describe('suggestions', () => {
  it('cite turns, imports and commits with their exact counts', async () => {
    const dir = repository(FILES);
    for (const n of [1, 2])
      commitIn(dir, {
        'src/session.ts': `${FILES['src/session.ts']}// ${n}\n`,
        'src/keys.ts': `// ${n}\n`,
      });
    const project = testProject({ dir });
    for (let n = 0; n < 4; n += 1)
      turn(project, `s${n}`, 'read docs/old.md', 'edit src/session.ts', 'edit src/keys.ts');
    turn(project, 's0', 'edit src/session.ts');
    const [first, ...rest] = await suggested(dir, 'src/session.ts');
    expect(first).toMatchObject({
      file: 'src/keys.ts',
      tokens: 2,
      why: {
        edited: { with: 'src/session.ts', turns: 4, of: 5 },
        commits: 3,
        importedBy: 1,
        imports: 0,
        beside: 1,
        missed: 0,
      },
    });
    expect(first!.why.edited!.seqs).toHaveLength(4);
    expect(first!.score).toBeGreaterThan(rest[0]!.score);
    expect(first!.score).toBeLessThan(1);
    const why = new Map(rest.map((one) => [one.file, one.why]));
    expect(why.get('docs/old.md')).toMatchObject({ readBefore: 4, opened: 4, commits: 1 });
    expect(why.get('src/session.test.ts')).toMatchObject({ imports: 1, importedBy: 0, commits: 1 });
  });

  it('leave out what is denied, generated, ignored, gone, outside, or in the pack', async () => {
    const dir = repository({ ...FILES, '.gitignore': 'out/\n', 'package-lock.json': '{}\n' });
    commitIn(dir, { 'out/made.ts': '1\n', '.env': 'TOKEN=2\n', 'src/session.ts': '2\n' });
    const project = testProject({ dir });
    const touched = ['.env', 'out/made.ts', 'src/gone.ts', '../away.ts', 'package-lock.json'];
    turn(project, 's', 'edit src/session.ts', ...touched.map((file) => `edit ${file}`));
    const files = (await suggested(dir, 'src/session.ts')).map(({ file }) => file);
    expect(files).toEqual(expect.arrayContaining(['src/keys.ts', 'src/session.test.ts']));
    for (const file of [...touched, 'away.ts', 'src/session.ts']) expect(files).not.toContain(file);
  });

  it('follow what sessions of the pack name, in their words, commands and answers, the newest most', async () => {
    const files = ['src/a.ts', 'src/asked.ts', 'src/told.ts', 'src/found [x].ts', 'src/ran.ts'];
    const others = ['other/own.ts', 'other/elsewhere.ts'];
    const dir = repository(Object.fromEntries([...files, ...others].map((file) => [file, '1'])));
    const project = testProject({ dir });
    turn(project, 's', 'edit src/a.ts');
    const grep = { response: { filenames: ['src/found [x].ts', 'src/told.ts'] } };
    const message = (text: string) => ({ role: 'assistant', kind: 'text', text }) as const;
    const s = { session: 's' };
    tell(
      project,
      saw('prompt.submitted', { text: 'Mend `src/asked.ts`.' }, s),
      saw('message.recorded', message('See (src/told.ts:12), src/gone.ts'), s),
      ...ran('toolu_grep', 'Grep', { pattern: 'x', path: 'src' }, grep, s),
      ...ran('toolu_bash', 'Bash', { command: `wc -l ${dir}/src/ran.ts` }, { response: '' }, s),
      ...ran(
        'toolu_own',
        'mcp__ben10__ctx_packs_suggest',
        { for: 'other/own.ts' },
        { response: '' },
        s,
      ),
    );
    turn(project, 'elsewhere', 'read src/a.ts.old');
    tell(project, saw('message.recorded', message('other/elsewhere.ts'), { session: 'elsewhere' }));
    const found = await suggested(dir, 'src/a.ts');
    const named = new Map(found.map(({ file, why }) => [file, why.named]));
    expect(Object.fromEntries(named)).toMatchObject({
      'src/asked.ts': 1,
      'src/told.ts': 2,
      'src/ran.ts': 1,
      'other/own.ts': 0,
      'other/elsewhere.ts': 0,
    });
    const order = found.map(({ file }) => file);
    expect(order.indexOf('src/ran.ts')).toBeLessThan(order.indexOf('src/asked.ts'));
  });

  it('follow what is committed now only as far as that is the pack’s', async () => {
    const dir = repository({ 'old/a.ts': '1', 'new/c.ts': '1' });
    const scoreOf = async () =>
      (await suggested(dir, 'old/a.ts')).find(({ file }) => file === 'new/c.ts')!.score;
    commitIn(dir, { 'old/a.ts': '2' });
    const soon = await scoreOf();
    for (let n = 0; n < 5; n += 1) commitIn(dir, { [`else/${n}.ts`]: '1' });
    expect(await scoreOf()).toBeLessThan(soon);
  });

  it('are the same each time, with equal ones by name', async () => {
    const dir = repository({ 'b.txt': '1', 'a.txt': '1', 'c.txt': '1', 'd.txt': '1' });
    const once = await suggested(dir, 'd.txt');
    expect(once.map(({ file }) => file)).toEqual(['a.txt', 'b.txt', 'c.txt']);
    expect(await suggested(dir, 'd.txt')).toEqual(once);
  });

  it('need neither a repository nor a journal', async () => {
    const { dir } = testProject();
    writeFileSync(path.join(dir, 'a.py'), 'from b import x\n');
    writeFileSync(path.join(dir, 'b.py'), 'x = 1\n');
    const [only] = await suggested(dir, 'a.py');
    expect(only).toMatchObject({ file: 'b.py', why: { importedBy: 1, commits: 0 } });
  });

  it('put first what a session missed', async () => {
    const dir = repository({ 'a.ts': '1', 'b.ts': '1', 'c.ts': '1' });
    const missed = new Map([['c.ts', 2]]);
    const [first] = await suggest(testProject({ dir }), new Set(['a.ts']), { limit: 1, missed });
    expect(first).toMatchObject({ file: 'c.ts', why: { missed: 2 } });
  });

  it('are for a pack, a file, or a source for once', async () => {
    const project = testProject({ dir: repository(FILES) });
    createPack(project, 'auth', {}, 'cli');
    await addSources(project, 'auth', ['src/session.ts#L1', 'text:x', 'glob:docs/*'], {}, 'cli');
    expect(await pathsAsked(project, 'auth')).toEqual({
      files: new Set(['src/session.ts', 'docs/old.md']),
      isPack: true,
      missed: new Map(),
    });
    const of = async (word: string) => [...(await pathsAsked(project, word)).files];
    expect(await of('src/keys.ts')).toEqual(['src/keys.ts']);
    expect(await of('glob:src/k*')).toEqual(['src/keys.ts']);
    await expect(of('aut')).rejects.toMatchObject({ code: 'PACK_NOT_FOUND' });
  });
});

describe('commits', () => {
  it('run nothing of the repository’s settings', async () => {
    const dir = repository({ 'a.ts': '1' });
    const ran = path.join(dir, 'ran');
    const program = path.join(dir, 'program');
    writeFileSync(program, `#!/bin/sh\ntouch ${ran}\n`);
    chmodSync(program, 0o755);
    for (const key of [
      'core.fsmonitor',
      'core.pager',
      'gpg.program',
      'diff.external',
      'core.sshCommand',
    ])
      gitIn(dir, 'config', key, program);
    gitIn(dir, 'config', 'log.showSignature', 'true');
    gitIn(dir, 'config', 'diff.orderFile', '/nowhere');
    expect(await commitsOf(dir)).toEqual([['a.ts']]);
    expect(existsSync(ran)).toBe(false);
  });

  it('name files as the project does, whatever is in a name, and leave out large ones', async () => {
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`in/${n}.txt`, '1']));
    const dir = repository({ 'in/é b.ts': '1', 'in/"q".ts': '1', 'out.ts': '1' });
    commitIn(dir, many);
    expect(await commitsOf(path.join(dir, 'in'))).toEqual([['"q".ts', 'é b.ts']]);
    expect(await commitsOf('/')).toEqual([]);
  });
});

describe('imports', () => {
  const of = (files: readonly string[], file: string, text: string) =>
    [...new Imports(files).of(file, text)].sort();

  it.each([
    ['src/a.ts', "import x from './b.js'; export * from '../lib';", ['lib/index.ts', 'src/b.ts']],
    ['src/a.ts', "const c = require('./c'); await import('./b')", ['src/b.ts', 'src/c.jsx']],
    ['src/a.ts', "import { y } from '@/deep/y'; import fs from 'node:fs';", ['src/deep/y.tsx']],
    ['app/main.py', 'from .models import user\nimport os', ['app/models/user.py']],
    ['app/main.py', 'from app.models import (user, other)', ['app/models/user.py']],
    ['app/main.py', 'from app.db import Session', ['app/db.py']],
    [
      'rs/src/main.rs',
      'mod auth;\nuse crate::auth::jwt::{Claims};',
      ['rs/src/auth/jwt.rs', 'rs/src/auth/mod.rs'],
    ],
    [
      'cmd/main.go',
      'import (\n\t"fmt"\n\tx "example.org/m/internal/auth"\n)',
      ['internal/auth/a.go', 'internal/auth/b.go'],
    ],
  ])('of %s: %s', (file, text, expected) => {
    const files = [
      ...[
        'src/b.ts',
        'src/c.jsx',
        'lib/index.ts',
        'src/deep/y.tsx',
        'app/models/user.py',
        'app/db.py',
      ],
      ...['rs/src/auth/mod.rs', 'rs/src/auth/jwt.rs', 'internal/auth/a.go', 'internal/auth/b.go'],
      ...['internal/auth/a_test.go', 'other/jwt.rs', file],
    ];
    expect(of(files, file, text)).toEqual(expected);
  });

  it('of a name that several files have is the nearest one', () => {
    const files = ['a/utils/log.ts', 'b/utils/log.ts', 'b/main.ts'];
    expect(of(files, 'b/main.ts', "import '@/utils/log'")).toEqual(['b/utils/log.ts']);
  });
});
