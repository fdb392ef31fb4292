import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { folder } from '../../support.ts';
import { inMemory, json } from '../support.ts';

interface Rendered {
  included: { source: string; path?: string; redactions: Record<string, number> }[];
  excluded: { path?: string; reason: string }[];
  redactions: Record<string, number>;
  payload_hash: string;
  payload_text: string;
}

/** A project with these files and a pack of these sources. */
async function packOf(
  files: Record<string, string | Buffer>,
  ...sources: string[]
): Promise<string> {
  const dir = folder(files);
  mkdirSync(path.join(dir, '.ben10'), { mode: 0o700 });
  await run(dir, 'create', 'auth');
  if (sources.length > 0) await run(dir, 'add', 'auth', ...sources);
  return dir;
}

async function run(dir: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await inMemory(dir, ['pack', ...args]);
  if (code !== 0) throw new Error(`${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

const rendered = async (dir: string): Promise<Rendered> =>
  JSON.parse(await run(dir, 'render', 'auth', '--json'));

/** What stands between an item's tags. */
function contents({ payload_text }: Rendered): string[] {
  const blocks = payload_text.split(/^<ben10-item[^\n]*>\n/m).slice(1);
  return blocks.map((block) => block.slice(0, block.indexOf('</ben10-item>')));
}

const printed = (dir: string, program: string, ...args: string[]): string =>
  execFileSync(program, args, { cwd: dir, encoding: 'utf8' });

describe('what a pack renders', () => {
  it('is what cat and sed print of its files, and its texts as they are', async () => {
    const lines = Array.from({ length: 80 }, (_, n) => `line ${n + 1} é 漢\n`).join('');
    const dir = await packOf(
      { 'src/a.ts': lines, 'docs/b.md': '# b\n\n- c\n' },
      ...['file:src/a.ts#L1-L50', 'md:docs/b.md', 'text:Sessions last\n15 minutes.\n'],
    );
    expect(contents(await rendered(dir))).toEqual([
      printed(dir, 'sed', '-n', '1,50p', 'src/a.ts'),
      printed(dir, 'cat', 'docs/b.md'),
      'Sessions last\n15 minutes.\n',
    ]);
    await run(dir, 'remove', 'auth', 'file:src/a.ts#L1-L50');
    await run(dir, 'add', 'auth', 'file:src/a.ts');
    expect(contents(await rendered(dir))).toContain(printed(dir, 'cat', 'src/a.ts'));
  });

  it('has the digest that is told', async () => {
    const dir = await packOf({ 'a.ts': 'a\n' }, 'glob:**/*.ts');
    const told = await rendered(dir);
    writeFileSync(path.join(dir, 'payload.txt'), await run(dir, 'render', 'auth'));
    const digest = createHash('sha256').update(told.payload_text).digest('hex');
    expect(told.payload_hash).toBe(digest);
    if (process.platform === 'linux')
      expect(printed(dir, 'sha256sum', 'payload.txt')).toMatch(new RegExp(`^${digest} `));
  });

  it('has no secret of the six kinds, keeps their labels, and counts them by file and rule', async () => {
    const keyLines = Array.from({ length: 26 }, (_, n) => `MIIEpAIBAAKCAQEA${n}x`.padEnd(64, 'Q'));
    const pem = `-----BEGIN RSA PRIVATE KEY-----\n${keyLines.join('\n')}\n-----END RSA PRIVATE KEY-----\n`;
    const secrets: Record<string, string> = {
      'aws.txt': 'aws_access_key_id = AKIAQYLPMN5HHHFPZAM2\n',
      'api.txt': 'api_key: Zx81kPq0Lm2Nv7Rt5Ws9\n',
      'password.txt': 'password = "hunter2-Qz9!x7Lk"\n',
      'bearer.txt': 'Authorization: Bearer q8Zr4Tn1Wm6Yx3Vb0Kc5Jd\n',
      'github.txt': `token ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}\n`,
      'pem.txt': `before\n${pem}after\n`,
    };
    const dir = await packOf({ ...secrets, 'plain.txt': 'plain\n' }, 'glob:*.txt');
    const told = await rendered(dir);
    for (const secret of ['AKIAQYLP', 'Zx81kPq0', 'hunter2', 'q8Zr4Tn1', 'ghp_', 'MIIEpAIB'])
      expect(told.payload_text).not.toContain(secret);
    expect(told.payload_text).toMatch(/^api_key: \[REDACTED:[A-Z-]+\]$/m);
    expect(told.payload_text).toMatch(/^before\n\[REDACTED:[A-Z-]+\]\nafter$/m);
    const sum = (counts: Record<string, number>) =>
      Object.values(counts).reduce((all, one) => all + one, 0);
    expect(Object.fromEntries(told.included.map((one) => [one.path, sum(one.redactions)]))).toEqual(
      {
        ...Object.fromEntries(Object.keys(secrets).map((name) => [name, 1])),
        'plain.txt': 0,
      },
    );
    expect(sum(told.redactions)).toBe(6);
  });

  it('keeps the order of sources that came in one call, and takes the highest priority first', async () => {
    const names = ['c.md', 'a.md', 'b.md'];
    const dir = await packOf(
      Object.fromEntries(names.map((name) => [name, `${name}\n`])),
      ...names,
    );
    expect((await rendered(dir)).included.map((one) => one.path)).toEqual(names);
    await run(dir, 'add', 'auth', 'b.md', '--priority', '1');
    expect((await rendered(dir)).included.map((one) => one.path)).toEqual(['b.md', 'c.md', 'a.md']);
  });
});

describe('a source of git', () => {
  it.each([
    [['git:log']],
    [['git:diff', '--base', '-p']],
    [['git:diff', '--base=--output=x']],
    [['git:diff', '--base', 'a..b']],
    [['git:diff', '--base', '']],
  ])('%j is refused', async (args) => {
    const dir = await packOf({ 'a.ts': 'a\n' });
    printed(dir, 'git', 'init', '-q');
    const { code, stdout } = await inMemory(dir, ['pack', 'add', 'auth', ...args, '--json']);
    expect(code).toBe(2);
    expect(json({ stdout })).toMatchObject({ error: { code: 'USAGE' } });
    expect(JSON.parse(await run(dir, 'show', 'auth', '--json')).artifacts).toEqual([]);
  });
});
