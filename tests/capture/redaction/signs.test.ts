import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endsWithName } from '../../../src/capture/redaction/signs.ts';

/** What `endsWithName` says in plain code. */
const NAME_BEFORE =
  /(?:pass\w{0,6}|pwd|secret|token|credentials?|key|authorization|cookie)\d?\d?(?:[^\w=]|\\[nrt]|\/name|\/key)*$/i;

const WORDS =
  'pass|word|wd|pwd|secret|token|credential|s|key|authorization|cookie|/name|/key|name|\\n|\\r|\\T|\\|=|_|-|1|23|456| |"|<|>|x|abcdefg|é|\u212a|\u017f|\n'.split(
    '|',
  );

const pieces = fc.constantFrom(...WORDS, ...WORDS.map((word) => word.toUpperCase()));
const texts = fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join(''));

describe('a telling name at the end of a text', () => {
  it('is seen as the expression sees it', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(endsWithName(text), JSON.stringify(text)).toBe(NAME_BEFORE.test(text));
      }),
      { numRuns: 20_000 },
    );
  });

  it.each([
    ['password', true],
    ['pass123456', true],
    ['pass12345678', true],
    ['pass123456789', false],
    ['passabcdef12', true],
    ['passabcdefg', false],
    ['API_KEY12": "', true],
    ['token123', false],
    ['<name>DB_PASSWORD</name>\n  <', true],
    ['token=', false],
    ['keyboard: ', false],
    ['', false],
  ])('%s: %s', (text, isName) => {
    expect(NAME_BEFORE.test(text)).toBe(isName);
    expect(endsWithName(text)).toBe(isName);
  });
});
