import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AFTER_LABEL,
  assignedValue,
  type Separator,
  separatorAt,
} from '../../../src/capture/redaction/assigned-value.ts';

/** The value after the label `x` in the text, as [what is judged, all of it, whether it was quoted]. */
function valueAfterX(text: string): [string, string, boolean] | undefined {
  const value = assignedValue(text, text.indexOf('x') + 1);
  return value && [value.text, text.slice(value.start, value.end()), value.quoted];
}

describe('what stands between a label and its value', () => {
  const pieces = [
    ...['"', "'", '`', ' ', '  ', '\t', '=', ':', '>', '~', '?', '+', '*', '|', '\\', '\n', '\r\n'],
    ...['{', '(', '[', ']', '$', '&', '&gt;', '%3D', '%20', '@', '.', ',', '-', '/', '<', '!'],
    ...['a', 's', 'str', 'b', 'u', '0', '_', '\x1b[31m', 'u0022', ' '.repeat(21)],
  ];

  function bothSay(text: string): [Separator | undefined, Separator | undefined] {
    AFTER_LABEL.lastIndex = 0;
    const found = AFTER_LABEL.exec(text)?.[1];
    const end = AFTER_LABEL.lastIndex;
    return [separatorAt(text, 0), found === undefined ? undefined : { text: found, end }];
  }

  it('is the same in plain code as the expression says, for every text of up to three pieces behind a sign', () => {
    const differing: string[] = [];
    const extend = (text: string, depth: number): void => {
      const [plain, expected] = bothSay(text);
      if (plain?.text !== expected?.text || plain?.end !== expected?.end) differing.push(text);
      if (depth > 0) for (const piece of pieces) extend(text + piece, depth - 1);
    };
    for (const sign of ['', '=', ': ', '" =>', "']:"]) extend(sign, 3);
    expect(differing).toEqual([]);
  });

  it('is the same for longer ones', () => {
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 7 });
    fc.assert(
      fc.property(text, (parts) => {
        const [plain, expected] = bothSay(parts.join(''));
        expect(plain).toEqual(expected);
      }),
      { numRuns: 20_000 },
    );
  });
});

describe('the value assigned to a label', () => {
  it.each([
    ['x=abc def', 'abc', false],
    ['x: abc,', 'abc', false],
    ['x := abc;', 'abc', false],
    ['x="a b"', 'a b', true],
    ["'x': 'a'", 'a', true],
    ['x: str = "a"', 'a', true],
    ['x: string = `a`', 'a', true],
    ['["x"] = "a"', 'a', true],
    ['--x abc', 'abc', false],
    ['x=abc&y=1', 'abc', false],
    ['x="a\\"b" c', 'a\\"b', true],
    ['\\"x\\": \\"a\\\\\\"b\\" c\\"', 'a\\\\\\"b', true],
    ['x%3Dabc%26', 'abc', false],
    ['%22x%22%3A%22a%2Bc%22', 'a%2Bc', true],
    ['x="\x1b[1ma\x1b[0m"', 'a', true],
    ['x=\x1b[1ma\x1b[0m', 'a', false],
    ['x="abc', 'abc', true],
    ['x="abc\ny="', 'abc', true],
    ['"x":\n    "abc",', 'abc', true],
    ["x =\\n  'abc';", 'abc', true],
    ['x: |\n  abc\ny: 1', 'abc', false],
    ['x: >-\\n  abc\\n', 'abc', false],
    ['x = b"abc"', 'abc', true],
    ['x&quot;:&quot;a,b&quot;', 'a,b', true],
    ['\\u0022x\\u0022:\\u0022a b\\u0022', 'a b', true],
  ])('%j', (text, value, quoted) => {
    expect(valueAfterX(text)).toEqual([value, value, quoted]);
  });

  it('is judged up to an equals sign and replaced as a whole', () => {
    expect(valueAfterX('x=abc==')).toEqual(['abc==', 'abc==', false]);
    expect(valueAfterX('x=abc=def=ghi jkl')).toEqual(['abc=', 'abc=def=ghi', false]);
  });

  it.each([
    'x',
    'x y',
    'x=',
    'x= ',
    'x == 1',
    'x === 1',
    'x =~ 1',
    'x::y',
    'x=f(1)',
    'x=a[0]',
    'x=<a>',
    'x=$(y)',
    'x\n=1',
    'x:\n  abc: 1',
    'x:\n  "abc": 1',
  ])('is none in %j', (text) => {
    const value = valueAfterX(text);
    expect(value === undefined || /^[y=]/.test(value[0])).toBe(true);
  });
});
