import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Pattern } from '../../../src/capture/redaction/expression.ts';
import * as KIND from '../../../src/capture/redaction/kinds.ts';
import { endsWithName, mayBeNamed, NAMED } from '../../../src/capture/redaction/name-signs.ts';
import { mayBePhrase, PHRASE } from '../../../src/capture/redaction/phrase-signs.ts';
import { LITERALS } from '../../../src/capture/redaction/table/literals.ts';
import { isTokenStart } from '../../../src/capture/redaction/token-shapes.ts';
import { allKinds } from './corpus/generate.ts';
import { seeded } from './samples.ts';

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

/** As a rule asks for it: from the beginning of `behind` on. */
function matchesAt(pattern: Pattern, before: string, behind: string): boolean {
  pattern.lastIndex = before.length;
  return pattern.test(before + behind);
}
const joined = (parts: readonly string[]) =>
  fc.array(fc.constantFrom(...parts), { maxLength: 9 }).map((all) => all.join(''));
const signsOf = (kind: number) => fc.constantFrom(...LITERALS[kind]!);

const NAME_PARTS =
  'pass|word|wd|passwo|secret|token|key|KEY|db_|_salt|/name|/key|</key>|<|>|<string>|\\n|\n|\r|\t|kind|: |:|=| |"|\'|\\"|`|,|, |(|)|&|by |with |as |password |x1|hunter|é|/m |-gx |--x |{|%|.'.split(
    '|',
  );

const PHRASE_PARTS =
  'me|admin|hunter2|x1|Some(|"|\'|`|\\"|(|)|{|,|, |:|: |/| / |\n|\t| |.|-|.tostring("base64")|base64| | |assw|passw|sign(|verify |decode[|foo |bar |0xabcdef|8f3b2c1d-|7 abcd|0 abcd|set |for |=|following |the |é|\x1b|│|\\u2502|1'.split(
    '|',
  );

describe('what stands around a sign, in plain code', () => {
  it('lets through whatever is a name before its value', () => {
    let matched = 0;
    const signs = fc.oneof(signsOf(KIND.named), signsOf(KIND.statement), signsOf(KIND.kubernetes));
    fc.assert(
      fc.property(joined(NAME_PARTS), signs, joined(NAME_PARTS), (before, sign, more) => {
        const behind = sign + more;
        if (!matchesAt(NAMED, before, behind)) return;
        matched += 1;
        const isOne = mayBeNamed(before.toLowerCase(), behind.toLowerCase());
        expect(isOne, JSON.stringify([before, behind])).toBe(true);
      }),
      { numRuns: 60_000 },
    );
    expect(matched).toBeGreaterThan(500);
  });

  it('lets through whatever is a phrase', () => {
    let matched = 0;
    fc.assert(
      fc.property(
        joined(PHRASE_PARTS),
        signsOf(KIND.phrase),
        joined(PHRASE_PARTS),
        (before, sign, more) => {
          const behind = sign + more;
          const isTyped = /^(?:fill|type|send)/.test(sign) && !(before + behind).includes('assw');
          if (isTyped || !matchesAt(PHRASE, before, behind)) return;
          matched += 1;
          const isOne = mayBePhrase(before.toLowerCase(), behind.toLowerCase());
          expect(isOne, JSON.stringify([before, behind])).toBe(true);
        },
      ),
      { numRuns: 60_000 },
    );
    expect(matched).toBeGreaterThan(500);
  });

  it.each(allKinds().filter(({ label }) => label === undefined))(
    'lets through each token: $id, $grammar',
    ({ make }) => {
      for (let seed = 0; seed < 50; seed += 1) {
        const text = make(seeded(seed));
        const at = text.includes(':AA') ? text.indexOf(':AA') + 1 : 0;
        expect(isTokenStart(text, at), text).toBe(true);
      }
    },
  );

  it.each([
    'path/to/v1.2.3/file',
    'patches/02-use-packaged-lempar.c.patch',
    'patternBufUtf8)',
    'packaging-manuals/copyright-format/1.0/',
    're_constants.COMPOSED_HANDLER])',
    'sk_to_curve25519(x25519sk)',
    'pk_to_curve25519 = function',
    'napi_create_string_utf8(env)',
    'api-compat/issues/343',
    'KEY_OVER_1024_CHARS',
    'st.isSymbolicLink()',
  ])('knows that %s is no token', (text) => {
    expect(isTokenStart(text, 0)).toBe(false);
  });
});
