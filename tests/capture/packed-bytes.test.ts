import { expect, it } from 'vitest';
import { isSmall, packsInto } from '../../src/capture/packed-bytes.ts';

it('of an object with very many fields, only those are looked at that there is room for', () => {
  const fields = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, i]));
  Object.defineProperty(fields, 'last', {
    enumerable: true,
    get: () => expect.unreachable('it has no room any more'),
  });
  expect(packsInto(fields, 64 * 1024, 1_000_000)).toBe(false);
  expect(isSmall(fields, Number.POSITIVE_INFINITY, 50_000, 60)).toBe(false);
});
