import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SECRET_CHARS_MIN } from '../../src/erasure/finder.ts';
import {
  finderOf,
  MATCHES_MAX,
  meet,
  parsePattern,
  type Wanted,
} from '../../src/erasure/pattern.ts';
import { textFinder } from '../../src/erasure/text-finder.ts';
import { ERASED } from '../../src/projections/safe-text.ts';

const secrets = fc
  .string({ unit: 'grapheme', minLength: 6, maxLength: 60 })
  .filter((text) => text.isWellFormed() && text.trim().length > 5 && !/^[\s\S]*\0/.test(text));
const around = fc.string({ maxLength: 20 });

/** Ways in which others write a text down, as their own programs do it. */
const WRITTEN: Record<string, (secret: string, a: string, z: string) => string> = {
  plain: (s, a, z) => a + s + z,
  json: (s, a, z) => JSON.stringify({ a, s, z }),
  'json in json': (s, a, z) => JSON.stringify({ body: JSON.stringify({ a, s, z }) }),
  base64: (s, a, z) => Buffer.from(a + s + z).toString('base64'),
  base64url: (s, a, z) => Buffer.from(a + s + z).toString('base64url'),
  'base64 in lines': (s, a, z) =>
    Buffer.from(a + s + z)
      .toString('base64')
      .replace(/.{1,7}/g, '$&\r\n'),
  hex: (s, a, z) => Buffer.from(a + s + z).toString('hex'),
  HEX: (s, a, z) =>
    Buffer.from(a + s + z)
      .toString('hex')
      .toUpperCase(),
  percent: (s, a, z) => encodeURIComponent(a.toWellFormed() + s + z.toWellFormed()),
};

describe.each(Object.entries(WRITTEN))('a text in the form %s', (_, write) => {
  it('is found and taken out, whatever it is and whatever stands around it', () => {
    fc.assert(
      fc.property(secrets, around, around, (secret, a, z) => {
        const finder = textFinder([secret]);
        const text = write(secret, a, z);
        expect(finder.isIn(Buffer.from(text))).toBe(true);
        const left = finder.withoutIt(text);
        expect(left).toContain(ERASED);
        expect(finder.withoutIt(left)).toBe(left);
        expect(finder.isIn(Buffer.from(left))).toBe(false);
      }),
      { numRuns: 500 },
    );
  });
});

function finderMet(wanted: Wanted, texts: string[]) {
  const matches = new Set<string>();
  meet(wanted.pattern!, texts, matches);
  return finderOf(wanted, matches);
}

describe('a finder of texts', () => {
  it('leaves alone what has none of it: the very same value', () => {
    const finder = textFinder(['kanari-4711']);
    const data = { a: ['x', { b: 'kanari-4712', n: 4711 }], c: null, d: new Uint8Array([1, 2]) };
    expect(finder.dataWithoutIt(data)).toBe(data);
    expect(finder.withoutIt('kanari-471')).toBe('kanari-471');
    expect(finder.isIn(Buffer.from('kanari-471'))).toBe(false);
  });

  it('takes it out of keys and of bytes, too', () => {
    const finder = textFinder(['kanari-4711']);
    const data = { 'kanari-4711': 1, bytes: Buffer.from('kanari-4711'), list: ['kanari-4711', 2] };
    expect(finder.dataWithoutIt(data)).toEqual({ [ERASED]: 1, bytes: ERASED, list: [ERASED, 2] });
  });

  it('loses no value under keys that become the same', () => {
    const finder = finderMet(parsePattern('/user_[a-z]+/'), ['user_alice user_bob']);
    expect(finder.dataWithoutIt({ user_alice: 1, user_bob: 2, other: 3 })).toEqual({
      [ERASED]: 1,
      [`${ERASED} (2)`]: 2,
      other: 3,
    });
  });

  it('takes out several, one within the other as well', () => {
    const finder = textFinder(['kanari', 'kanari-4711', '4711-vogel']);
    expect(finder.withoutIt('a kanari-4711 b 4711-vogel c')).toBe(`a ${ERASED} b ${ERASED} c`);
  });
});

describe('a text that others wrote down', () => {
  const secret = 'Pä<ss>&w/örT-77x';
  const hex = Buffer.from(secret).toString('hex');
  const unit = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const go = JSON.stringify(secret).replace(/[<>&]/g, unit);
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  it.each([
    ['JSON of Go', go],
    ['JSON of Go in ASCII', go.replace(/[^\0-\x7f]/g, unit)],
    ['JSON of PHP', String.raw`"P\u00e4<ss>&w\/\u00f6rT-77x"`],
    ['JSON with nothing but escapes', [...secret].map(unit).join('')],
    [
      'the same in upper case',
      [...secret].map((one) => `\\u${unit(one).slice(2).toUpperCase()}`).join(''),
    ],
    ['percent codes in lower case', 'P%c3%a4%3css%3e%26w%2f%c3%b6rT-77x'],
    ['percent codes of Latin-1', 'P%e4%3Css%3E%26w%2F%F6rT-77x'],
    ['percent codes twice', encodeURIComponent(encodeURIComponent(secret))],
    ['base64 in lines', base64(`ab${secret}`).replace(/.{1,7}/g, '$&\n')],
    ['base64 in lines in JSON', JSON.stringify(base64(secret).replace(/.{1,7}/g, '$&\r\n'))],
    ['base64 in a URL', encodeURIComponent(base64(`x${secret}`))],
    ['hex in lines', hex.replace(/.{1,8}/g, '$&\n')],
  ])('as %s is found and taken out, and what stands around it stays', (_, text) => {
    const finder = textFinder([secret]);
    expect(finder.isIn(Buffer.from(text))).toBe(true);
    const left = finder.withoutIt(`An, ${text} zu`);
    expect(left).toMatch(/^An, .*\[REDACTED:ERASED\].* zu$/s);
    expect(finder.isIn(Buffer.from(left))).toBe(false);
  });

  it('is found in percent codes when it holds the sign for what could not be read, U+FFFD', () => {
    const broken = 'ab\ufffdc d';
    expect(textFinder([broken]).withoutIt(`x ${encodeURIComponent(broken)}`)).toContain(ERASED);
  });

  it('is found where it was escaped when it is given so itself', () => {
    expect(textFinder([go]).withoutIt(`a ${secret} z`)).toContain('a ');
  });
});

describe('what is looked for', () => {
  it('is a text, or a pattern with flags', () => {
    expect(parsePattern('kana')).toEqual({ text: 'kana' });
    expect(parsePattern('a/b/c')).toEqual({ text: 'a/b/c' });
    expect(parsePattern('/ka(na)ri/i')).toEqual({ text: '/ka(na)ri/i', pattern: /ka(na)ri/gi });
    expect(parsePattern('/kanari/g').pattern).toEqual(/kanari/g);
    expect(parsePattern('/usr/lib')).toEqual({ text: '/usr/lib' });
  });

  it.each(['', 'x'.repeat(SECRET_CHARS_MIN - 1), '        ', '/(/', '/a*/', '//'])(
    'is not %j, and the message does not repeat it',
    (given) => {
      const act = () => parsePattern(given);
      expect(act).toThrow(expect.objectContaining({ code: 'USAGE' }));
      if (given.trim().length > 1) expect(act).not.toThrow(given);
    },
  );

  it('between slashes may be the secret itself: it is looked for as it stands, too', () => {
    const key = '/aB+c/d9Zq71/';
    const finder = finderMet(parsePattern(key), ['nothing']);
    expect(finder.withoutIt(`key=${key}`)).toBe(`key=${ERASED}`);
    expect(finderMet(parsePattern('/q/'), ['nothing']).withoutIt('a/q/z')).toBe('a/q/z');
  });

  it('by a pattern is also what it finds in a text with escapes', () => {
    const finder = finderMet(parsePattern('/kanari"\\d{4}/'), [JSON.stringify('me:kanari"4711')]);
    const base64 = Buffer.from('me:kanari"4711').toString('base64');
    expect(finder.withoutIt(`Basic ${base64}`)).toContain(ERASED);
    // What it was not met with stands nowhere.
    expect(finder.withoutIt('kanari"9999 too')).toBe('kanari"9999 too');
  });

  it('by a pattern is never so short that it stands everywhere', () => {
    const given = (text: string) => finderMet(parsePattern('/a+$/'), [text]);
    expect(given('b'.repeat(9) + 'a'.repeat(SECRET_CHARS_MIN)).withoutIt('xaaaa')).toContain(
      ERASED,
    );
    expect(() => given(`b${'a'.repeat(SECRET_CHARS_MIN - 1)}`)).toThrow('fewer than 4 characters');
  });

  it('is no part of the marker that is put in its place', () => {
    for (const text of ['REDACTED', 'ERASED', '[REDACTED:ERASED]', 'ACTED:ERA'])
      expect(() => parsePattern(text)).toThrow(/is part of "\[REDACTED:ERASED\]"/);
    const finder = finderMet(parsePattern('/[A-Z]{4,}/'), [`a KANARI, and ${ERASED} before`]);
    expect(finder.withoutIt(`KANARI, ${ERASED}`)).toBe(`${ERASED}, ${ERASED}`);
  });

  it('by a pattern is no place between characters', () => {
    const met = () => finderMet(parsePattern('/(?=kanari)/'), ['a kanari']);
    expect(met).toThrow('can match an empty text');
  });

  it('by a pattern is given up when that would never end', {
    tags: 'long',
    timeout: 30_000,
  }, () => {
    const endless = () => finderMet(parsePattern('/(a+)+b/'), [`${'a'.repeat(60)} `]);
    expect(endless).toThrow(expect.objectContaining({ code: 'LIMIT_EXCEEDED' }));
  });

  it('by a pattern may be many texts, and not too many', () => {
    const wanted = parsePattern('/key-\\d+/');
    const texts = (count: number) => Array.from({ length: count }, (_, n) => `key-${n}`);
    expect(finderMet(wanted, texts(MATCHES_MAX)).withoutIt('key-7')).toBe(ERASED);
    expect(() => finderMet(wanted, texts(MATCHES_MAX + 1))).toThrow(
      expect.objectContaining({ code: 'LIMIT_EXCEEDED' }),
    );
  });
});

it('is found beside a piece of many millions of characters, as a recorded picture is', () => {
  const finder = textFinder(['kanari-4711']);
  const left = finder.withoutIt(`${'iVBORw0KGgo'.repeat(900_000)} kanari-4711`);
  expect(left.slice(-40)).toContain(ERASED);
  expect(left).not.toContain('kanari');
});

it('is found among megabytes of escapes', { tags: 'long' }, () => {
  const finder = textFinder(['kanari-4711']);
  const [before, behind] = ['%41'.repeat(500_000), '\\u00e9'.repeat(300_000)];
  const secret = '%6banari\\u002d4711';
  expect(finder.withoutIt(before + secret + behind) === before + ERASED + behind).toBe(true);
});

it('alone goes from among escapes that are written in several ways side by side', () => {
  const finder = textFinder(['kanari-4711']);
  const written = ['%C3%A9%41', '\\u00e9', '\\\\n', '\\x3d', '%E2%82%ACuro', 'x'];
  for (const before of written)
    for (const behind of written)
      for (const secret of ['kanari-4711', 'k%61nari\\u002d4711'])
        expect(finder.withoutIt(before + secret + behind)).toBe(before + ERASED + behind);
});

describe('what an erasure leaves of a text that is packed with others', () => {
  const machineMade = fc.array(fc.constantFrom(...'ABCDEFabcdef0123456789'), {
    minLength: 16,
    maxLength: 16,
  });
  const packings: Record<string, (bytes: Buffer) => string> = {
    base64: (bytes) => bytes.toString('base64'),
    base64url: (bytes) => bytes.toString('base64url'),
  };
  const neighbours = [0, 1, 2, 3, 4, 5];
  const places = neighbours.flatMap((before) => neighbours.map((behind) => ({ before, behind })));

  it.each(Object.entries(packings))('is the same, whatever it was, in %s', (_, packed) => {
    fc.assert(
      fc.property(machineMade, machineMade, (one, other) => {
        const leftOf = (chars: string[], before: number, behind: number) => {
          const secret = chars.join('');
          const all = Buffer.from(
            `${'ab7cd'.slice(0, before)}${secret}${'xy3zw'.slice(0, behind)}`,
          );
          return textFinder([secret]).withoutIt(`a ${packed(all)} z`);
        };
        for (const { before, behind } of places)
          expect(leftOf(one, before, behind)).toBe(leftOf(other, before, behind));
      }),
      { numRuns: 25 },
    );
  });

  it('does not tell by its padding how long it was', () => {
    const left = (secret: string) =>
      textFinder([secret]).withoutIt(`a ${Buffer.from(secret).toString('base64')} z`);
    expect(new Set(['Kx9-Vb72-mmQ', 'Kx9-Vb72-mmQr', 'Kx9-Vb72-mmQrs'].map(left))).toEqual(
      new Set([`a ${ERASED} z`]),
    );
  });
});
