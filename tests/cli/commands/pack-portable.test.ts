import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { run } from '../../../src/cli/run.ts';
import { folder, scratch } from '../../support.ts';
import { ben10, cleanEnv, inMemory, json, Memory, PROGRAM } from '../support.ts';

const FILES: Record<string, string> = {
  'src/jwt.ts': 'one\ntwo\nthree\n',
  'src/b/Z.ts': 'const password = "hunter2hunter2x";\n',
  'src/b/ä.ts': 'é\r\n',
  '.env': 'TOKEN=1\n',
};
const PACKS = `version: 1
packs:
  auth:
    policy: { budgetTokens: 5000, fill: prefix, tokenizer: cl100k, layout: rank }
    artifacts:
      - text: |
          Sessions last 15 minutes.
          Refresh tokens rotate.
        priority: 100
      - source: file:src/jwt.ts#L2-L3
        priority: 20
      - source: glob:src/b/**
        options: { exclude: ["**/*.js"] }
      - source: cmd:npm test
`;

/** A project with an empty journal, and these files. */
function project(files: Record<string, string> = FILES): string {
  const dir = folder({ ...files, 'packs.yaml': PACKS });
  mkdirSync(path.join(dir, '.ben10'), { mode: 0o700 });
  return dir;
}

const pack = (dir: string, ...args: string[]) => inMemory(dir, ['pack', ...args]);

async function withPacks(files?: Record<string, string>): Promise<string> {
  const dir = project(files);
  expect(await pack(dir, 'import', 'packs.yaml', '--yes')).toMatchObject({ code: 0 });
  return dir;
}

/** What a person at a terminal sees who types this. */
async function typing(dir: string, input: string, args: string[]) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const stdout = new Memory(100);
  const code = run(args, {
    env: cleanEnv(dir),
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout,
    stderr: new Memory(100),
    colorDepth: 1,
    cwd: dir,
    now: Date.now,
    interruption: () => new AbortController().signal,
  });
  stdin.end(input);
  return { code: await code, stdout: stdout.text };
}

const namesOf = async (dir: string): Promise<string[]> =>
  json<{ name: string }[]>(await pack(dir, 'list', '--json')).map(({ name }) => name);

describe('pack import', () => {
  it('shows what it would do, and does it when somebody agrees', async () => {
    const dir = project();
    const shown = await pack(dir, 'import', 'packs.yaml');
    expect(shown.code).toBe(1);
    expect(shown.stdout).toMatchInlineSnapshot(`
      "Pack auth is new.
       Pack auth: at most 5,000 tokens (cl100k); what has the lowest priority is dropped first.
       + text:Sessions last 15 minutes. Refresh tokens rotate.  priority 100
       + file:src/jwt.ts#L2-L3  priority 20
       + glob:src/b/**  exclude **/*.js  priority 0
       + cmd:npm test  priority 0
       ! Its commands were not run: ben10 pack capture auth

      Nothing was changed. To take it, run the same with --yes.
      "
    `);
    expect(await namesOf(dir)).toEqual([]);
    expect((await typing(dir, 'n\n', ['pack', 'import', 'packs.yaml'])).code).toBe(1);
    expect((await typing(dir, '', ['pack', 'import', 'packs.yaml'])).code).toBe(1);
    expect(await namesOf(dir)).toEqual([]);
    const agreed = await typing(dir, 'y\n', ['pack', 'import', 'packs.yaml']);
    expect(agreed).toMatchObject({ code: 0, stdout: expect.stringContaining('Take it? [y/N]') });
    expect(json(ben10(dir, ['pack', '--json']))).toMatchObject([{ name: 'auth' }]);
  });

  it('makes a pack as it is in the file, in the same order, and then has nothing to do', async () => {
    const dir = await withPacks();
    const before = (await pack(dir, 'export')).stdout;
    const [first, ...others] = before.split(/^(?= {6}- )/m);
    const turned = [first, ...others.toReversed()].join('').replace('5000', '6000');
    writeFileSync(path.join(dir, 'packs.yaml'), turned);
    const { stdout } = await pack(dir, 'import', 'packs.yaml', '--yes');
    expect(stdout).toContain('at most 6,000 tokens');
    expect((await pack(dir, 'export')).stdout).toBe(turned);
    expect(await pack(dir, 'import', 'packs.yaml')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('All of it is here already.'),
    });
  });

  it('takes neither a leave to give sensitive files, nor what a command printed, and runs nothing', async () => {
    const dir = project();
    const asked = `${PACKS}      - { source: file:.env, options: { allowSensitive: true } }\n`;
    writeFileSync(path.join(dir, 'packs.yaml'), asked.replace('npm test', 'touch ran'));
    const { code, stdout } = await pack(dir, 'import', 'packs.yaml', '--yes');
    expect(code).toBe(0);
    expect(stdout).toContain('file:.env gives no sensitive files');
    expect(stdout).toContain('Its commands were not run');
    const { stdout: lint } = await pack(dir, 'lint', 'auth', '--json');
    expect(json({ stdout: lint })).toContainEqual({ problem: 'denied', what: 'file:.env' });
    expect((await pack(dir, 'export', '--lock')).stdout).not.toContain('allowSensitive');
    expect(existsSync(path.join(dir, 'ran'))).toBe(false);
  });

  it('reads a ctx.toml', async () => {
    const dir = project();
    writeFileSync(
      path.join(dir, 'ctx.toml'),
      '[packs.style]\nartifacts = [{ source = "git:diff --base=main", priority = 5 }, { source = "file:./src/jwt.ts#L1-L2" }]\n',
    );
    expect(await pack(dir, 'import', 'ctx.toml', '--yes')).toMatchObject({ code: 0 });
    expect((await pack(dir, 'export', 'style')).stdout).toContain(`    artifacts:
      - source: git:diff
        priority: 5
        options: { base: main }
      - source: file:src/jwt.ts#L1-L2
        priority: 0
`);
  });

  it.each([
    ['another version', PACKS.replace('version: 1', 'version: 2'), 1],
    ['an alias', `${PACKS}      - &a { source: file:a }\n      - *a\n`, 16],
    ['an unknown key', PACKS.replace('priority: 20', 'weight: 20'), 11],
    ['a source outside', PACKS.replace('src/jwt.ts', '../jwt.ts'), 10],
    ['an option for git', `${PACKS}      - { source: git:diff, options: { base: -p } }\n`, 15],
    ['half a number of files', PACKS.replace('exclude: ["**/*.js"]', 'maxFiles: 0.5'), 12],
    ['501 artifacts', PACKS + '      - source: file:a\n'.repeat(497), 6],
    ['a name of another folder', PACKS.replace('auth:', '../auth:'), 3],
  ])('refuses a file with %s, says the line, and changes nothing', async (_, text, line) => {
    const dir = await withPacks();
    const before = (await pack(dir, 'export')).stdout;
    writeFileSync(path.join(dir, 'packs.yaml'), text);
    const { code, stdout } = await pack(dir, 'import', 'packs.yaml', '--yes', '--json');
    expect(code).toBe(1);
    expect(json({ stdout })).toMatchObject({ error: { code: 'CONFIG_INVALID', place: { line } } });
    expect((await pack(dir, 'export')).stdout).toBe(before);
  });

  it('refuses a name that is a secret', async () => {
    const dir = project();
    const secret = 'ghp_16c7e42f292c6912e7710c838347ae178b4a';
    writeFileSync(path.join(dir, 'packs.yaml'), PACKS.replace('src/jwt.ts#L2-L3', secret));
    const { code, stderr } = await pack(dir, 'import', 'packs.yaml', '--yes');
    expect(code).toBe(2);
    expect(stderr).toContain('contains a secret');
    expect(stderr).not.toContain(secret);
    expect(await namesOf(dir)).toEqual([]);
  });
});

describe('a pack that travels', () => {
  const FILE = 'ben10.packs.yaml';

  it('is the same in another journal, to the byte of its file', async () => {
    const dir = await withPacks();
    const { stdout } = await pack(dir, 'export', '--lock');
    const other = project();
    writeFileSync(path.join(other, 'packs.yaml'), stdout);
    expect(await pack(other, 'import', 'packs.yaml', '--yes')).toMatchObject({ code: 0 });
    expect((await pack(other, 'export', 'auth', '--lock')).stdout).toBe(stdout);
  });

  it('renders the same for another user, in another locale, folder and order of listing, without a journal', async () => {
    const dir = await withPacks();
    const exported = await pack(dir, 'export', '--lock', '-o', FILE, '--json');
    const hash = json<{ packs: { render_hash: string }[] }>(exported).packs[0]!.render_hash;
    // Of the first machine that made it.
    expect(hash).toBe('afa175023f2f368f1c047a6567e24c53a8744966b7bd7a54688152c00ab67b55');
    const other = path.join(scratch(), 'x y', 'ü');
    for (const name of Object.keys(FILES).toReversed())
      cpSync(path.join(dir, name), path.join(other, name));
    cpSync(path.join(dir, FILE), path.join(other, FILE));
    for (const open of [
      other,
      path.join(other, '..'),
      path.join(other, '../..'),
      path.join(other, 'src'),
    ])
      chmodSync(open, 0o755);
    const before = readdirSync(other, { recursive: true });
    const isRoot = process.getuid?.() === 0;
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [PROGRAM, 'pack', 'verify', FILE],
      {
        cwd: other,
        env: cleanEnv(path.join(other, 'no-home'), { LC_ALL: 'tr_TR.UTF-8', TZ: 'Asia/Tokyo' }),
        encoding: 'utf8',
        ...(isRoot && { uid: 65_534, gid: 65_534 }),
      },
    );
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: `auth is the same: render ${hash}\n`,
      stderr: '',
    });
    expect(readdirSync(other, { recursive: true })).toEqual(before);
  });

  it('and differs is told, with each item and its tokens', async () => {
    const dir = await withPacks();
    await pack(dir, 'export', '--lock', '-o', FILE);
    rmSync(path.join(dir, 'src/b/ä.ts'));
    writeFileSync(path.join(dir, 'src/b/new.ts'), 'new\n');
    writeFileSync(path.join(dir, 'src/jwt.ts'), 'one\ntwo and a half\nthree\n');
    const { code, stdout } = await pack(dir, 'verify', FILE, '--json');
    expect(code).toBe(1);
    expect(json<{ same: boolean; items: unknown[] }[]>({ stdout })).toMatchObject([
      {
        name: 'auth',
        same: false,
        items: [
          { kind: 'range', label: 'src/jwt.ts#L2-L3', before: 26, after: 29 },
          { kind: 'glob', label: 'src/b/new.ts', after: 18 },
          { kind: 'glob', label: 'src/b/ä.ts', before: 19 },
        ],
      },
    ]);
    expect((await pack(dir, 'verify', FILE)).stdout).toContain('~ src/jwt.ts#L2-L3');
    await pack(dir, 'export', '--lock', '-o', FILE);
    const file = path.join(dir, FILE);
    writeFileSync(file, readFileSync(file, 'utf8').replace('5000', '5001'));
    expect((await pack(dir, 'verify', FILE)).stdout).toContain(
      'All items are the same; the policy',
    );
  });

  it('has nothing to be compared with without a lock', async () => {
    const dir = await withPacks();
    expect(await pack(dir, 'verify', './packs.yaml')).toMatchObject({ code: 2 });
    expect(await pack(dir, 'verify', 'auth')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no snapshot of pack auth'),
    });
  });
});

describe('pack lint', () => {
  it('finds nothing where all is in order', async () => {
    const dir = await withPacks();
    writeFileSync(path.join(dir, 'p.yaml'), PACKS.replace('      - source: cmd:npm test\n', ''));
    await pack(dir, 'import', 'p.yaml', '--yes');
    expect(await pack(dir, 'lint', 'auth')).toMatchObject({
      code: 0,
      stdout: 'Nothing was found.\n',
    });
  });

  it('finds what is not there, and why', async () => {
    const dir = project({ ...FILES, 'big.txt': 'word '.repeat(9000) });
    const sources = [
      'file:gone.ts',
      'file:.env',
      'file:src/jwt.ts',
      'file:src/jwt.ts#L2-L9',
      'file:src/b/Z.ts#L1-L9',
      'file:src/b/Z.ts#L7-L9',
      'glob:nothing/**',
      'file:big.txt',
    ];
    const artifacts = sources.map((source) => `      - source: ${source}\n`).join('');
    writeFileSync(
      path.join(dir, 'packs.yaml'),
      PACKS.replace(/( {4}artifacts:\n)[\s\S]*/, `$1${artifacts}`),
    );
    await pack(dir, 'import', 'packs.yaml', '--yes');
    const { code, stdout } = await pack(dir, 'lint', 'auth', '--json');
    expect(code).toBe(1);
    expect(json({ stdout })).toEqual([
      { problem: 'missing', what: 'file:gone.ts' },
      { problem: 'denied', what: 'file:.env' },
      { problem: 'duplicate', what: 'file:src/jwt.ts#L2-L9' },
      { problem: 'range_past_end', what: 'file:src/b/Z.ts#L1-L9', about: 'it ends at line 1' },
      { problem: 'range_past_end', what: 'file:src/b/Z.ts#L7-L9' },
      { problem: 'empty', what: 'glob:nothing/**' },
      {
        problem: 'over_budget',
        what: 'big.txt',
        about: expect.stringContaining('tokens do not fit'),
      },
    ]);
  });
});
