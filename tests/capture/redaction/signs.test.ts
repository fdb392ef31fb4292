import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Pattern } from '../../../src/capture/redaction/expression.ts';
import { endsWithName, mayBeNamed, NAMED } from '../../../src/capture/redaction/named-signs.ts';
import { mayBePhrase, PHRASE } from '../../../src/capture/redaction/phrase-signs.ts';
import { seeded } from './samples.ts';
import { textFor } from './texts-for.ts';

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

/** At how many places of texts made from it the expression matches; at each of them the plain code must not say no. */
function heldTo(pattern: Pattern, mayBe: (before: string, behind: string) => boolean): number {
  const random = seeded(20_261_124);
  let matches = 0;
  for (let round = 0; round < 30_000; round += 1) {
    const text = textFor(pattern, random);
    for (let at = 0; at < text.length; at += 1) {
      pattern.lastIndex = at;
      if (!pattern.test(text)) continue;
      matches += 1;
      if (!mayBe(text.slice(0, at), text.slice(at)))
        expect.fail(JSON.stringify([text.slice(0, at), text.slice(at)]));
    }
  }
  return matches;
}

describe('what is asked in plain code before an expression is made', () => {
  it('lets through every name of a value that the expression finds', () => {
    expect(heldTo(NAMED, mayBeNamed)).toBeGreaterThan(8000);
  });

  it('lets through every phrase that the expression finds', () => {
    expect(heldTo(PHRASE, mayBePhrase)).toBeGreaterThan(8000);
  });
});
