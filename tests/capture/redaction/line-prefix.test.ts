import { describe, expect, it } from 'vitest';
import { lineStart, prefixEnd } from '../../../src/capture/redaction/line-prefix.ts';

describe('the beginning of a line', () => {
  it('is behind the last line break, raw or as an escape', () => {
    expect(lineStart('ab', 2, true)).toBe(0);
    expect(lineStart('a\nb\r\ncd', 7, true)).toBe(5);
    expect(lineStart('a\\nbc', 5, false)).toBe(3);
    expect(lineStart('a\\\\ncd', 6, false)).toBe(4);
    expect(lineStart('x\nC:\\new\\', 9, true)).toBe(2);
  });

  it('is looked for within 1,024 characters', () => {
    expect(lineStart(`\n${'a'.repeat(1023)}`, 1024, true)).toBe(1);
    expect(lineStart(`\n${'a'.repeat(1024)}`, 1025, true)).toBeUndefined();
  });
});

describe('the same prefix', () => {
  it.each([
    ['a/key.pem:12:', 'a/key.pem:13:'],
    ['a/key.pem:9:', 'a/key.pem-10-'],
    ['a-b.pem-', 'a-b.pem-'],
    ['10:00:07 host: ', '10:00:11  host: '],
    ['   9 \u2502 ', ' 10 \u2502 '],
  ])('may have other numbers, spaces and separators: %j, %j', (prefix, other) => {
    expect(prefixEnd(`x${other}MII`, 1, prefix)).toBe(1 + other.length);
  });

  it.each([
    ['a.pem:', 'b.pem:'],
    ['a.pem:', 'a.pem'],
    ['a.pem:1:', 'a.pem:x:'],
    ['a b', 'ab'],
  ])('is not another one: %j, %j', (prefix, other) => {
    expect(prefixEnd(other, 0, prefix)).toBeUndefined();
  });
});
