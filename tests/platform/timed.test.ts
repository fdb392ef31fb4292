import { expect, test } from 'vitest';
import { timed } from '../../src/platform/timed.ts';

test('what ends in time is given back, and what does not is stopped', () => {
  const endless = 'a'.repeat(60);
  expect(timed(() => /a+/.exec(endless)?.[0], 5000)).toEqual({ value: endless });
  expect(timed(() => /(a+)+b/.test(endless), 50)).toBeUndefined();
  expect(timed(() => false, 5000)).toEqual({ value: false });
});

test('what is thrown in between is thrown', () => {
  const broken = () => {
    throw new Error('broken');
  };
  expect(() => timed(broken, 5000)).toThrow('broken');
});
