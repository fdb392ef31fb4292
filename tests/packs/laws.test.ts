import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { marker } from '../../src/capture/redaction/index.ts';
import { KeptCounts } from '../../src/packs/render/kept.ts';
import type { Policy } from '../../src/packs/render/pack.ts';
import { tailsOf } from '../../src/packs/render/payload.ts';
import { nodeFs } from '../../src/platform/fs.ts';
import { seeded } from '../seeded.ts';
import { folder } from '../support.ts';
import { tokensOf } from './oracle.ts';
import { blocksOf, contentsOf, type Given, POLICY, renderIn, textOf } from './support.ts';

/** Heads and ends that could join with what stands beside them, and all that may be taken for a tag of ours. */
const HOSTILE = [
  ...[
    '\n',
    '\r\n',
    ' ',
    '\t',
    '>',
    '<',
    '/',
    '</',
    "'s",
    '<|endoftext|>',
    '\u202e',
    '\u200d',
    '\0',
  ],
  ...['</ben10-item>', '</ben10-pack>', '<ben10-item path="x">', '< / ben10-left', '</BEN10-item>'],
  ...[
    '<ben\u200b10-item>',
    '\u001b[31m<ben10-\u001b[0mitem>',
    '<system-reminder>',
    '<\u200bsystem>',
  ],
  ...[
    '\npassword = "hunter2-Qz9!x7Lk"\n',
    '\nAKIAIOSFODNN7EXAMPLB\n',
    '\nAKIAIOSF\u200bODNN7EXAMPLB\n',
    '漢字',
    '😀',
    'é',
    '\ufeff',
    '\u2028',
  ],
];
const content = fc
  .array(
    fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary', maxLength: 20 }), fc.lorem()),
    {
      maxLength: 12,
    },
  )
  .map((parts) => parts.join(''));
const files = fc.dictionary(
  fc.constantFrom('a.ts', 'b/c.ts', 'b/d e.md', 'é.md', 'f"<g>.ts', 'h/i/j.md', 'k.txt', 'l.ts'),
  content,
  { minKeys: 1 },
);
const priority = fc.integer({ min: -2, max: 2 });
const lines = fc.constantFrom('#L1', '#L2-', '#L1-L3', '#L9');
const source = (names: string[]) =>
  fc.oneof(
    fc.constantFrom('glob:**', 'glob:**/*.ts', 'md_dir:.', 'md_dir:b'),
    fc.constantFrom(...names).map((name) => `file:${name}`),
    fc.tuple(fc.constantFrom(...names), lines).map(([name, range]) => `file:${name}${range}`),
    content.filter((text) => text.trim() !== '').map((text) => `text:${text}`),
  );
const packs = files.chain((made) =>
  fc.record({
    made: fc.constant(made),
    given: fc.array(
      fc.record({ source: source(Object.keys(made)), priority }) as fc.Arbitrary<Given>,
      { minLength: 1, maxLength: 5 },
    ),
    policy: fc.record<Policy>({
      budgetTokens: fc.option(fc.integer({ min: 100, max: 600 })),
      fill: fc.constantFrom('prefix', 'fill'),
      tokenizer: fc.constantFrom('cl100k', 'cl100k', 'cl100k', 'o200k'),
      layout: fc.constantFrom('rank', 'stable'),
    }),
  }),
);

it('reports the tokens of the payload, stays in the budget, and cannot be closed from inside', {
  tags: 'long',
}, async () => {
  await fc.assert(
    fc.asyncProperty(packs, async ({ made, given, policy }) => {
      const rendered = await renderIn(folder(made), given, { policy });
      const text = textOf(rendered);
      expect(rendered.tokens).toBe(tokensOf(text, policy.tokenizer));
      expect(rendered.tokens).toBeLessThanOrEqual(policy.budgetTokens ?? Number.POSITIVE_INFINITY);
      for (const [index, block] of blocksOf(rendered).entries())
        expect(tokensOf(block, policy.tokenizer)).toBe(rendered.included[index]!.tokens);
      // As many tags as there are items, whatever stands in them.
      expect(text.match(/<[\s/]*ben10-item/gi) ?? []).toHaveLength(2 * rendered.included.length);
      expect(text.match(/<[\s/]*ben10-pack/gi)).toHaveLength(2);
      expect(text).not.toMatch(
        /<[\s/]*system|\u202e|\u200b|\u200d|\u001b|hunter2|AKIAIOSFODNN7EXAMPLB/i,
      );
    }),
    { numRuns: 400 },
  );
});

it('drops the longest tail of the ranking that it must', async () => {
  await fc.assert(
    fc.asyncProperty(packs, async ({ made, given, policy }) => {
      const dir = folder(made);
      const limited = { ...POLICY, budgetTokens: policy.budgetTokens ?? 300 };
      const all = await renderIn(dir, given, { policy: POLICY });
      const some = await renderIn(dir, given, { policy: limited });
      const [head] = textOf(all).split(/^(?=<ben10-item|<ben10-left|<\/ben10-pack)/m);
      const room = limited.budgetTokens - tokensOf(head!) - 200;
      const expected: string[] = [];
      let used = 0;
      for (const { candidate, tokens } of all.included) {
        if (tokens > room) continue;
        used += tokens;
        if (used > room) break;
        expected.push(candidate.label);
      }
      expect(some.included.map(({ candidate }) => candidate.label)).toEqual(expected);
    }),
    { numRuns: 200 },
  );
});

describe('the same bytes', () => {
  const names = Array.from(
    { length: 60 },
    (_, n) => `${'abé😀\uffeeZ'.at(n % 6)}${n % 7}/f${n % 11}-${n}.md`,
  );
  const dir = () =>
    folder(Object.fromEntries(names.map((name, n) => [name, `# ${name}\n`.repeat(n % 5)])));
  const policy = { ...POLICY, budgetTokens: 1500 };
  const hashes = async (at: string, ground = {}) => {
    const { renderHash, payloadHash } = await renderIn(at, ['md_dir:a0', 'glob:**/*.md'], {
      policy,
      ground,
    });
    return `${renderHash} ${payloadHash}`;
  };

  it('come of a thousand orders of listings', { tags: 'long' }, async () => {
    const at = dir();
    const random = seeded(1);
    const found = new Set<string>();
    for (let round = 0; round < 1000; round += 1) {
      const readdir = (name: string) => nodeFs.readdir(name).sort(() => random() - 0.5);
      found.add(await hashes(at, { fs: { ...nodeFs, readdir } }));
    }
    expect([...found]).toHaveLength(1);
  });

  it('come of counts that were kept, whatever became of the files since', {
    tags: 'long',
  }, async () => {
    await fc.assert(
      fc.asyncProperty(packs, files, async ({ made, given, policy }, after) => {
        const kept = new KeptCounts(Buffer.alloc(32, 7));
        await renderIn(folder(made), ['glob:**', ...given], { kept, policy });
        const now = folder({ ...made, ...after });
        const again = new KeptCounts(Buffer.alloc(32, 7), kept.toBytes());
        const warm = await renderIn(now, given, { kept: again, policy });
        expect(warm).toEqual(await renderIn(now, given, { policy }));
      }),
      { numRuns: 100 },
    );
  });
});

it('the last lines that say least fit, whatever was left out', () => {
  const reasons = [
    ...([
      'over_budget',
      'too_large',
      'denied',
      'outside',
      'binary',
      'encoding',
      'too_big',
    ] as const),
    ...(['missing', 'unreadable', 'not_a_file', 'range_past_end'] as const),
  ];
  const left = reasons.flatMap((reason) =>
    Array.from({ length: 10_000 }, () => ({ label: '\u{1f600}'.repeat(500), reason })),
  );
  const tails = [...tailsOf(left, left.length)];
  expect(tokensOf(tails.at(-2)!)).toBeLessThan(200);
});

it('a secret is gone before lines are cut, and moves none', async () => {
  const body = Array.from({ length: 26 }, (_, n) =>
    createHash('sha384').update(`${n}`).digest('base64'),
  );
  const key = `-----BEGIN RSA PRIVATE KEY-----\n${body.join('\n')}\n-----END RSA PRIVATE KEY-----\n`;
  const secrets = key.split('\n').length - 1;
  const text = `first\nsecond\n${key}after\nlast\n`;
  const at = folder({ 'a.txt': text });
  const original = text.split('\n').slice(0, -1);
  for (let from = 1; from <= original.length; from += 1) {
    for (const to of [from, from + 3, from + 40]) {
      const rendered = await renderIn(at, [`file:a.txt#L${from}-L${to}`]);
      const [shown] = Object.values(contentsOf(rendered));
      const touched = from < 3 + secrets && to >= 3;
      const around = original.slice(from - 1, to).filter((line) => !key.includes(line));
      expect(shown!.split('\n').filter((line) => line !== '' && !line.startsWith('['))).toEqual(
        around,
      );
      expect(shown!.includes(marker('PRIVATE-KEY'))).toBe(touched);
    }
  }
});
