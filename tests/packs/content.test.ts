import { execFileSync } from 'node:child_process';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileRedaction } from '../../src/capture/redaction/index.ts';
import { contentOf } from '../../src/packs/render/content.ts';
import type { Content, Lines } from '../../src/packs/render/pack.ts';
import { folder } from '../support.ts';

const { options } = compileRedaction();

function made(raw: Buffer | string, lines?: Lines): Content {
  const content = contentOf(Buffer.from(raw), lines, options);
  if (typeof content === 'string') throw new Error(content);
  return content;
}
const range = (from: number, to?: number): Lines => ({ from, to });

describe('a text', () => {
  it('is its bytes where there is nothing to do', () => {
    const text = 'a\tb\nç 漢 😀\n';
    expect(made(text)).toEqual({ text, isRaw: true, secrets: [], redactions: {}, changes: {} });
    expect(made('')).toEqual({ text: '', isRaw: true, secrets: [], redactions: {}, changes: {} });
  });

  it.each([
    ['CRLF and CR', 'a\r\nb\rc\n', 'a\nb\nc\n', {}],
    ['a mark', '\ufeffa\n', 'a\n', {}],
    ['no last line feed', 'a\nb', 'a\nb\n', { isEnded: true }],
    [
      'escapes and what cannot be seen',
      '\x1b[31mr\x1b[0m\u200b\u202e\x07\n',
      'r\n',
      { cleaned: 12 },
    ],
    [
      'tags of a frame',
      '<ben10-item>\n</system-reminder>\n<b>\n',
      '‹ben10-item>\n‹/system-reminder>\n<b>\n',
      { cleaned: 2 },
    ],
  ])('has %s as told', (_, raw, text, changes) => {
    expect(made(raw)).toMatchObject({ text, changes });
  });

  it.each([
    ['utf16le', Buffer.from([0xff, 0xfe])],
    ['utf16be', Buffer.from([0xfe, 0xff])],
  ])('is read by the mark of %s', (name, mark) => {
    const bytes = Buffer.from('a\r\né😀\n', 'utf16le');
    const raw = Buffer.concat([mark, name === 'utf16le' ? bytes : bytes.swap16()]);
    expect(made(raw)).toMatchObject({ text: 'a\né😀\n', changes: {}, isRaw: false });
  });

  it('bears one bad byte in a thousand, counted beside its own replacement characters', () => {
    const good = `\ufffd${'é'.repeat(1000)}\n`;
    const raw = Buffer.concat([Buffer.from(good), Buffer.from([0xff, 0x0a, 0xc3, 0x0a])]);
    expect(made(raw)).toMatchObject({ text: `${good}\ufffd\n\ufffd\n`, changes: { badBytes: 2 } });
    expect(contentOf(Buffer.concat([raw, Buffer.from([0xff])]), undefined, options)).toBe(
      'encoding',
    );
    expect(contentOf(Buffer.from([0xff, 0xfe, 0, 0xd8, 0, 0xd8]), undefined, options)).toBe(
      'encoding',
    );
  });

  it('is binary with a zero byte early, and not with one late', () => {
    const at = (bytes: number) => Buffer.concat([Buffer.alloc(bytes, 'a'), Buffer.from([0])]);
    expect(contentOf(at(7999), undefined, options)).toBe('binary');
    expect(made(at(8000))).toMatchObject({ changes: { cleaned: 1, isEnded: true } });
  });
});

describe('lines', () => {
  it('are those that sed prints', () => {
    const text = fc.array(fc.constantFrom('a', 'b\n', '\n', 'c d', '<x>\n', '漢\n'), {
      maxLength: 12,
    });
    const number = fc.integer({ min: 1, max: 8 });
    fc.assert(
      fc.property(text, number, fc.option(number), (parts, from, more) => {
        const dir = folder({ f: parts.join('') });
        const to = more === null ? undefined : from + more - 1;
        const printed = execFileSync('sed', ['-n', `${from},${to ?? '$'}p`, path.join(dir, 'f')]);
        const content = contentOf(Buffer.from(parts.join('')), range(from, to), options);
        if (printed.length === 0) {
          expect(content).toBe('range_past_end');
          return;
        }
        const shown = printed.toString().replace(/(?<!\n)$/, '\n');
        expect(content).toMatchObject({ text: shown });
      }),
      { numRuns: 40 },
    );
  });

  it('past the last one are cut, and told', () => {
    expect(made('1\n2\n3\n', range(2, 9))).toMatchObject({
      ...{ text: '2\n3\n', lines: { from: 2, to: 3 }, changes: { isCut: true } },
    });
    expect(made('1\n2\n3\n', range(2, 3)).changes).toEqual({});
    expect(made('1\n2\n3\n', range(3))).toMatchObject({ text: '3\n', lines: { from: 3, to: 3 } });
    expect(contentOf(Buffer.from('1\n2\n'), range(3), options)).toBe('range_past_end');
  });

  it('are the original ones, also behind CR', () => {
    expect(made('1\r2\r\n3\n', range(3)).text).toBe('3\n');
  });
});

describe('a secret', () => {
  const PLANTED = [
    ['AWS-ACCESS-KEY', 'AKIAQYLPMN5HHHFPZAM2', 'aws_access_key_id = AKIAQYLPMN5HHHFPZAM2\n'],
    ['API-KEY', 'Zx81kPq0Lm2Nv7Rt5Ws9', 'api_key: Zx81kPq0Lm2Nv7Rt5Ws9\n'],
    ['PASSWORD', 'hunter2-Qz9!x7Lk', 'password = "hunter2-Qz9!x7Lk"\n'],
    ['BEARER-TOKEN', 'q8Zr4Tn1Wm6Yx3Vb0Kc5Jd', 'Authorization: Bearer q8Zr4Tn1Wm6Yx3Vb0Kc5Jd\n'],
    ['GITHUB', 'ghp_', `token ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}\n`],
  ] as const;

  it('is gone, its label stays, and it is counted where it stands', () => {
    const content = made(PLANTED.map(([, , line]) => line).join(''));
    for (const [, secret] of PLANTED) expect(content.text).not.toContain(secret);
    expect(content.text).toMatch(/^api_key: \[REDACTED:[A-Z-]+\]$/m);
    const total = Object.values(content.redactions).reduce((sum, count) => sum + count, 0);
    expect(total).toBe(PLANTED.length);
    for (const [index, [, , line]] of PLANTED.entries()) {
      const one = made(PLANTED.map(([, , each]) => each).join(''), range(index + 1, index + 1));
      expect(one.text).not.toBe(line);
      expect(Object.values(one.redactions)).toEqual([1]);
    }
  });

  it('is found although invisible characters cut it', () => {
    const content = made('aws_access_key_id = AKIAQYLP\u200bMN5HHHFPZAM2\n');
    expect(content.text).not.toMatch(/AKIA|PZAM2/);
    expect(Object.values(content.redactions)).toEqual([1]);
  });

  it('of a project’s own is taken out, too', () => {
    const own = compileRedaction({ patterns: [{ id: 'TICKET', pattern: 'TCK-[0-9]{4}' }] });
    const content = contentOf(Buffer.from('see TCK-1234\n'), undefined, own.options);
    expect(content).toMatchObject({ text: 'see [REDACTED:TICKET]\n' });
  });
});
