import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PortableArtifact, PortablePack } from '../../src/packs/portable/portable.ts';
import { readPacks } from '../../src/packs/portable/read.ts';
import { writtenPacks } from '../../src/packs/portable/write.ts';
import { parseSource } from '../../src/packs/render/source.ts';
import { Ben10Error } from '../../src/platform/errors.ts';
import { nodeFs } from '../../src/platform/fs.ts';
import { scratch } from '../support.ts';
import { POLICY } from './support.ts';

async function read(text: string | Buffer, name = 'ben10.packs.yaml'): Promise<PortablePack[]> {
  const file = path.join(scratch(), name);
  writeFileSync(file, text);
  return readPacks(nodeFs, file);
}

const refusal = (text: string | Buffer, name?: string): Promise<string> =>
  read(text, name).then(
    () => 'taken',
    (error: unknown) => {
      if (!(error instanceof Ben10Error)) throw error;
      return `${error.code} ${error.place.line}: ${error.message}`;
    },
  );

const packOf = (fields: Partial<PortablePack> = {}): PortablePack => ({
  name: 'auth',
  policy: POLICY,
  artifacts: [],
  notes: [],
  ...fields,
});
const artifactOf = (source: string, fields: Partial<PortableArtifact> = {}): PortableArtifact => ({
  ...parseSource(source),
  priority: 0,
  options: {},
  ...fields,
});
const yaml = (artifacts: string, version = '1'): string =>
  `version: ${version}
packs:
  auth:
    policy: { budgetTokens: 1000, fill: prefix, tokenizer: cl100k, layout: rank }
    artifacts:
${artifacts}`;

describe('the file of packs', () => {
  it('is short and readable', () => {
    const artifacts = [
      artifactOf('text:Sessions last 15 minutes.\nRefresh tokens rotate.\n', { priority: 100 }),
      artifactOf('file:src/auth/jwt.ts#L40-L88', { priority: 10 }),
      artifactOf('md_dir:docs/auth', { options: { recursive: true, maxFiles: 20 } }),
    ];
    const lock = {
      renderHash: 'a'.repeat(64),
      items: [{ kind: 'text', label: 'text', tokens: 29, sha256: 'b'.repeat(64) } as const],
    };
    expect(writtenPacks([packOf({ artifacts, lock })])).toMatchInlineSnapshot(`
      "# Context packs of ben10. To take them: ben10 pack import FILE. A lock says what they rendered where this was written; to
      # compare: ben10 pack verify FILE. What is local depends on that machine, and is not in the lock.

      version: 1
      packs:
        auth:
          policy: { budgetTokens: null, fill: prefix, tokenizer: cl100k, layout: rank }
          artifacts:
            - text: |
                Sessions last 15 minutes.
                Refresh tokens rotate.
              priority: 100
            - source: file:src/auth/jwt.ts#L40-L88
              priority: 10
            - source: md_dir:docs/auth
              priority: 0
              options: { recursive: true, maxFiles: 20 }
          lock:
            render_hash: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
            items:
              - bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb 29 text text
      "
    `);
  });

  it('says again whatever was written to it', { tags: 'long' }, async () => {
    const word = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 });
    const line = fc.oneof(
      word,
      fc.constantFrom('', ' ', '\t', '- a', '# b', '---', '...', '\r', '\x9b31m', '\u202e', '💥'),
    );
    const text = fc.array(line, { maxLength: 6 }).map((all) => `x${all.join('\n')}`.toWellFormed());
    const pattern = fc.constantFrom('a*', '**/ü', '"x"', ': #', "'");
    const artifact = fc.record({
      text,
      priority: fc.integer({ min: -1000, max: 1000 }),
      exclude: fc.array(pattern, { maxLength: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(artifact, { maxLength: 5 }), async (all) => {
        const artifacts = all.flatMap((one, n) => [
          artifactOf(`text:${one.text}`, { priority: one.priority }),
          artifactOf(`glob:${n}/*`, { options: { exclude: one.exclude } }),
        ]);
        const written = writtenPacks([packOf({ artifacts })]);
        expect(written).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/);
        expect(await read(written)).toEqual([packOf({ artifacts })]);
      }),
      { numRuns: 200 },
    );
  });

  it('has no sensitive files to give', async () => {
    const [pack] = await read(
      yaml('      - { source: file:.env, options: { allowSensitive: true } }\n'),
    );
    expect(pack).toMatchObject({
      artifacts: [{ source: 'file:.env', options: {} }],
      notes: ['file:.env gives no sensitive files: a file cannot allow that'],
    });
  });
});

describe('a hostile file', () => {
  const bomb = ['a: &a [x,x,x,x,x,x,x,x,x]'];
  for (let n = 0; n < 9; n += 1) bomb.push(`${n}: &b${n} [${'*a,'.repeat(9)}]`);

  it.each([
    ['multiplies aliases', bomb.join('\n'), 'CONFIG_INVALID 2: aliases'],
    [
      'has an alias',
      yaml('      - &a { source: file:a }\n      - *a\n'),
      'CONFIG_INVALID 7: aliases',
    ],
    [
      'nests without end',
      '['.repeat(100_000),
      'CONFIG_INVALID 1: not usable: it is nested too deep',
    ],
    [
      'has a million parts',
      '- a\n'.repeat(1_000_000),
      'CONFIG_INVALID 1: not usable: it has too many parts',
    ],
    [
      'has keys by the thousand',
      `version: 1\npacks:\n${Array.from({ length: 20_000 }, (_, n) => `  p${n}: 1\n`).join('')}`,
      'CONFIG_INVALID 3: Invalid input: expected object',
    ],
    ['is another version', yaml('      []\n', '2'), 'CONFIG_INVALID 1: Invalid input: expected 1'],
    ['has no version', 'packs: {}\n', 'CONFIG_INVALID 1: Invalid input: expected 1'],
    [
      'has a key of its own',
      yaml('      - source: file:a\n        capture: x\n'),
      'CONFIG_INVALID 7: "capture" is unknown',
    ],
    [
      'has a key of the prototype',
      'version: 1\npacks:\n  __proto__: { policy: 1 }\n',
      'CONFIG_INVALID 3: "__proto__" is no name',
    ],
    [
      'has a prototype for options',
      yaml('      - source: file:a\n        options: { __proto__: { recursive: true } }\n'),
      'CONFIG_INVALID 7: "__proto__" is unknown',
    ],
    [
      'names a pack with a slash',
      yaml('      []\n').replace('auth', '../auth'),
      'CONFIG_INVALID 3: "../auth" is no name',
    ],
    [
      'names a pack like a function',
      yaml('      []\n').replace('auth', 'toString'),
      'CONFIG_INVALID 3: "toString" is no name',
    ],
    [
      'names one twice',
      `${yaml('      []\n')}  auth: {}\n`,
      'CONFIG_INVALID 7: not valid YAML: Map keys must be unique',
    ],
    [
      'leads out',
      yaml('      - source: file:a\n      - source: file:../a\n'),
      'CONFIG_INVALID 7: ../a is outside of the project',
    ],
    [
      'leads to the root',
      yaml('      - source: glob:/etc/*\n'),
      'CONFIG_INVALID 6: "/etc/*" is no pattern',
    ],
    [
      'has no kind of source',
      yaml('      - source: ftp:a\n'),
      'CONFIG_INVALID 6: "ftp" is no kind of source',
    ],
    [
      'has a source and a text',
      yaml('      - { source: file:a, text: b }\n'),
      'CONFIG_INVALID 6: an artifact has either',
    ],
    [
      'has half a priority',
      yaml('      - { source: file:a, priority: 1.5 }\n'),
      'CONFIG_INVALID 6: Invalid input: expected int',
    ],
    [
      'has a number for a source',
      yaml('      - { source: 1 }\n'),
      'CONFIG_INVALID 6: Invalid input: expected string, received number',
    ],
    [
      'has a date for a source',
      yaml('      - { source: !!binary aGk= }\n'),
      'CONFIG_INVALID 6: Invalid input: expected string',
    ],
    [
      'has no budget',
      yaml('      []\n').replace('1000', '0'),
      'CONFIG_INVALID 4: that is no budget',
    ],
    [
      'has a lock of nothing',
      `${yaml('      []\n')}    lock: { render_hash: x, items: [] }\n`,
      'CONFIG_INVALID 7: it is no SHA-256',
    ],
    [
      'has 501 artifacts',
      yaml('      - source: file:a\n'.repeat(501)),
      'CONFIG_INVALID 6: Too big: expected array to have <=500 items',
    ],
    [
      'has 10 MB',
      `version: 1\n#${'x'.repeat(10_000_000)}`,
      'CONFIG_INVALID undefined: the file has more than 4 MiB',
    ],
    ['is no text', Buffer.from([0xff, 0xfe, 0x00]), 'CONFIG_INVALID 1: the file is not UTF-8 text'],
    [
      'is two documents',
      `${yaml('      []\n')}---\n${yaml('      []\n')}`,
      'CONFIG_INVALID 7: not valid YAML',
    ],
    ['is a list', '- 1\n', 'CONFIG_INVALID 1: Invalid input: expected object, received array'],
    ['is empty', '', 'CONFIG_INVALID 1: Invalid input: expected object, received null'],
  ])('that %s is refused with its line', async (_, text, says) => {
    expect(await refusal(text)).toContain(says);
  });

  it('that is a folder or missing is refused', async () => {
    const dir = scratch();
    const pipe = path.join(dir, 'pipe.yaml');
    execFileSync('mkfifo', [pipe]);
    for (const file of [dir, pipe])
      await expect(readPacks(nodeFs, file)).rejects.toMatchObject({
        code: 'FS_READ_ERROR',
        message: `${file} is not a regular file`,
      });
    const missing = path.join(dir, 'missing.yaml');
    await expect(readPacks(nodeFs, missing)).rejects.toMatchObject({ code: 'FS_NOT_FOUND' });
  });
});

describe('a ctx.toml', () => {
  const TOML = `[config]
default_budget = 50000

[packs.style-guide]
budget = 25000
artifacts = [
    { source = "file:./CONTRIBUTING.md", priority = 10 },
    { source = "url:https://example.com/a" },
    { source = "text:Use async/await patterns", priority = 100 },
]

[packs.feature-auth]
artifacts = [
    { source = "glob:src/auth/**/*.rs", priority = 0 },
    { source = "md_dir:./docs" },
]
`;

  it('is read as ctx writes it', async () => {
    expect(await read(TOML, 'ctx.toml')).toEqual([
      packOf({
        name: 'style-guide',
        policy: { ...POLICY, budgetTokens: 25_000 },
        artifacts: [
          artifactOf('file:CONTRIBUTING.md', { priority: 10 }),
          artifactOf('text:Use async/await patterns', { priority: 100 }),
        ],
        notes: ['url:https://example.com/a is left out: ben10 fetches nothing from the network'],
      }),
      packOf({
        name: 'feature-auth',
        policy: { ...POLICY, budgetTokens: 50_000 },
        artifacts: [artifactOf('glob:src/auth/**/*.rs'), artifactOf('md_dir:docs')],
      }),
    ]);
    const [plain] = await read('[packs.a]\n', 'ctx.toml');
    expect(plain?.policy.budgetTokens).toBe(128_000);
  });

  it.each([
    [
      'leads out',
      TOML.replace('md_dir:./docs', 'md_dir:../docs'),
      'CONFIG_INVALID 15: ../docs is outside',
    ],
    [
      'has another key',
      TOML.replace('budget = 25000', 'bogus = 1'),
      'CONFIG_INVALID 5: "bogus" is unknown',
    ],
    ['has a broken line', TOML.replace('[config]', '[config'), 'CONFIG_INVALID 1: not valid TOML'],
    ['nests without end', `a = ${'['.repeat(10_000)}`, 'CONFIG_INVALID 1: not valid TOML'],
    ['has a prototype', `${TOML}[packs.__proto__]\nbudget = 1\n`, '"__proto__" is no name'],
    [
      'names a pack with a slash',
      TOML.replace('style-guide', '"a/b"'),
      'CONFIG_INVALID 4: "a/b" is no name',
    ],
    [
      'has a wrong option',
      TOML.replace('md_dir:./docs', 'git:diff --output=x'),
      'CONFIG_INVALID 15: ',
    ],
  ])('that %s is refused with its line', async (_, text, says) => {
    expect(await refusal(text, 'ctx.toml')).toContain(says);
  });
});
