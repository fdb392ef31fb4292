import { describe, expect, it } from 'vitest';
import * as KIND from '../../../src/capture/redaction/kinds.ts';
import {
  ALLOWED_CHARS_MAX,
  escapeRegExp,
  isAllowed,
  redactionOptions,
  rulesFor,
} from '../../../src/capture/redaction/options.ts';
import { placesOf } from '../../../src/capture/redaction/places.ts';
import type { RedactionRule } from '../../../src/capture/redaction/rule.ts';

const rule = (id: string, kind?: number): RedactionRule => ({
  id,
  pattern: /x/y,
  ...(kind === undefined ? {} : { kind }),
});

describe('the rules for a text', () => {
  it('are those whose kind the scanner found, and those without one, in the order of the table', () => {
    const { rules } = redactionOptions([
      rule('A', KIND.secret),
      rule('B'),
      rule('C', KIND.pass),
      rule('D', KIND.url),
    ]);
    const ids = (text: string) => rulesFor(placesOf(text), { rules }).map(({ id }) => id);
    expect(ids('nothing of it')).toEqual(['B']);
    expect(ids('PASS=1 then Token: 2')).toEqual(['A', 'B', 'C']);
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
