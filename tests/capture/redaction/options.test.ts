import { describe, expect, it } from 'vitest';
import {
  ALLOWED_CHARS_MAX,
  escapeRegExp,
  hasLiteral,
  isAllowed,
  redactionOptions,
  rulesFor,
} from '../../../src/capture/redaction/options.ts';
import type { RedactionRule } from '../../../src/capture/redaction/rule.ts';

const rule = (id: string, ...prefilter: string[]): RedactionRule => ({
  id,
  pattern: () => /x/g,
  ...(prefilter.length === 0 ? {} : { prefilter }),
});
const ids = (text: string, rules: RedactionRule[]) =>
  rulesFor(text, redactionOptions(rules)).map(({ id }) => id);

describe('the prefilter', () => {
  it('chooses the rules whose literals the text has, in any case and in the order of the table', () => {
    const rules = [rule('A', 'alpha'), rule('B', 'beta', 'gamma'), rule('C', 'delta')];
    expect(ids('nothing of it', rules)).toEqual([]);
    expect(ids('GAMMA then Alpha', rules)).toEqual(['A', 'B']);
  });

  it('finds literals that overlap or begin alike', () => {
    expect(ids('xpassk-y', [rule('A', 'pass'), rule('B', 'sk-')])).toEqual(['A', 'B']);
    expect(ids('password', [rule('A', 'password'), rule('B', 'pass'), rule('C', 'word')])).toEqual([
      'A',
      'B',
      'C',
    ]);
  });

  it('takes its literals to the letter', () => {
    expect(ids('ya29x', [rule('A', 'ya29.')])).toEqual([]);
    expect(ids('a(b|c', [rule('A', '(b|')])).toEqual(['A']);
  });

  it('always chooses a rule that has none', () => {
    expect(ids('', [rule('A', 'alpha'), rule('B')])).toEqual(['B']);
    expect(ids('alpha', [rule('A', 'alpha'), rule('B')])).toEqual(['A', 'B']);
    expect(hasLiteral('anything', redactionOptions([rule('B')]))).toBe(false);
  });
});

describe('what is allowed', () => {
  it('is a text to the letter or what a pattern matches', () => {
    const options = redactionOptions([], [/^a+$/], new Set(['b.c']));
    expect(['aaa', 'b.c', 'bxc', 'c'].map((secret) => isAllowed(secret, options))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('is never a long text', () => {
    const options = redactionOptions([], [/^a+$/]);
    expect(isAllowed('a'.repeat(ALLOWED_CHARS_MAX), options)).toBe(true);
    expect(isAllowed('a'.repeat(ALLOWED_CHARS_MAX + 1), options)).toBe(false);
  });
});

describe('escapeRegExp', () => {
  it('makes a pattern that matches its text only, and leaves plain words as they are', () => {
    const text = '\\^$.*+?()[]{}|-/';
    expect(new RegExp(`^${escapeRegExp(text)}$`).test(text)).toBe(true);
    expect(escapeRegExp('plain-word_1')).toBe('plain-word_1');
  });
});
