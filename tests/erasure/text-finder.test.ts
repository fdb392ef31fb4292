import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toBase32 } from '../../src/erasure/base32.ts';
import { ERASED } from '../../src/erasure/finder.ts';
import { SECRET_CHARS_MIN } from '../../src/erasure/forms.ts';
import {
  finderOf,
  MATCHES_MAX,
  meet,
  parsePattern,
  type Wanted,
} from '../../src/erasure/pattern.ts';
import { textFinder } from '../../src/erasure/text-finder.ts';
import { viewsOf } from '../../src/erasure/views.ts';

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

/** As programs print lines of base64: each through the secret. */
function linesOf(base64: string): [string, string][] {
  const lines = base64.match(/.{1,20}/g)!;
  const each = (before: string | ((at: number) => string), behind = '\n') =>
    lines.map((line, at) => (typeof before === 'string' ? before : before(at)) + line).join(behind);
  const forms: [string, string][] = [
    ['a YAML block', `|${each('\n    ', '')}`],
    ['a diff', each('+')],
    ['a diff of what went', each('-')],
    ['quoted mail', each('> ')],
    ['a comment', each('# ')],
    ['a comment of C', each('//')],
    ['strings that are joined', `"${each('', '" +\n  "')}"`],
    ['a list of strings', `"${each('', '",\n  "')}"`],
    ['lines that a backslash ends', each('', '\\\n')],
    ['JSON with indents', JSON.stringify(each('  '))],
    ['cat -n', each((at) => `${String(at + 1).padStart(6)}\t`)],
    ['a file that was read', each((at) => `${String(at + 1).padStart(6)}→`)],
    ['grep -n', each((at) => `src/secret.b64:${at + 1}:`)],
    ['a log', each((at) => `web-1  | 2026-01-02T03:04:0${at % 10}Z INFO `)],
    ['words', each('', ' ')],
    ['columns', each('', '\t')],
  ];
  return forms.map(([name, text]) => [`base64 in ${name}`, text]);
}

/** As `xxd`, `hexdump`, `od` and PowerShell print bytes: the secret goes over the end of a line. */
function dumpsOf(text: string): [string, string][] {
  const bytes = Buffer.from(text);
  const rows = Array.from({ length: Math.ceil(bytes.length / 16) }, (_, row) =>
    bytes.subarray(row * 16, row * 16 + 16),
  );
  const margin = (row: Buffer) => row.toString('latin1').replace(/[^ -~]/g, '.');
  const offset = (row: number, digits: number) => (row * 16).toString(16).padStart(digits, '0');
  const words = (row: Buffer) => row.toString('hex').match(/.{1,4}/g)!;
  const swapped = (row: Buffer) => words(row).map((one) => one.replace(/(..)(..)/, '$2$1'));
  const dump = (line: (row: Buffer, at: number) => string) => `\n${rows.map(line).join('\n')}\n`;
  const bytewise = (row: Buffer) => row.toString('hex').replace(/..(?=.)/g, '$& ');
  return [
    [
      'xxd',
      dump((row, at) => `${offset(at, 8)}: ${words(row).join(' ').padEnd(39)}  ${margin(row)}`),
    ],
    [
      'hexdump -C',
      dump((row, at) => {
        const [left, right] = [row.subarray(0, 8), row.subarray(8)].map(bytewise);
        return `${offset(at, 8)}  ${`${left}  ${right}`.padEnd(48)}  |${margin(row)}|`;
      }),
    ],
    ['hexdump', dump((row, at) => `${offset(at, 7)} ${swapped(row).join(' ')}`)],
    ['od -t x1', dump((row, at) => `${(at * 16).toString(8).padStart(7, '0')} ${bytewise(row)}`)],
    [
      'Format-Hex',
      dump((row, at) => `${offset(at, 8)}   ${bytewise(row).toUpperCase()}  ${margin(row)}`),
    ],
  ];
}

function finderMet(wanted: Wanted, texts: string[]) {
  const matches = new Set<string>();
  meet(wanted.pattern!, texts, matches);
  return finderOf(wanted, matches);
}

describe('a finder of texts', () => {
  it('finds UTF-16 of both byte orders in bytes, at any place', () => {
    const finder = textFinder(['kanari-4711']);
    const utf16 = Buffer.from('kanari-4711', 'utf16le');
    for (const bytes of [utf16, Buffer.from(utf16).swap16()])
      for (const before of [0, 1, 2, 3])
        expect(finder.isIn(Buffer.concat([Buffer.alloc(before, 65), bytes]))).toBe(true);
  });

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
    ['hex with colons', hex.replace(/../g, '$&:')],
    ['hex with spaces', hex.replace(/../g, '$& ')],
    ['hex of C', hex.replace(/../g, '\\x$&')],
    ['bytes of PostgreSQL', `\\x${hex}`],
    ['bytes of PostgreSQL in JSON', JSON.stringify({ key: `\\x${hex.toUpperCase()}` })],
    ['base64 in bytes of PostgreSQL', `\\x${Buffer.from(base64(secret)).toString('hex')}`],
    ['HTML', 'P&auml;&lt;ss&gt;&amp;w&#x2F;&#246;rT-77x'],
    ['colours', '\x1b[01;31m\x1b[KPä\x1b[m\x1b[K<ss>&w/\x1b[32mörT-77x\x1b[0m'],
    ['colours in JSON', JSON.stringify('Pä\x1b[m\x1b[K<ss>&w/\x1b[32mörT-77x')],
    ['base64 in base64', base64(base64(`x${secret}`))],
    ['JSON in base64', base64(JSON.stringify({ key: go }))],
    ['base64 in hex', Buffer.from(base64(secret)).toString('hex')],
    ['base32', toBase32(Buffer.from(`ab${secret}z`))],
    ['base32 in lines', toBase32(Buffer.from(`${secret}zz`)).replace(/.{1,19}/g, '$&\n')],
    ['small base32', toBase32(Buffer.from(`abcd${secret}`)).toLowerCase()],
    ['base64 in base32', toBase32(Buffer.from(base64(secret)))],
    ['quoted-printable', 'P=C3=A4<ss>&w/=C3=\n=B6rT=2D77x'],
    ['a line of mail that goes on', 'a=3D1 Pä<ss>&=\r\nw/örT-=\r\n77x'],
    ...dumpsOf(`zwölf bytes ${secret} und mehr, das dahinter steht`),
    ...linesOf(base64(`${'x'.repeat(50)}${secret}${'y'.repeat(50)}`)),
    [
      'base32 in indented lines',
      toBase32(Buffer.from(`${secret}zz`)).replace(/.{1,19}/g, '$&\n    '),
    ],
    [
      'base64 of JSON in base64 in indented lines',
      base64(base64(`{"a":"${secret}","b":1}`)).replace(/.{1,20}/g, '$&\n  '),
    ],
    ['decomposed characters', secret.normalize('NFD')],
    [
      'letters of full width',
      secret.replace(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0)),
    ],
    [
      'HTML with zeros before its numbers',
      [...secret].map((one) => `&#${String(one.charCodeAt(0)).padStart(9, '0')};`).join(''),
    ],
    [
      'HTML with zeros before its hex',
      [...secret].map((one) => `&#x${one.charCodeAt(0).toString(16).padStart(8, '0')};`).join(''),
    ],
    [
      'octal numbers with a zero before',
      Array.from(Buffer.from(secret), (one) => `\\0${one.toString(8).padStart(3, '0')}`).join(''),
    ],
    ['colours written out', 'Pä\\e[31m<ss>^[[1;32m&w/\\E[0mör\\033[0mT-77x'],
    ['other signs to a terminal', 'Pä\x1b7<ss>\x1b8&\x1b=w\x1bPq#0\x1b\\/ör\x1b(BT-77x'],
    ['a text with signs that nobody sees', 'P\u200bä<s\xads>\u2060&w\ufeff/\u202eö\u202crT-77x'],
    ['a path as git has it', String.raw`P\303\244<ss>&w/\303\266rT-77x`],
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
    expect(textFinder([secret.normalize('NFD')]).withoutIt(`a ${secret} z`)).toBe(`a ${ERASED} z`);
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

  it('by a pattern is also what it finds in a decoded part of a text', () => {
    const wanted = parsePattern('/kanari-\\d{4}/');
    const text = `Basic ${Buffer.from('me:kanari-4711').toString('base64')}`;
    const finder = finderMet(wanted, [text]);
    expect(finder.withoutIt(text)).toContain(ERASED);
    // What it was not met with stands nowhere.
    expect(finder.withoutIt('kanari-9999 too')).toBe('kanari-9999 too');
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
      expect(() => parsePattern(text)).toThrow(/stands in "\[REDACTED:ERASED\]" itself/);
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

describe('the views of a text', () => {
  it.each([
    ['JSON', JSON.stringify('a "kanari" b'), 'a "kanari" b'],
    ['percent', 'key%3Dkanari%2Ff', 'key=kanari/f'],
    ['hex', `0x${Buffer.from('kanari').toString('hex')}`, 'kanari'],
    ['base64', Buffer.from('kanari-vogel').toString('base64'), 'kanari-vogel'],
    [
      'base64 behind a letter',
      `x${Buffer.from('kanari-vogel').toString('base64')}`,
      'kanari-vogel',
    ],
    ['UTF-16', 'k\0a\0n\0', 'kan'],
    ['base64 of UTF-16', Buffer.from('kanari-vogel', 'utf16le').toString('base64'), 'kanari-vogel'],
  ])('show what it says in %s', (_, text, said) => {
    expect([...viewsOf(text)].some((view) => view.includes(said))).toBe(true);
  });
});

it('is found beside a piece of many millions of characters, as a recorded picture is', {
  tags: 'long',
}, () => {
  const finder = textFinder(['kanari-4711']);
  const left = finder.withoutIt(`${'iVBORw0KGgo'.repeat(900_000)} kanari-4711`);
  expect(left.slice(-40)).toContain(ERASED);
  expect(left).not.toContain('kanari');
});

/** As strings of Python and C have bytes, with so many backslashes. */
const inBytes = (text: string, backslashes = 1): string =>
  [...Buffer.from(text)]
    .map((byte) => `${'\\'.repeat(backslashes)}x${byte.toString(16).padStart(2, '0')}`)
    .join('');

it('is found among megabytes of escapes within a second or two of a busy machine', () => {
  const finder = textFinder(['kanari-4711']);
  const before = inBytes('A').repeat(250_000);
  const behind = inBytes('the quick brown fox').repeat(13_000);
  const start = performance.now();
  const left = finder.withoutIt(before + inBytes('kanari-4711') + behind);
  expect(performance.now() - start).toBeLessThan(8000);
  expect(left === before + ERASED + behind).toBe(true);
});

it('alone goes from among escapes that are written in several ways side by side', () => {
  const finder = textFinder(['kanari-4711']);
  const written = [inBytes('é=', 2), inBytes('x'), inBytes('€uro', 3), '%C3%A9%41', '\\101', 'x'];
  for (const [at, before] of written.entries()) {
    for (const behind of [...written.slice(at), ...written.slice(0, at)]) {
      // What stands side by side may read as another character: a part of one does not.
      const secret = inBytes('kanari', 2) + inBytes('-4711');
      expect(finder.withoutIt(before + secret + behind)).toBe(before + ERASED + behind);
    }
  }
});

describe('what an erasure leaves of a text that is packed with others', () => {
  const machineMade = fc.array(fc.constantFrom(...'ABCDEFabcdef0123456789'), {
    minLength: 16,
    maxLength: 16,
  });
  const packings: Record<string, (bytes: Buffer) => string> = {
    base64: (bytes) => bytes.toString('base64'),
    base64url: (bytes) => bytes.toString('base64url'),
    base32: (bytes) => toBase32(bytes),
    'small base32': (bytes) => toBase32(bytes).toLowerCase(),
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
