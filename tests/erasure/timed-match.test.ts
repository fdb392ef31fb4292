import { expect, test } from 'vitest';
import { timedMatch } from '../../src/erasure/timed-match.ts';

test('a match that ends in time is what it is, and one that does not is none', () => {
  const endless = 'a'.repeat(60);
  expect(timedMatch(() => /a+/.exec(endless)?.[0])).toEqual({ value: endless });
  const started = Date.now();
  expect(timedMatch(() => /(a+)+b/.test(endless), 50)).toBeUndefined();
  expect(Date.now() - started).toBeLessThan(5000);
  expect(timedMatch(() => false, 5000)).toEqual({ value: false });
});

test('what a match throws is thrown', () => {
  const broken = () => {
    throw new Error('broken');
  };
  expect(() => timedMatch(broken)).toThrow('broken');
});
