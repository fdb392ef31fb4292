import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileRedaction } from '../../src/capture/redaction/index.ts';
import { describer } from '../../src/scan/finding.ts';
import { AHEAD_CHARS, scanChunks, WINDOW_CHARS } from '../../src/scan/scan-chunks.ts';
import { BASE62, chars, seeded } from '../capture/redaction/samples.ts';

const { options } = compileRedaction();
const random = seeded(5);
const token = () => `ghp_${chars(random, BASE62, 36)}`;

function* pieces(text: string, size: number): Generator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

const scan = (text: string, size: number) =>
  [...scanChunks(pieces(text, size), options, describer())].map(
    ({ rule, line, column, length }) => `${rule} ${line}:${column} ${length}`,
  );

describe('scanning a text in pieces', () => {
  it('finds each secret once, with its line and column, wherever the pieces are cut', () => {
    const text = `a\nb ${token()} c\r\n\n  password=hunter2\n😀 ${token()}`;
    const whole = ['GITHUB-TOKEN 2:3 40', 'PASSWORD 4:12 7', 'GITHUB-TOKEN 5:4 40'];
    for (const size of [1, 2, 7, 40, 1000]) expect(scan(text, size)).toEqual(whole);
  });

  it('finds what lies across the end of a window, and its label before it', () => {
    const filler = 'lorem ipsum dolor\n';
    for (const offset of [-45, -41, -40, -20, -8, -1, 0, 1, 20]) {
      const before = filler
        .repeat(Math.ceil(WINDOW_CHARS / filler.length))
        .slice(0, WINDOW_CHARS + offset - 6);
      const text = `${before}\ntoken=${token()} \npassword: "hunter2"${filler.repeat(AHEAD_CHARS / 4)}`;
      const found = scan(text, 64 * 1024);
      const line = before.split('\n').length + 1;
      expect(found).toEqual([`GITHUB-TOKEN ${line}:7 40`, `PASSWORD ${line + 1}:12 7`]);
    }
  });

  it('says the same for any pieces', () => {
    const part = fc.oneof(
      fc.constantFrom('\n', 'x ', 'password=hunter2 ', '\r\n'),
      fc.constant(`${token()} `),
    );
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 30 }),
        fc.integer({ min: 1, max: 50 }),
        (parts, size) => {
          const text = parts.join('');
          expect(scan(text, size)).toEqual(scan(text, text.length + 1));
        },
      ),
      { numRuns: 200 },
    );
  });
});
