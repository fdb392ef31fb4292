import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { tokensOf } from '../../packs/oracle.ts';
import { folder } from '../../support.ts';
import { cleanEnv, here, inMemory, json, PROGRAM } from '../support.ts';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;

/** A project with these files, and an empty journal. */
function projectOf(files: Record<string, string | Buffer> = {}): string {
  const dir = folder(files);
  mkdirSync(path.join(dir, '.ben10'), { mode: 0o700 });
  return dir;
}

const pack = (dir: string, ...args: string[]) => inMemory(dir, ['pack', ...args]);

/** A pack with these sources. */
async function packIn(dir: string, ...sources: string[]): Promise<void> {
  expect((await pack(dir, 'create', 'auth')).code).toBe(0);
  const added = await pack(dir, 'add', 'auth', ...sources);
  expect(added).toMatchObject({ code: 0, stderr: '' });
}

interface Artifact {
  id: string;
  kind: string;
  source: string;
  priority: number;
  options: object;
  added: number;
}

interface Shown {
  name: string;
  policy: object;
  artifacts: Artifact[];
  snapshots: object[];
}

interface Rendered {
  budget_tokens: number | null;
  token_estimate: number;
  included: { id: string | null; kind: string; path?: string; lines?: string; tokens: number }[];
  excluded: { path?: string; reason: string }[];
  redactions: Record<string, number>;
  render_hash: string;
  payload_hash: string;
  payload_text: string | null;
}

const shownOf = async (dir: string, name = 'auth'): Promise<Shown> =>
  json<Shown>(await pack(dir, 'show', name, '--json'));

const SOURCES = { 'src/a.ts': 'one\ntwo\nthree\n', 'src/b.ts': 'four\n', 'docs/c.md': '# five\n' };

describe('making packs', () => {
  it('keeps what one process made for the next, and without stored states, too', {
    tags: 'long',
  }, async () => {
    const dir = projectOf(SOURCES);
    const made = await here(dir, ['pack', 'create', 'auth', '--budget', '24000']);
    expect(made.stdout).toBe(
      'Pack auth: at most 24,000 tokens (cl100k); what has the lowest priority is dropped first.\n',
    );
    await here(dir, ['pack', 'add', 'auth', 'text:Sessions last 15 minutes.', '--priority', '100']);
    await here(dir, ['pack', 'add', 'auth', 'src/a.ts#L2-L3', 'glob:src/**']);
    const before = json<Shown>(await here(dir, ['pack', 'show', 'auth', '--json']));
    expect(before).toEqual({
      name: 'auth',
      policy: { budgetTokens: 24_000, fill: 'prefix', tokenizer: 'cl100k', layout: 'rank' },
      artifacts: [
        { kind: 'text', source: 'text:Sessions last 15 minutes.', priority: 100 },
        { kind: 'range', source: 'file:src/a.ts#L2-L3', priority: 0 },
        { kind: 'glob', source: 'glob:src/**', priority: 0 },
      ].map((one) => ({
        ...one,
        id: expect.stringMatching(/^[0-9a-f]{8}$/),
        options: {},
        added: expect.any(Number),
      })),
      snapshots: [],
    });
    rmSync(path.join(dir, '.ben10/checkpoints'), { recursive: true, force: true });
    expect(json(await here(dir, ['pack', 'show', 'auth', '--json']))).toEqual(before);
    expect((await here(dir, ['pack'])).stdout).toMatch(/^ +auth +3 sources +24,000 /m);
  });

  it('begins as the settings say, and changes only what is set', async () => {
    const dir = projectOf();
    writeFileSync(
      path.join(dir, '.ben10/config.yaml'),
      'packs:\n  budgetTokens: 9000\n  tokenizer: o200k\n',
    );
    const policyAfter = async (...args: string[]) =>
      json<{ policy: object }>(await pack(dir, ...args, '--json')).policy;
    expect(await policyAfter('create', 'auth', '--fill', 'fill')).toEqual({
      budgetTokens: 9000,
      fill: 'fill',
      tokenizer: 'o200k',
      layout: 'rank',
    });
    expect(await policyAfter('set', 'auth', '--budget', 'none', '--layout', 'stable')).toEqual({
      budgetTokens: null,
      fill: 'fill',
      tokenizer: 'o200k',
      layout: 'stable',
    });
  });

  it('gives a source that is there another priority, not a second place', {
    tags: 'long',
  }, async () => {
    const dir = projectOf(SOURCES);
    await packIn(dir, 'src/a.ts', 'glob:src/**');
    const [first] = (await shownOf(dir)).artifacts;
    const again = await pack(dir, 'add', 'auth', 'file:src/a.ts', '--priority', '-7');
    expect(again.stdout).toBe(`~ ${first!.id}  file     src/a.ts  priority -7\n`);
    const { artifacts } = await shownOf(dir);
    expect(artifacts).toHaveLength(2);
    expect(artifacts[0]).toEqual({ ...first, priority: -7 });
  });

  it('keeps the priority and options of a source that is added again without any', async () => {
    const dir = projectOf(SOURCES);
    await pack(dir, 'create', 'auth');
    await pack(dir, 'add', 'auth', 'glob:src/**', '--priority', '9', '--max-files', '1');
    const before = (await shownOf(dir)).artifacts;
    await pack(dir, 'add', 'auth', 'glob:src/**', '--exclude', '*.js');
    expect((await shownOf(dir)).artifacts).toEqual([
      { ...before[0], priority: 9, options: { maxFiles: 1, exclude: ['*.js'] } },
    ]);
  });

  it('copies what is in a pack, with whole texts, and deletes one alone', {
    tags: 'long',
  }, async () => {
    const dir = projectOf(SOURCES);
    const words = 'A long text. '.repeat(100);
    await packIn(dir, `text:${words}`, 'src/b.ts');
    expect((await pack(dir, 'copy', 'auth', 'other')).code).toBe(0);
    expect((await pack(dir, 'delete', 'auth')).code).toBe(0);
    expect((await pack(dir, 'show', 'auth')).stderr).toContain('PACK_NOT_FOUND');
    expect((await pack(dir, 'render', 'other')).stdout).toContain(words);
  });

  it('takes sources out by id or as they were added', async () => {
    const dir = projectOf(SOURCES);
    await packIn(dir, 'src/a.ts', 'src/b.ts', 'glob:docs/*');
    const [first] = (await shownOf(dir)).artifacts;
    const gone = await pack(dir, 'remove', 'auth', first!.id.slice(0, 6), 'glob:docs/*');
    expect(gone.stdout.split('\n').map((line) => line.slice(0, 2))).toEqual(['- ', '- ', '']);
    const left = (await shownOf(dir)).artifacts.map(({ source }) => source);
    expect(left).toEqual(['file:src/b.ts']);
  });

  it('takes a list from a program, without files that are gone', { tags: 'long' }, async () => {
    const dir = projectOf(SOURCES);
    await here(dir, ['pack', 'create', 'auth']);
    const added = spawnSync(process.execPath, [PROGRAM, 'pack', 'add', 'auth', '-', '--json'], {
      cwd: dir,
      env: cleanEnv(dir),
      encoding: 'utf8',
      input: 'src/a.ts\r\nsrc/gone.ts\n\nglob:docs/*\n',
    });
    expect(added.stderr).toContain('1 file is not there: src/gone.ts');
    expect(JSON.parse(added.stdout).added).toMatchObject([
      { kind: 'file', source: 'file:src/a.ts', isNew: true },
      { kind: 'glob', source: 'glob:docs/*', files: 1 },
    ]);
  });

  it('says if a collection has no file, and adds it', { tags: 'long' }, async () => {
    const dir = projectOf(SOURCES);
    await pack(dir, 'create', 'auth');
    const added = await pack(dir, 'add', 'auth', 'glob:lib/**');
    expect(added).toMatchObject({ code: 0, stderr: 'glob:lib/** has no file now\n' });
    expect(added.stdout).toContain('0 files');
  });
});

describe('what must not be added', () => {
  it.each([
    ['file:.env', 'PACK_DENIED', '.env is on the list of sensitive files (.env*)'],
    ['link.txt', 'PACK_DENIED', 'link.txt leads to a sensitive file'],
    ['away', 'USAGE', 'away leads out of the project'],
    ['file:nope.ts', 'FS_NOT_FOUND', 'nope.ts does not exist'],
    [
      'file:src',
      'FS_READ_ERROR',
      "src is a folder [FS_READ_ERROR]\n  → ben10 pack add auth 'glob:src/**'",
    ],
    ['src/*.ts', 'FS_NOT_FOUND', "For a pattern, write 'glob:src/*.ts'"],
    ['dir:src', 'USAGE', 'A folder is glob:src/**, or md_dir:docs'],
    ['file:big.txt', 'LIMIT_EXCEEDED', 'big.txt has more than 4 MiB'],
    ['file:', 'USAGE', 'the path is empty'],
    ['glob:../**', 'USAGE', 'is no pattern'],
    ['glob:[', 'USAGE', 'is no pattern'],
    ['https://example.org', 'USAGE', '"https" is no kind of source'],
    [`glob:${TOKEN}/**`, 'USAGE', 'contains a secret'],
  ])('%s', async (source, code, says) => {
    const dir = projectOf({
      ...SOURCES,
      '.env': 'A=1\n',
      'big.txt': Buffer.alloc(4 * 1024 * 1024 + 1, 'x'),
    });
    symlinkSync('.env', path.join(dir, 'link.txt'));
    symlinkSync('/etc', path.join(dir, 'away'));
    await pack(dir, 'create', 'auth');
    const refused = await pack(dir, 'add', 'auth', 'src/a.ts', source);
    expect(refused.code).toBe(code === 'USAGE' ? 2 : 1);
    expect(refused.stderr).toContain(code);
    expect(refused.stderr).toContain(says);
    expect(refused.stderr).toMatch(/^ {2}→ /m);
    expect(refused.stderr).not.toContain(TOKEN);
    // All or nothing.
    expect((await shownOf(dir)).artifacts).toEqual([]);
  });

  it.each([
    [['create', 'a/b']],
    [['create', '..']],
    [['create', 'x'.repeat(61)]],
    [['create', TOKEN.toLowerCase()]],
    [['create', 'b', '--budget', '0']],
    [['create', 'b', '--budget', '-1']],
    [['create', 'b', '--fill', 'most']],
    [['set', 'auth']],
    [['add', 'auth', 'src/a.ts', '--priority', '1001']],
    [['add', 'auth', 'src/a.ts', '--priority', '1.5']],
    [['add', 'auth', 'src/a.ts', '--recursive']],
    [['add', 'auth', 'glob:src/**', '--max-files', '0']],
    [['add', 'auth', 'glob:src/**', '--exclude', '../**']],
    [['preview', 'auth', 'auth']],
    [['preview', 'auth', '--page', '2']],
    [['render', 'auth', '--page-tokens', '1000', '--page', '9']],
    [['remove', 'auth', '']],
    [['mend', 'auth']],
  ])('%j is wrong usage, and says what is right', async (args) => {
    const dir = projectOf(SOURCES);
    await packIn(dir, 'src/a.ts');
    const refused = await pack(dir, ...args);
    expect(refused.stderr).toMatch(/^ {2}→ /m);
    expect([refused.code, refused.stdout]).toEqual(args[0] === 'remove' ? [1, ''] : [2, '']);
  });

  it('takes a sensitive file when a person says so, and keeps its secrets out', async () => {
    const dir = projectOf({ '.env': `GITHUB_TOKEN=${TOKEN}\nPORT=1\n` });
    await pack(dir, 'create', 'auth');
    await pack(dir, 'add', 'auth', 'file:.env', '--allow-sensitive');
    const { stdout } = await pack(dir, 'render', 'auth');
    expect(stdout).toContain('PORT=1');
    expect(stdout).not.toContain(TOKEN);
    expect((await shownOf(dir)).artifacts).toMatchObject([{ options: { allowSensitive: true } }]);
  });

  it('says what a path, an order or a budget should have been', async () => {
    const dir = projectOf(SOURCES);
    await pack(dir, 'create', 'auth');
    expect((await pack(path.join(dir, 'src'), 'add', 'auth', 'a.ts')).stderr).toContain(
      'did you mean src/a.ts?',
    );
    expect((await pack(dir, 'add', 'docs/c.md', 'auth')).stderr).toContain(
      'the pack comes first [USAGE]\n  → ben10 pack add auth docs/c.md',
    );
    for (const budget of ['lots', '0'])
      expect((await pack(dir, 'set', 'auth', '--budget', budget)).stderr).toContain(
        `or none, not "${budget}"`,
      );
  });

  it('names largest files with their tokens, or not at all', async () => {
    const dir = projectOf({
      'src/first-of-long-names.ts': 'one\n',
      'src/second-of-long-names.ts': 'two\n',
      'src/third-of-long-names.ts': 'three\n',
    });
    await packIn(dir, 'glob:src/**');
    const { stdout } = await pack(dir, 'preview', 'auth', '--tokens');
    const row = stdout.split('\n').find((line) => line.includes('glob'))!;
    expect(row).toMatch(/names\.ts \d+$/);
    expect((await pack(dir, 'verify', 'nope')).stderr).toContain(
      'there is no pack or snapshot "nope"',
    );
  });

  it('names the pack that is meant', { tags: 'long' }, async () => {
    const dir = projectOf(SOURCES);
    await packIn(dir, 'src/a.ts');
    for (const verb of ['show', 'preview', 'render', 'delete', 'set']) {
      const more = verb === 'set' ? ['--budget', '1000'] : [];
      const { code, stderr } = await pack(dir, verb, 'auht', ...more);
      expect([code, stderr]).toEqual([1, expect.stringContaining('did you mean "auth"?')]);
    }
    expect((await pack(dir, 'create', 'auth')).stderr).toContain('PACK_EXISTS');
  });
});

describe('previews and renders', () => {
  it('are the same payload, byte for byte, with tokens as another program counts them', async () => {
    const dir = projectOf({ ...SOURCES, 'src/key.ts': `const key = '${TOKEN}';\n` });
    await packIn(dir, 'glob:**', 'text:Mind the gap.');
    const { stdout } = await here(dir, ['pack', 'render', 'auth']);
    expect((await here(dir, ['pack', 'preview', 'auth', '--show-payload'])).stdout).toBe(stdout);
    const preview = json<Rendered>(await here(dir, ['pack', 'preview', 'auth', '--json']));
    expect(preview.payload_text).toBeNull();
    const rendered = json<Rendered>(await here(dir, ['pack', 'render', 'auth', '--json']));
    expect(rendered).toEqual({ ...preview, payload_text: stdout });
    expect(rendered.token_estimate).toBe(tokensOf(stdout));
    expect(rendered.redactions).toEqual({ 'GITHUB-TOKEN': 1 });
    expect(stdout).not.toContain(TOKEN);
    await here(dir, ['pack', 'render', 'auth', '-o', 'out.txt']);
    expect(readFileSync(path.join(dir, 'out.txt'), 'utf8')).toBe(stdout);
    const sum = spawnSync('sha256sum', ['out.txt'], { cwd: dir, encoding: 'utf8' });
    expect(sum.stdout.split(' ')[0]).toBe(rendered.payload_hash);
  });

  it('are the same with kept counts and without, which go with stored states', {
    tags: 'long',
  }, async () => {
    const dir = projectOf({ ...SOURCES, 'src/key.ts': `const key = '${TOKEN}';\n` });
    await packIn(dir, 'glob:**');
    const cold = await pack(dir, 'render', 'auth', '--json');
    const counts = path.join(dir, '.ben10/checkpoints/pack-counts/counts');
    const kept = readFileSync(counts);
    expect((await pack(dir, 'render', 'auth', '--json')).stdout).toBe(cold.stdout);
    expect(readFileSync(counts)).toEqual(kept);
    kept[kept.length - 1]! ^= 1;
    writeFileSync(counts, kept);
    expect((await pack(dir, 'render', 'auth', '--json')).stdout).toBe(cold.stdout);
  });

  it('take sources in place of a name, and several packs in the order given', {
    tags: 'long',
  }, async () => {
    const dir = projectOf(SOURCES);
    await packIn(dir, 'src/b.ts');
    await pack(dir, 'create', 'docs');
    await pack(dir, 'add', 'docs', 'docs/c.md');
    const included = async (...args: string[]) =>
      json<Rendered>(await pack(dir, 'preview', ...args, '--json')).included.map(
        ({ path: name }) => name,
      );
    expect(await included('glob:src/*', 'file:docs/c.md')).toEqual([
      'src/a.ts',
      'src/b.ts',
      'docs/c.md',
    ]);
    expect(await included('auth', '--with-pack', 'docs')).toEqual(['src/b.ts', 'docs/c.md']);
    expect(await included('docs', 'file:src/a.ts', 'auth')).toEqual([
      'docs/c.md',
      'src/a.ts',
      'src/b.ts',
    ]);
    const { stdout } = await pack(dir, 'preview', 'glob:src/**', '--count');
    const payload = (await pack(dir, 'render', 'glob:src/**')).stdout;
    expect(Number(stdout)).toBe(tokensOf(payload));
  });

  it('show what is in, what takes the room, and what is left out and why', async () => {
    const dir = projectOf({
      'src/long.ts': 'word '.repeat(300),
      'src/short.ts': 'word\n',
      'src/blob.bin': Buffer.from([0, 1]),
      'src/.env': 'A=1\n',
      'last.ts': 'word '.repeat(100),
    });
    await packIn(dir, 'glob:src/**');
    await pack(dir, 'add', 'auth', 'last.ts', '--priority', '-1');
    const { stdout } = await pack(dir, 'preview', 'auth', '--tokens', '--budget', '650');
    const lines = stdout.split('\n');
    expect(lines[0]).toMatch(/^auth {3}\d+ of 650 tokens \(cl100k\)$/);
    expect(lines[1]).toMatch(
      /^ in +0 glob +src\/\*\* +2 of 4 files +\d+ {2}▇{10} {2}long.ts \d+ {2}short.ts \d+$/,
    );
    expect(lines[2]).toMatch(/^ out +-1 file +last.ts +\d+ {2}over_budget$/);
    expect(lines[3]).toBe(
      'Left out: 1 denied (src/.env), 1 binary (src/blob.bin), 1 over_budget (last.ts)',
    );
    expect(lines[4]).toMatch(/^render [0-9a-f]{16}…$/);
  });

  it('fail where the policy says so, with the table and without a payload', async () => {
    const dir = projectOf({ 'long.ts': 'word '.repeat(3000) });
    await pack(dir, 'create', 'auth', '--budget', '1000', '--fill', 'fail');
    await pack(dir, 'add', 'auth', 'long.ts');
    const preview = await pack(dir, 'preview', 'auth');
    expect(preview.code).toBe(1);
    expect(preview.stdout).toContain('it does not fit, so nothing is rendered');
    const rendered = await pack(dir, 'render', 'auth');
    expect([rendered.code, rendered.stdout]).toEqual([1, '']);
    expect(rendered.stderr).toContain('1 too_large (long.ts)');
    expect(json<Rendered>(await pack(dir, 'render', 'auth', '--json')).payload_text).toBeNull();
  });

  it('come in pages that are cut between items, and together are all of it', {
    tags: 'long',
  }, async () => {
    const files = Array.from({ length: 12 }, (_, n) => [`f${n}.ts`, `word ${n}\n`.repeat(60)]);
    const dir = projectOf(Object.fromEntries(files));
    await packIn(dir, 'glob:*.ts');
    const whole = (await pack(dir, 'render', 'auth')).stdout;
    let pages = '';
    for (let page = 1; ; page += 1) {
      const args = ['--page-tokens', '500', '--page', `${page}`];
      const { stdout, stderr } = await pack(dir, 'render', 'auth', ...args);
      expect(tokensOf(stdout)).toBeLessThanOrEqual(500);
      if (page > 1) expect(stdout).toMatch(/^<ben10-item |^<\/ben10-pack>/);
      pages += stdout;
      if (!stderr.includes('; next: --page')) break;
    }
    expect(pages).toBe(whole);
  });
});
