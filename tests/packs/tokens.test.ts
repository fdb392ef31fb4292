import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadCounter } from '../../src/packs/render/tokens.ts';
import { tokensOf } from './oracle.ts';

describe.each(['cl100k', 'o200k'] as const)('%s', (tokenizer) => {
  it('counts recorded sessions as another program does', async () => {
    const count = await loadCounter(tokenizer);
    const folder = path.join(import.meta.dirname, '../fixtures/transcripts');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.jsonl'),
    );
    expect(files.length).toBeGreaterThan(5);
    for (const name of files) {
      const text = readFileSync(path.join(folder, name), 'utf8').slice(0, 40_000);
      expect([name, count(text)]).toEqual([name, tokensOf(text, tokenizer)]);
    }
  });

  it('counts any text as another program does', async () => {
    const count = await loadCounter(tokenizer);
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.string({ unit: 'grapheme', maxLength: 30 }),
      fc.string({ maxLength: 40 }),
      fc.constantFrom(
        '  ',
        '\n',
        '\n\n',
        '\r\n',
        '\t',
        "'s",
        "'LL",
        '<|endoftext|>',
        '﷽',
        '👩‍👩‍👧‍👦',
        '/',
        '//\n',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('');
        expect(count(text)).toBe(tokensOf(text, tokenizer));
      }),
      { numRuns: 2000 },
    );
  });

  it('counts long runs of one kind of character exactly', { tags: 'long' }, async () => {
    const count = await loadCounter(tokenizer);
    const unit = fc.constantFrom(
      ' ',
      '\n',
      '\t',
      '-',
      '=',
      'a',
      'A',
      'é',
      '漢',
      '0',
      'ab',
      'aAb',
      '─',
      '😀',
      '\u{10ffff}',
    );
    fc.assert(
      fc.property(unit, fc.integer({ min: 500, max: 1000 }), unit, (one, times, end) => {
        const text = one.repeat(times) + end;
        expect(count(text)).toBe(tokensOf(text, tokenizer));
      }),
      { numRuns: 10 },
    );
  });

  // A quadratic merge would need hours.
  it.each(['a', ' '])('ends on a megabyte of %j', { tags: 'long' }, async (one) => {
    const count = await loadCounter(tokenizer);
    const tokens = tokensOf(one.repeat(1024), tokenizer);
    expect(count(one.repeat(1024 * 1024)) / tokens / 1024).toBeCloseTo(1, 1);
  });
});
