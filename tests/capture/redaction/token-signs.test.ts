import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { allSigns } from '../../../src/capture/redaction/table/token-at.ts';
import { TOKEN_SIGNS } from '../../../src/capture/redaction/token-signs.ts';
import { hasTokenStart, RUN_CHARS_MIN } from '../../../src/capture/redaction/token-starts.ts';
import { BASE62, chars, seeded } from './samples.ts';

const random = seeded(3);

describe('the beginnings of tokens', () => {
  it('are those of the table, as `node tools/redaction.mjs signs` writes them', () => {
    const listed = Object.entries(TOKEN_SIGNS).flatMap(([first, signs]) => {
      expect(signs).toMatch(/^ .* $/);
      const words = signs.trim().split(' ');
      for (const word of words) expect(word.startsWith(first)).toBe(true);
      return words;
    });
    expect(listed.sort()).toEqual(allSigns());
    for (const sign of listed) expect(sign).toMatch(/^[\w.~+/-]{2,8}$/);
  });

  it('are found wherever they stand, also in a process that has searched much', () => {
    for (const filler of ['', 'word, '.repeat(3), 'word, '.repeat(2000)]) {
      for (const before of ['', ' ', '"', '=', '\\n', '\x1b[31m', '%3D', '\\u0022', 'x_', 'a/b/']) {
        const token = `ghp_${chars(random, BASE62, 36)}`;
        expect(hasTokenStart(`${filler}${before}${token}`), `${filler.length} ${before}`).toBe(
          true,
        );
        expect(hasTokenStart(`${filler}${before}${token}, ${filler}`)).toBe(true);
      }
    }
    expect(hasTokenStart('word, '.repeat(3000))).toBe(false);
  });

  it('are none in what is shorter than every token, or goes on like a word', () => {
    const shortest = `ghp_${'1'.repeat(RUN_CHARS_MIN - 4)}`;
    expect(hasTokenStart(shortest)).toBe(true);
    expect(hasTokenStart(shortest.slice(1))).toBe(false);
    for (const word of [
      'secret_name_of_things',
      'patternProperties',
      'transcript_path',
      'sk-some-long-class',
    ])
      expect(hasTokenStart(word)).toBe(false);
  });
});

describe('the sources', () => {
  it('hold no token that a scanner would find', () => {
    const dir = path.join(import.meta.dirname, '../../../src/capture/redaction/table');
    const text = readFileSync(path.join(dir, 'tokens-services.ts'), 'utf8');
    expect(text).not.toMatch(/sk_live_[A-Za-z0-9]{16}/);
  });
});
