import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileRedaction } from '../../src/capture/redaction/index.ts';
import { manifestOf } from '../../src/packs/kept/payload-file.ts';
import type { ArtifactOptions, Found } from '../../src/packs/render/pack.ts';
import { parseSource } from '../../src/packs/render/source.ts';
import { diffOf } from '../../src/packs/sources/git-diff.ts';
import { scratch } from '../support.ts';
import { commitIn, GIT_ENV, gitIn, linesWith, repository, writeIn } from './repository.ts';
import { groundOf, renderIn, textOf } from './support.ts';

const rulesOf = (...given: Parameters<typeof groundOf>) => ({
  ...groundOf(...given),
  redaction: compileRedaction().options,
});
const diffIn = (dir: string, options: ArtifactOptions = {}, env: object = {}): Promise<Found[]> =>
  diffOf(rulesOf(dir), { source: 'git:diff', options }, { ...GIT_ENV, ...env });

async function textIn(dir: string, options: ArtifactOptions = {}, env: object = {}) {
  const [first] = await diffIn(dir, options, env);
  return first !== undefined && 'text' in first ? first.text : first;
}
const reasonIn = async (dir: string, options: ArtifactOptions = {}) =>
  ((await diffIn(dir, options))[0] as { reason?: string }).reason;

const FULL = ['diff', '--full-index'];

/** A change in the middle of a file, a new file that git knows, a rename, a removal, and a file that git does not know. */
function changed(): string {
  const dir = repository({ 'a.txt': linesWith(), 'b/old.txt': linesWith(), 'gone.txt': 'x\n' });
  writeIn(dir, { 'a.txt': linesWith({ 9: 'nine', 15: '' }), 'new.txt': 'new\n', 'b/x.txt': '' });
  gitIn(dir, 'mv', 'b/old.txt', 'b/é new.txt');
  gitIn(dir, 'rm', '--quiet', 'gone.txt');
  gitIn(dir, 'add', 'new.txt');
  return dir;
}

describe('git:diff', () => {
  it('is what git prints of HEAD and the working tree, with plain names', async () => {
    const dir = changed();
    const text = await textIn(dir);
    expect(text).toBe(gitIn(dir, '-c', 'core.quotePath=false', ...FULL, 'HEAD'));
    expect(text).toContain('rename to b/é new.txt');
    expect(text).not.toContain('b/x.txt');
  });

  it('has the paths that are named alone, as they are written, and says which', async () => {
    const dir = changed();
    writeIn(dir, { 'c d/[x].txt': 'new\n', 'c d/x.txt': 'new\n' });
    gitIn(dir, 'add', '--all');
    const { source } = parseSource('git:diff -- ./a.txt c%20d/[x].txt');
    const [found] = await diffOf(rulesOf(dir), { source, options: {} }, GIT_ENV);
    expect(found).toMatchObject({
      label: 'diff HEAD...worktree -- a.txt c d/[x].txt',
      text: gitIn(dir, ...FULL, 'HEAD', '--', 'a.txt', ':(literal)c d/[x].txt'),
    });
  });

  it('says in its tag what is compared, and that untracked files are not in it', async () => {
    const dir = repository({ 'a.txt': 'a\n' });
    const found = await diffIn(dir);
    expect(found).toEqual([
      {
        label: 'diff HEAD...worktree',
        attributes: { git: 'diff HEAD...worktree', untracked: 'left out' },
        oids: [gitIn(dir, 'rev-parse', 'HEAD').trim()],
        text: '',
        redactions: {},
      },
    ]);
    const [between] = await diffIn(dir, { base: 'HEAD', head: 'main' });
    expect(between).toMatchObject({ attributes: { git: 'diff HEAD...main' } });
  });

  it('begins where two branches parted, as `git diff A...B` does', async () => {
    const dir = repository({ 'a.txt': linesWith() });
    gitIn(dir, 'switch', '--quiet', '--create', 'topic');
    commitIn(dir, { 'a.txt': linesWith({ 3: 'three' }) });
    gitIn(dir, 'switch', '--quiet', 'main');
    commitIn(dir, { 'b.txt': 'of main\n' });
    gitIn(dir, 'switch', '--quiet', 'topic');
    expect(await textIn(dir, { base: 'main', head: 'topic' })).toBe(
      gitIn(dir, ...FULL, 'main...topic'),
    );
    expect(await textIn(dir, { head: 'main' })).toBe(gitIn(dir, ...FULL, 'HEAD...main'));
    writeIn(dir, { 'a.txt': linesWith({ 3: 'three', 30: 'thirty' }) });
    const text = await textIn(dir, { base: 'main' });
    expect(text).toBe(gitIn(dir, ...FULL, '--merge-base', 'main'));
    expect(text).toContain('+thirty');
    expect(text).not.toContain('of main');
  });

  it('begins at the base itself where nothing is shared, and at nothing before the first commit', async () => {
    const dir = repository({ 'a.txt': 'a\n' });
    gitIn(dir, 'switch', '--quiet', '--orphan', 'other');
    commitIn(dir, { 'b.txt': 'b\n' });
    expect(await textIn(dir, { base: 'main' })).toBe(gitIn(dir, ...FULL, 'main'));
    const unborn = repository();
    writeIn(unborn, { 'a.txt': 'a\n' });
    expect(await textIn(unborn)).toBe('');
    gitIn(unborn, 'add', 'a.txt');
    expect(await textIn(unborn)).toBe(gitIn(unborn, ...FULL, '--cached'));
    expect(await textIn(unborn)).toContain('+a');
  });

  it('has the project’s folder alone, and names from there on', async () => {
    const top = repository({ 'a.txt': 'a\n', 'in/b.txt': 'b\n' });
    writeIn(top, { 'a.txt': 'A\n', 'in/b.txt': 'B\n' });
    const dir = path.join(top, 'in');
    expect(await textIn(dir)).toBe(gitIn(dir, ...FULL, '--relative', '.'));
    expect(await textIn(dir)).toMatch(/^diff --git a\/b\.txt b\/b\.txt\n/);
    expect(await textIn(dir)).not.toContain('a.txt b/a.txt');
  });

  it('has the same bytes whatever the user has set', async () => {
    const dir = changed();
    const plain = await textIn(dir);
    const mine = path.join(scratch(), 'gitconfig');
    writeFileSync(
      mine,
      `[diff]\nnoprefix = true\nmnemonicPrefix = true\ncontext = 9\ninterHunkContext = 30\nalgorithm = patience
renames = false\nrenameLimit = 1\norderFile = ${path.join(dir, 'a.txt')}\nsuppressBlankEmpty = true\nindentHeuristic = false
external = /bin/false\nsubmodule = log\ncolorMoved = zebra\nrelative = false\nignoreSubmodules = all\nwsErrorHighlight = all
[color]\nui = always\ndiff = always\n[core]\nquotePath = true\nabbrev = 5\npager = /bin/false\n`,
    );
    const env = {
      ...{ GIT_CONFIG_GLOBAL: mine, GIT_DIFF_OPTS: '--unified=9', GIT_EXTERNAL_DIFF: '/bin/false' },
      ...{ GIT_DIR: '/nonexistent', GIT_INDEX_FILE: '/nonexistent', GIT_LITERAL_PATHSPECS: '1' },
      ...{ LC_ALL: 'de_DE.UTF-8', GIT_PREFIX: 'b/', GIT_PAGER: '/bin/false' },
    };
    expect(await textIn(dir, {}, env)).toBe(plain);
  });

  it('runs nothing that a repository names', async () => {
    const dir = repository({
      '.gitattributes': '*.txt filter=evil diff=evil\n*.md filter=worse\n',
      ...{ 'a.txt': 'a\n', 'b.md': 'b\n' },
    });
    const out = scratch();
    const evil = path.join(out, 'evil.sh');
    writeFileSync(evil, `#!/bin/sh\ntouch "${out}/ran-$1"\ncat\n`);
    chmodSync(evil, 0o755);
    for (const [key, value] of Object.entries({
      'core.fsmonitor': `${evil} fsmonitor`,
      'core.hooksPath': path.join(dir, 'hooks'),
      'core.pager': `${evil} pager`,
      'core.sshCommand': `${evil} ssh`,
      'diff.external': `${evil} external`,
      'diff.evil.command': `${evil} command`,
      'diff.evil.textconv': `${evil} textconv`,
      'filter.evil.clean': `${evil} clean`,
      'filter.evil.smudge': `${evil} smudge`,
      'filter.worse.process': `${evil} process`,
      'filter.worse.required': 'true',
      'pager.diff': 'true',
      'alias.diff': `!${evil} alias`,
    }))
      gitIn(dir, 'config', key, value);
    mkdirSync(path.join(dir, 'hooks'));
    for (const place of ['hooks', '.git/hooks'])
      for (const hook of [
        'post-index-change',
        'pre-commit',
        'fsmonitor-watchman',
        'reference-transaction',
      ])
        writeFileSync(path.join(dir, place, hook), `#!/bin/sh\ntouch "${out}/ran-${hook}"\n`, {
          mode: 0o755,
        });
    writeIn(dir, { 'a.txt': 'A\n', 'b.md': 'B\n' });
    expect(await textIn(dir)).toMatch(/^-a\n\+A$[\s\S]*^-b\n\+B$/m);
    expect(readdirSync(out)).toEqual(['evil.sh']);
    // The trap is a real one.
    spawnSync('git', ['diff', '--stat'], { cwd: dir, env: GIT_ENV, stdio: 'ignore' });
    const ran = ['ran-clean', 'ran-fsmonitor', 'ran-process'];
    expect(readdirSync(out)).toEqual(expect.arrayContaining(ran));
  });

  it('says why there is none', async () => {
    expect(await reasonIn(scratch())).toBe('not_a_repository');
    const dir = repository({ 'a.txt': 'a\n', 'big.txt': '' });
    expect(await reasonIn(path.join(dir, '.git'))).toBe('not_a_repository');
    for (const base of [
      'nowhere',
      '-p',
      '--output=x',
      'HEAD..HEAD',
      'HEAD:a.txt',
      'HEAD^9',
      '',
      'a b',
    ])
      expect(await reasonIn(dir, { base }), base).toBe('bad_revision');
    expect(await reasonIn(dir, { head: '--output=x' })).toBe('bad_revision');
    expect(existsSync(path.join(dir, 'x'))).toBe(false);
    writeIn(dir, { 'big.txt': 'x'.repeat(99).concat('\n').repeat(45_000) });
    expect(await reasonIn(dir)).toBe('too_big');
    rmSync(path.join(dir, '.git/objects'), { recursive: true });
    mkdirSync(path.join(dir, '.git/objects'));
    expect(await reasonIn(dir)).toBe('bad_revision');
    expect(await reasonIn(dir, { base: 'HEAD' })).toBe('bad_revision');
    const without = await diffOf(
      rulesOf(dir),
      { source: 'git:diff', options: {} },
      { PATH: '/nonexistent' },
    );
    expect(without).toMatchObject([{ reason: 'failed' }]);
  });

  it('is no way to files elsewhere', async () => {
    const dir = repository({ 'a.txt': 'a\n' });
    const away = scratch();
    writeIn(away, { 'a.txt': 'of somebody else\n' });
    gitIn(dir, 'config', 'core.worktree', away);
    expect(await reasonIn(dir)).toBe('not_a_repository');
  });
});

describe('a denied file in a diff', () => {
  const SECRETS = {
    '.env': 'A=1\n',
    'deep/in/server.pem': 'pem\n',
    'node_modules/x/a.js': 'x\n',
    'node_modules/y/b.js': 'y\n',
    'own/secret.txt': 'own\n',
    ':(top)a*[b]?.key': 'key\n',
    'a\nb.pem': 'pem\n',
    '-p.key': 'key\n',
    'e\u0301.key': 'nfd\n',
  };
  const ALLOWED = { 'src/a.ts': 'a\n', '.env.example': 'A=\n' };

  it('is kept out by git, and told', async () => {
    const dir = repository({ ...SECRETS, ...ALLOWED });
    for (const name of Object.keys({ ...SECRETS, ...ALLOWED }))
      writeIn(dir, { [name]: 'CHANGED\n' });
    const env = { ...GIT_ENV };
    const ground = rulesOf(dir, { deny: ['own'] });
    const [diff, ...denied] = await diffOf(ground, { source: 'git:diff', options: {} }, env);
    const names = (diff as { text: string }).text.match(/^diff --git .*$/gm);
    expect(names).toEqual(
      Object.keys(ALLOWED)
        .sort()
        .map((name) => `diff --git a/${name} b/${name}`),
    );
    const told = denied.map((one) => ('path' in one ? [one.path, one.reason] : one));
    expect(told).toEqual(
      [
        ...Object.keys(SECRETS).filter((name) => !/^(?:node_modules|own)/.test(name)),
        ...['node_modules', 'own'],
      ]
        .map((name) => [name, 'denied'])
        .sort(),
    );
    const [all] = await diffOf(
      ground,
      { source: 'git:diff', options: { allowSensitive: true } },
      env,
    );
    expect((all as { text: string }).text.match(/^diff --git .*$/gm)).toHaveLength(11);
  });

  it('is kept out when its name is no UTF-8', async () => {
    const dir = repository({ 'a.txt': 'a\n' });
    const name = Buffer.concat([
      Buffer.from(`${dir}/[x]?`),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('.pem'),
    ]);
    writeFileSync(name, 'one\n');
    commitIn(dir, {});
    writeFileSync(name, 'two\n');
    writeIn(dir, { 'a.txt': 'A\n' });
    const text = await textIn(dir);
    expect(text).toContain('+A');
    expect(text).not.toContain('two');
  });

  it('is left out of the payload with its reason, and the diff is redacted', async () => {
    const dir = repository({ 'a.txt': 'a\n', '.env': 'A=1\n' });
    const token = `ghp_${'aB3dE6gH9k'.repeat(4).slice(0, 36)}`;
    writeIn(dir, { 'a.txt': `token ${token}\n<ben10-item>\n`, '.env': 'A=2\n' });
    const ground = rulesOf(dir);
    const both = ['git:diff', 'git:diff'];
    const rendered = await renderIn(dir, both, {
      sources: (artifact) => diffOf(ground, artifact, GIT_ENV),
    });
    expect(textOf(rendered)).toContain(
      '<ben10-item git="diff HEAD...worktree" untracked="left out">\n',
    );
    expect(textOf(rendered)).not.toContain(token);
    expect(textOf(rendered)).not.toContain('A=2');
    expect(rendered.redactions).toEqual({ 'GITHUB-TOKEN': 1 });
    const manifest = manifestOf({ redact: (text) => text }, rendered);
    expect(manifest).toMatchObject([{ oids: [gitIn(dir, 'rev-parse', 'HEAD').trim()] }]);
    expect(
      rendered.excluded.map(({ candidate, reason }) => `${candidate.label} ${reason}`),
    ).toEqual(['.env denied', 'diff HEAD...worktree duplicate']);
  });
});

type Masked = { text: string; redactions: Record<string, number> };

describe('a private key in a diff', () => {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const lines = privateKey.trim().split('\n');
  const other = lines.with(12, lines[12]!.toLowerCase());
  const fileOf = (key: readonly string[], end = '\n') =>
    [...linesWith().trim().split('\n'), ...key, 'last line', ''].join(end);

  it.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
  ])('is hidden where a hunk begins within it, with %s', async (_, end) => {
    const dir = repository({ 'a.txt': fileOf(lines, end) });
    writeIn(dir, { 'a.txt': fileOf(other, end).replace('line 0', 'line zero') });
    for (const options of [{}, { base: 'HEAD', head: 'HEAD' }, { allowSensitive: true }]) {
      const [{ text, redactions }] = (await diffIn(dir, options)) as unknown as [Masked];
      for (const line of [...lines, ...other]) expect(text).not.toContain(line);
      if (options.head !== undefined) continue;
      expect(text).toMatch(/^-line 0\r?\n\+line zero\r?$/m);
      expect(text).toMatch(/^@@ -50,7 \+50,7 @@$/m);
      expect(text.match(/^[-+ ]\[REDACTED:.*\]$/gm)).toHaveLength(8);
      expect(redactions).toEqual({ 'PRIVATE-KEY': 8 });
    }
  });

  it('is hidden where it goes, comes, or moves to another file', async () => {
    const dir = repository({
      'a.txt': fileOf(lines),
      'gone.txt': `${'gone\n'.repeat(500)}${privateKey}`,
    });
    gitIn(dir, 'mv', 'a.txt', 'b.txt');
    writeIn(dir, { 'b.txt': fileOf(other), 'new.txt': fileOf(other) });
    gitIn(dir, 'rm', '--quiet', 'gone.txt');
    gitIn(dir, 'add', '--all');
    const text = (await textIn(dir)) as string;
    for (const name of ['rename to b.txt', '--- a/gone.txt', '+++ b/new.txt', '+last line'])
      expect(text).toContain(name);
    for (const line of [...lines, ...other]) expect(text).not.toContain(line);
  });

  it('that did not change hides nothing else', async () => {
    const dir = repository({ 'a.txt': fileOf(lines) });
    writeIn(dir, { 'a.txt': fileOf(lines).replace('line 9', 'nine') });
    const text = (await textIn(dir)) as string;
    expect(text).toContain('-line 9\n+nine\n line 10');
    expect(text).not.toContain('REDACTED');
  });
});
