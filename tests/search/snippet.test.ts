import { describe, expect, it } from 'vitest';
import { snippetOf } from '../../src/search/snippet.ts';

const of = (text: string, words: string, chars: number) =>
  snippetOf(text, new Set(words.split(' ')), chars);

describe('a snippet', () => {
  const text = `${'before it '.repeat(20)}we chose postgres for two writers ${'and after '.repeat(20)}`;

  it('is the stretch with the most of what was looked for, of whole words', () => {
    const snippet = of(`postgres first. ${text}`, 'postgr writer', 60);
    expect(snippet).toMatch(/^…\S.*we chose postgres for two writers.*\S…$/);
    expect(snippet.length).toBeLessThanOrEqual(62);
    expect(snippet).not.toMatch(/…\w?fore|bef?…/);
  });

  it('is the beginning where nothing matches, and all of a short text', () => {
    expect(of(text, 'nowher', 20)).toBe('before it before it…');
    expect(of('a short text', 'short', 20)).toBe('a short text');
  });

  it('is one line, without escapes, whatever was recorded', () => {
    expect(of('a\n\n\u001b[31mred\u001b[0m\u202e\tend', 'red', 80)).toBe('a red end');
    const wide = of('🙂'.repeat(1000), 'x', 21);
    expect(wide.isWellFormed()).toBe(true);
    expect(of(`${'x'.repeat(100_000)} end`, 'end', 30).length).toBeLessThan(40);
  });
});
