import { expect, it } from 'vitest';
import { compileOnce } from '../../src/platform/machine-code.ts';

it('expressions that were compiled beforehand find what they find otherwise, from where they would', () => {
  const texts = ['', 'abc', 'no\0pe', 'x'.repeat(2000), 'Ünïcode — “yes”', '\0'.repeat(3)];
  const patterns = [/b/, /\0+/g, /^(?:a|\0)/y, /[^x]/u, /—/gi, /$/];
  const ready = patterns.map((one) => new RegExp(one.source, one.flags));
  compileOnce(ready);
  compileOnce(ready);
  expect(ready.map((one) => one.lastIndex)).toEqual(patterns.map(() => 0));
  for (const text of texts)
    for (const [n, pattern] of patterns.entries())
      expect(ready[n]!.exec(text)).toEqual(pattern.exec(text));
});
