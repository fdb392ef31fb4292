import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileRedaction } from '../../src/capture/redaction/index.ts';
import { expand } from '../../src/packs/render/expand.ts';
import type { Ground } from '../../src/packs/render/file.ts';
import { denials } from '../../src/packs/render/sensitive.ts';
import { nodeFs } from '../../src/platform/fs.ts';
import { codeOf, folder, scratch } from '../support.ts';
import { type Given, groundOf, packOf } from './support.ts';

async function expanded(dir: string, given: readonly Given[], fields: Partial<Ground> = {}) {
  const ground = groundOf(dir, fields);
  const { ranked, left, found } = await expand(
    ground,
    denials(ground),
    { redaction: compileRedaction().options },
    [packOf(given)],
  );
  return {
    names: ranked.map(({ label }) => label),
    left: left.map(({ candidate, reason }) => `${candidate.label} ${reason}`),
    found: [...found.values()],
  };
}
const namesOf = async (dir: string, ...given: Given[]) => (await expanded(dir, given)).names;

const FILES = [
  ...['README.md', 'src/a.ts', 'src/b.tsx', 'src/deep/c.ts', 'src/deep/er/d.js', 'src/.hidden.ts'],
  ...[
    '.github/w.yml',
    'docs/a.md',
    'docs/b.mdx',
    'docs/in/c.markdown',
    'docs/x.txt',
    'A.ts',
    'z.ts',
  ],
  ...[
    'app/(auth)/[id]/page.ts',
    'build/out.ts',
    'src/gen/g.ts',
    'src/gen/keep.ts',
    'é.ts',
    '😀.ts',
  ],
];

describe('a glob', () => {
  const GLOBS = [
    ...['**', '**/*.ts', 'src/*.ts', 'src/**/*.{ts,tsx}', 'src/deep/**', '*', '*.ts', '[Az].ts'],
    ...['docs/*.md*', '**/[ab].*', '.github/**', '{src,docs}/**', 'src/**/d.js', 'README.md'],
  ];

  it.each(GLOBS)('%s has what git lists, in the order of the bytes', async (pattern) => {
    const dir = folder({
      ...Object.fromEntries(FILES.map((name) => [name, ''])),
      '.gitignore': 'build/\nnode_modules\n*.log\n',
      'src/.gitignore': 'gen/*\n!gen/keep.ts\n/b.TSX\n',
      'src/x.log': '',
      'node_modules/m/i.ts': '',
      '.git-not/x.ts': '',
    });
    const git = (...args: string[]) =>
      execFileSync(
        'git',
        ['-c', 'core.excludesFile=/dev/null', '-c', 'core.quotePath=false', ...args],
        {
          cwd: dir,
          encoding: 'utf8',
        },
      );
    git('init', '-q');
    writeFileSync(path.join(dir, '.git/info/exclude'), '.git-not\n');
    const listed = git(
      'ls-files',
      '-co',
      '--exclude-standard',
      '-z',
      '--',
      `:(glob)${unbraced(pattern)[0]}`,
      ...unbraced(pattern)
        .slice(1)
        .map((one) => `:(glob)${one}`),
    );
    const expected = [...new Set(listed.split('\0').filter((name) => name !== ''))].sort((a, b) =>
      Buffer.compare(Buffer.from(a), Buffer.from(b)),
    );
    expect(expected).not.toEqual([]);
    expect(await namesOf(dir, `glob:${pattern}`)).toEqual(expected);
  });

  /** Git knows no braces. */
  function unbraced(pattern: string): string[] {
    const [, before, inside, after] = /^(.*)\{(.*)\}(.*)$/.exec(pattern) ?? [];
    if (inside === undefined) return [pattern];
    return inside.split(',').map((one) => `${before}${one}${after}`);
  }

  it('takes brackets for themselves where they are round, and any name in its normal form', async () => {
    const dir = folder({ 'app/(auth)/[id]/page.ts': '', 'e\u0301.ts': '', 'A.ts': '' });
    expect(await namesOf(dir, 'glob:app/(auth)/\\[id\\]/*.ts')).toEqual([
      'app/(auth)/[id]/page.ts',
    ]);
    expect(await namesOf(dir, 'glob:[é].ts')).toEqual(['é.ts']);
    expect(await namesOf(dir, 'glob:a.ts')).toEqual([]);
    expect(await namesOf(dir, 'glob:(A|B).ts', 'glob:!(x).ts', 'glob:+(A).ts')).toEqual([]);
  });

  it('leaves out what programs wrote, unless it names it', async () => {
    const dir = folder({
      'a.ts': '',
      'yarn.lock': '',
      'x/Cargo.lock': '',
      'a.min.js': '',
      'a.js.map': '',
    });
    expect(await namesOf(dir, 'glob:**')).toEqual(['a.ts']);
    expect(await namesOf(dir, 'glob:**/Cargo.lock')).toEqual(['x/Cargo.lock']);
    expect(await namesOf(dir, 'file:yarn.lock')).toEqual(['yarn.lock']);
  });

  it('leaves out what is sensitive, and tells it once; samples are not', async () => {
    const dir = folder({
      ...{ 'a.ts': '', '.env': '', '.env.local': '', '.env.example': '', 'x/.env.dist': '' },
      ...{ 'x/server.PEM': '', 'id_rsa.pub': '', '.ssh/config': '', 'prod.tfstate.backup': '' },
      ...{ 'a.log': '', 'own/secret.txt': '' },
    });
    const found = await expanded(dir, ['glob:**', 'glob:**/*'], { deny: ['own/**'] });
    expect(found.names).toEqual(['.env.example', 'a.ts', 'x/.env.dist']);
    expect(found.left.filter((one) => one.endsWith('denied'))).toEqual(
      ['.env', '.env.local', 'a.log', 'id_rsa.pub', 'prod.tfstate.backup', 'x/server.PEM'].map(
        (name) => `${name} denied`,
      ),
    );
    expect((await expanded(dir, ['glob:.ssh/*'])).left).toEqual(['.ssh denied']);
    const allowed = { source: 'glob:**', options: { allowSensitive: true } };
    expect((await expanded(dir, [allowed], { deny: ['own/**'] })).names).toContain('.ssh/config');
  });

  it('is cut behind the sort, and tells how many there were', async () => {
    const dir = folder({ 'b.ts': '', 'a.ts': '', 'c.ts': '', '.env': '' });
    const options = { maxFiles: 2, exclude: ['b.*'] };
    const found = await expanded(dir, [{ source: 'glob:*', options: { maxFiles: 2 } }]);
    expect(found).toMatchObject({ names: ['a.ts', 'b.ts'], found: [3] });
    expect(await namesOf(dir, { source: 'glob:*', options })).toEqual(['a.ts', 'c.ts']);
  });

  it('follows no link, and none is needed', async () => {
    const dir = folder({ 'a/b.ts': '' });
    symlinkSync(scratch(), path.join(dir, 'away'));
    symlinkSync('a', path.join(dir, 'inside'));
    symlinkSync('a/b.ts', path.join(dir, 'c.ts'));
    expect(await namesOf(dir, 'glob:**')).toEqual(['a/b.ts']);
    expect(await namesOf(dir, 'glob:none/**')).toEqual([]);
  });
});

it('tells what cannot be looked at: a folder without permission, a name that is no text', async () => {
  const dir = folder({ 'src/a.ts': '', 'src/no/b.ts': '', 'other/no/c.ts': '' });
  const bad = Buffer.concat([Buffer.from(`${dir}/src/`), Buffer.from([0xff]), Buffer.from('.ts')]);
  const hasAny = process.platform === 'linux';
  if (hasAny) writeFileSync(bad, '');
  const readdir = (name: string) => {
    if (name.endsWith('/no')) throw Object.assign(new Error('no'), { code: 'EACCES' });
    return nodeFs.readdir(name);
  };
  const found = await expanded(dir, ['glob:src/**/*.ts'], { fs: { ...nodeFs, readdir } });
  expect(found.names).toEqual(['src/a.ts']);
  expect(found.left).toEqual([
    'src/no unreadable',
    ...(hasAny ? ['src/\ufffd.ts unreadable'] : []),
  ]);
});

it('a folder of Markdown has its own, or all below', async () => {
  const dir = folder(Object.fromEntries(FILES.map((name) => [name, ''])));
  expect(await namesOf(dir, 'md_dir:docs')).toEqual(['docs/a.md', 'docs/b.mdx']);
  expect(await namesOf(dir, { source: 'md_dir:docs', options: { recursive: true } })).toEqual([
    ...['docs/a.md', 'docs/b.mdx', 'docs/in/c.markdown'],
  ]);
  expect(await namesOf(dir, 'md_dir:.')).toEqual(['README.md']);
});

describe('a limit', () => {
  it('is told, and nothing is cut silently: of entries', { tags: 'long' }, async () => {
    const dir = folder({ 'a.ts': '' });
    const stat = nodeFs.stat(path.join(dir, 'a.ts'));
    const fsOf = (entries: number) => ({
      ...nodeFs,
      readdir: () => Array.from({ length: entries }, (_, n) => `f${n}`),
      statIfThere: () => stat,
    });
    expect((await expanded(dir, ['glob:**'], { fs: fsOf(200_000) })).names).toHaveLength(200_000);
    const fs = fsOf(200_001);
    const failed = await expanded(dir, ['glob:**'], { fs }).catch((error: unknown) => error);
    expect(
      codeOf(() => {
        throw failed;
      }),
    ).toBe('LIMIT_EXCEEDED');
  });

  it('is told: of folders in each other', async () => {
    const dir = scratch();
    mkdirSync(path.join(dir, 'd/'.repeat(42)), { recursive: true });
    const failed = await expanded(dir, ['glob:**']).catch((error: unknown) => error);
    expect(
      codeOf(() => {
        throw failed;
      }),
    ).toBe('LIMIT_EXCEEDED');
    expect(await namesOf(dir, 'glob:e/**')).toEqual([]);
  });
});

it('a hostile pattern ends on a hostile name', async () => {
  const name = `${'a/'.repeat(38)}${'a'.repeat(200)}`;
  const dir = folder({ [name]: '' });
  const patterns = [
    '**/a*a*a*b/**/a*a*a*b/**/a*a*a*b',
    '**/**/**',
    '**a**a**a',
    '{a,aa}*{a,aa}*{a,aa}*b',
  ];
  for (const pattern of [
    `${'{a,aa}'.repeat(6)}b`,
    `${'{a,aa}'.repeat(30)}b`,
    '(a+)+b',
    '+(a|aa)+(a|aa)b',
    ...patterns,
  ])
    expect((await namesOf(dir, `glob:${pattern}`).catch(() => [])).length).toBeLessThan(2);
});
