import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as KIND from '../../../src/capture/redaction/kinds.ts';
import { LABEL_RULES } from '../../../src/capture/redaction/label-rules.ts';
import { Places } from '../../../src/capture/redaction/places.ts';
import { BUILTIN_RULES } from '../../../src/capture/redaction/rules.ts';
import { type Scanner, wasmScanner } from '../../../src/capture/redaction/scanner.ts';
import { SCANNER_TABLES } from '../../../src/capture/redaction/scanner-tables.ts';
import { spansOf } from '../../../src/capture/redaction/spans.ts';
import { LITERALS } from '../../../src/capture/redaction/table/literals.ts';
import { plainPlaces, RUN_CHARS_MIN } from '../../../src/capture/redaction/table/plain-places.ts';
import { allSigns } from '../../../src/capture/redaction/table/token-at.ts';
import { allKinds, secretPart } from './corpus/generate.ts';
import { filesOf, generatedLines } from './corpus/ordinary-text.ts';
import { contextsOf } from './corpus/recall.ts';
import { BASE62, chars, SAMPLES, seeded } from './samples.ts';

const scanner = wasmScanner() as Scanner;
const random = seeded(3);

function scanned(text: string): Places {
  const places = new Places();
  scanner.scan(text, places);
  return places;
}

/** What the plain way finds and the scanner does not: nothing, but for labels that nothing is assigned to. */
function missed(text: string): string[] {
  const plain = new Places();
  plainPlaces(text, plain);
  const fast = scanned(text);
  return [...plain.kinds].flatMap((kind) => {
    const known = new Set(fast.at(kind));
    return plain
      .at(kind)
      .filter((at) => !known.has(at))
      .map((at) => `${String.fromCharCode(kind)} at ${at}: ${text.slice(at, at + 40)}`);
  });
}

/** Kinds that the scanner judges by what stands around them, which the plain way leaves to the rules. */
const isJudged = (found: string): boolean => /^[a-eg-hk-m] /.test(found) || found.startsWith('f ');

/** The words in the scanner's tables: literals with the character of their kind before them. */
function wordsOf(tables: Buffer, heads: number): string[] {
  const from = 384;
  const words: string[] = [];
  for (let head = heads; head < heads + 2048; head += 2) {
    for (let at = tables.readUInt16LE(head - from); at > 0; ) {
      const entry = tables.subarray(at - 3 - from);
      const word = entry.toString('latin1', 3, entry.indexOf(9, 3));
      words.push((entry[2] === 0 ? '' : String.fromCharCode(entry[2]! & 0x7f)) + word);
      at = entry.readUInt16LE(0);
    }
  }
  return words;
}

describe('the words that the scanner looks for', () => {
  it('are those of the table, as `node tools/redaction.mjs signs` writes them', () => {
    const literals = Object.entries(LITERALS).flatMap(([kind, words]) =>
      words.map((word) => String.fromCharCode(Number(kind)) + word),
    );
    const tables = Buffer.from(SCANNER_TABLES, 'base64');
    expect(wordsOf(tables, 512).sort()).toEqual(literals.sort());
    expect(wordsOf(tables, 2560).sort()).toEqual([...allSigns()].sort());
    for (const literal of literals) expect(literal).toMatch(/^[\x01-\x7f]{4,18}$/);
    for (const sign of allSigns()) expect(sign).toMatch(/^[\w.~+/-]{2,8}$/);
    // Behind them stand the ends of words before `key`.
    expect(384 + tables.length).toBeLessThan(12_544);
  });

  it('are told from six of seven places of ordinary text by a filter: V8 compiles twice what looks at more', () => {
    const tables = Buffer.from(SCANNER_TABLES, 'base64');
    const ordinary = [
      ...filesOf(path.resolve(import.meta.dirname, '../../../src'), 5_000, /redaction/),
      generatedLines(3_000),
    ];
    const text = Buffer.from(ordinary.map((one) => one.text).join('\n'), 'latin1');
    // Of a group each of three bytes has a lower and an upper half.
    const mayBegin = (at: number, from: number) =>
      [0, 1, 2].reduce((groups, place) => {
        const [byte, table] = [text[at + place]!, from + 32 * place];
        return groups & tables[table + (byte & 15)]! & tables[table + 16 + (byte >> 4)]!;
      }, 0xff) !== 0;
    let through = 0;
    for (let at = 0; at + 3 <= text.length; at += 1)
      if (mayBegin(at, 0) || mayBegin(at, 4608 - 384)) through += 1;
    expect(text.length).toBeGreaterThan(100_000);
    expect(through / text.length).toBeLessThan(1 / 7);
  });

  it('are each found, in the case of letters that counts for them', () => {
    for (const [name, words] of Object.entries(LITERALS)) {
      const kind = Number(name);
      for (const word of words) {
        const texts = (kind & 0x20) === 0 ? [word] : [word, word.toUpperCase(), word.toLowerCase()];
        for (const text of texts) {
          const before = kind === KIND.key ? 'api_' : ' ';
          const behind = kind === KIND.bearer ? ' ' : kind === KIND.url ? 'a:b' : '="a"';
          const places = scanned(before + text + behind);
          expect(places.at(kind), text).toContain(before.length);
        }
      }
    }
  });
});

describe('the assembled scanner', () => {
  it('is that of scanner.wat and machine.wat as they stand', () => {
    const source = (name: string) =>
      readFileSync(path.join(import.meta.dirname, '../../../src/capture/redaction', name), 'utf8');
    const hash = createHash('sha256')
      .update(source('scanner.wat') + source('machine.wat'))
      .digest('hex');
    expect(source('scanner-bytes.ts')).toContain(`// ${hash}.`);
  });
});

describe('the scanner', () => {
  it('finds the beginnings of tokens wherever they stand', () => {
    for (const filler of ['', 'word, '.repeat(3), 'word, '.repeat(20_000)]) {
      for (const before of ['', ' ', '"', '=', '\\n', '\x1b[31m', '%3D', '\\u0022', 'x_', 'a/b/']) {
        const text = `${filler}${before}ghp_${chars(random, BASE62, 36)}`;
        const at = filler.length + before.length;
        expect(scanned(text).at(KIND.token)).toContain(at);
        expect(scanned(`${text}, ${filler}`).at(KIND.token)).toContain(at);
      }
    }
    expect(scanned('word, '.repeat(3000)).isEmpty).toBe(true);
  });

  it('finds none in what is shorter than every token, or goes on like a word', () => {
    const shortest = `ghp_${'1'.repeat(RUN_CHARS_MIN - 4)}`;
    expect(scanned(shortest).has(KIND.token)).toBe(true);
    expect(scanned(shortest.slice(0, -1)).has(KIND.token)).toBe(false);
    for (const word of ['secret_name_of_things', 'patternProperties', 'sk-some-long-class'])
      expect(scanned(word).has(KIND.token)).toBe(false);
  });

  it('finds labels only where a value may be assigned to them', () => {
    const kinds = (text: string) =>
      [...scanned(text).kinds].filter((kind) => kind !== KIND.keyInUrl);
    for (const text of ['api_key=', 'ApiKey = ', '"access_key": ', 'app_key\\": ', 'auth-key_2:'])
      expect(kinds(text), text).toEqual([KIND.key]);
    for (const text of ['password "a', "passwd   'a", 'PASSWORD\t\\"a', 'pwd ?= a'])
      expect(kinds(text).filter((kind) => kind !== KIND.phrase)).toEqual([KIND.password]);
    for (const text of ['PHPSESSID=', 'connect.sid=', 'app_session='])
      expect(kinds(text), text).toEqual([KIND.session]);
    expect(kinds('JSESSIONID: ').sort()).toEqual([KIND.session, KIND.sessionId]);
    expect(kinds('session_id=')).toEqual([KIND.sessionId]);
    for (const text of ['OPENAI_KEY=', 'api.key: ', 'Jwt__Key=', 'Jwt:Key=', 'secret_key_test = '])
      expect(kinds(text), text).toContain(KIND.key);
    for (const text of ['DB_PASSWORD_PROD=', 'passwordConfirm: ', 'password_confirmation":'])
      expect(kinds(text), text).toEqual([KIND.password]);
    for (const text of [
      ...['--token x', 'TOKEN1=', 'secret_value: ', "token' => ", 'token\\u001b[0m=', 'tokens: '],
      ...['token[] = ', 'token[128] = ', 'token[]("a', 'token[2]("a', 'token As String'],
    ])
      expect(kinds(text), text).toEqual([KIND.secret]);
    for (const text of [
      'key=',
      'my_key: ',
      '"path-key": ',
      '"cookie": "^0.7.1",\n',
      'monkeys: ',
      'openai_key: ',
      'the token is',
      'the token as said',
      'token()',
      'token[i] = ',
      'keyboard: ',
      'sessionId',
    ])
      expect(kinds(text), text).toEqual([]);
  });

  it('knows every word that makes a key secret', () => {
    const source = LABEL_RULES.find(({ id }) => id === 'API-KEY')?.pattern?.source ?? '';
    const words = /\(\?<=\(\?:([a-z|]+)\)/.exec(source)?.[1]?.split('|') ?? [];
    expect(words.length).toBeGreaterThan(15);
    for (const word of words) {
      for (const label of [`${word}key`, `${word}_KEY`, `${word.toUpperCase()}-key`])
        expect(scanned(`${label}=`).at(KIND.key), label).toEqual([label.length - 3]);
    }
  });

  it('finds cookies that have a value in reach, and those that are the key of an object', () => {
    const isFound = (text: string) => scanned(text).has(KIND.cookie);
    for (const text of ['Cookie: sid=1', 'cookie\x1b\nsid', '\\"Set-Cookie\\": \\"a.b='])
      expect(isFound(text), text).toBe(true);
    expect(isFound(`cookie:${' '.repeat(126)}=`)).toBe(true);
    expect(isFound(`cookie:${' '.repeat(127)}=`)).toBe(false);
  });

  it('misses nothing that the plain way finds, but what no value, host or scheme stands behind', () => {
    const parts = fc.oneof(
      fc.constantFrom(...Object.values(LITERALS).flat()),
      fc.constantFrom(...allSigns()),
      fc.constantFrom('=', ': ', ' ', '"', '\\', '\\n', '\n', '%3D', '@', '/', '.', '_', '\x1b[1m'),
      fc.constantFrom('\u2192', '\u0161', '\u00ff', '\ud83d\ude00', '\ufffd', '1', 'Aa1', 'zz'),
      fc.stringMatching(/^[A-Za-z0-9]{10,80}$/),
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 30 }), (list) => {
        expect(missed(list.join('')).filter((found) => !isJudged(found))).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  it('lets the rules find all that they find with the plain way', { tags: 'long' }, () => {
    const found = (text: string, places: Places) =>
      BUILTIN_RULES.flatMap((rule) => [...spansOf(rule, text, places)]);
    const same = (text: string) => {
      const plain = new Places();
      plainPlaces(text, plain);
      expect(found(text, scanned(text)), text).toEqual(found(text, plain));
    };
    const parts = fc.oneof(
      fc.constantFrom('password', 'token', 'api_key', 'SECRET_KEY_BASE', 'pass', 'pwd2', 'key-1'),
      fc.constantFrom('secret_value', 'cookie', 'Authorization', 'bearer', 'Bearer ', 'Basic '),
      fc.constantFrom(
        '=',
        ': ',
        ':',
        '"',
        "'",
        '\\"',
        '\\',
        '%3D',
        '%22',
        ' ',
        '  ',
        '\t',
        ']',
        '=>',
      ),
      fc.constantFrom('[]', '[32]', '[', ' As String', '("', '["a1b2c3", "'),
      fc.constantFrom(
        '://',
        ':\\/\\/',
        '%3A%2F%2F',
        'a:b1c2d3',
        '@',
        '%40',
        '/',
        '--',
        ' --',
        ', ',
      ),
      fc.constantFrom('\x1b[31m', '\\u001b[1m', '\n', '\\n', '\u2192', '\u0161', '; ', '.', '_'),
      fc.stringMatching(/^[A-Za-z0-9]{1,40}$/),
      fc
        .tuple(fc.constantFrom(...Object.values(SAMPLES)), fc.nat())
        .map(([make, seed]) => make(seeded(seed)).text),
    );
    // A suffix behind a word that goes on behind `key`; a label in what is no suffix; usage.
    const texts = ['SECRET_KEY_BASE_0=a:b1c2d3', 'SECRET_KEY_BASEapiKey: "p8DZUHhar0Eg7Zb7"'];
    for (const text of [...texts, ' --password]\tpwd2password']) same(text);
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 14 }), (list) => same(list.join(''))),
      { numRuns: 3000 },
    );
    for (const kind of allKinds()) {
      for (const context of contextsOf(kind)) {
        const token = kind.make(random);
        const text = kind.label === undefined ? token : `${kind.label}_api_key = "${token}"`;
        same(context.wrap(text, secretPart(kind, token), random).text);
      }
    }
  });

  it('says the same wherever its windows end', () => {
    const text = Object.values(SAMPLES)
      .flatMap((make) => [make(random).text, make(random).text])
      .join('\n');
    const alone = scanned(text);
    const ends = [8150, 8170, 8180, 8184, 8188, 8190, 8192];
    for (const filler of [...ends, 32_700, 32_760, 32_768, 32_775, 32_900, 65_500]) {
      const places = scanned('\n'.repeat(filler) + text);
      for (const kind of alone.kinds)
        expect(places.at(kind)).toEqual(alone.at(kind).map((at) => at + filler));
    }
  });

  it('finds a token behind an escape on both sides of a window', () => {
    const token = `ghp_${chars(random, BASE62, 36)}`;
    for (let filler = 8170; filler < 8200; filler += 1) {
      const text = `${'\n'.repeat(filler)}\\u001b[31m${token}`;
      expect(scanned(text).at(KIND.token)).toContain(text.length - token.length);
    }
  });

  it('misses nothing in ordinary files, either', () => {
    const root = path.join(import.meta.dirname, '../../..');
    for (const { text } of [generatedLines(5000), ...filesOf(`${root}/src/capture`, 9000, /(?!)/)])
      expect(missed(text).filter((found) => !isJudged(found))).toEqual([]);
  });
});

describe('the sources', () => {
  it('hold no token that a scanner would find', () => {
    const dir = path.join(import.meta.dirname, '../../../src/capture/redaction/table');
    const text = readFileSync(path.join(dir, 'tokens-services.ts'), 'utf8');
    expect(text).not.toMatch(/sk_live_[A-Za-z0-9]{16}/);
  });
});
