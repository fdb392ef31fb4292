import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  BEGINNING,
  comparePlaces,
  END,
  inOrder,
  type Place,
  placeOf,
} from '../../src/projections/order.ts';
import { factOf, T0 } from './support/telling.ts';

const place: fc.Arbitrary<Place> = fc.record({
  time: fc.nat(3),
  rank: fc.constantFrom(0 as const, 1 as const),
  thread: fc.constantFrom('', 'a', 'b'),
  position: fc.nat(3),
});
const sign = (n: number): number => Math.sign(n) + 0;

test('places are in one order, between the beginning and the end', () => {
  fc.assert(
    fc.property(place, place, place, (a, b, c) => {
      expect(sign(comparePlaces(a, b))).toBe(-sign(comparePlaces(b, a)) + 0);
      if (comparePlaces(a, b) <= 0 && comparePlaces(b, c) <= 0) {
        expect(comparePlaces(a, c)).toBeLessThanOrEqual(0);
      }
      expect(comparePlaces(BEGINNING, a)).toBeLessThan(0);
      expect(comparePlaces(a, END)).toBeLessThan(0);
    }),
  );
});

test('a fact stands where its transcript has it, at the latest time there', () => {
  const data = { text: 'x' };
  const traced = factOf('prompt.submitted', { ...data, trace: { pos: 7 } }, { at: T0, agent: 'a' });
  expect(placeOf(traced)).toEqual({ time: T0, rank: 0, thread: 'a', position: 7 });
  const late = factOf('prompt.submitted', { ...data, trace: { pos: 7, time: T0 + 9 } }, { at: T0 });
  expect(placeOf(late)).toEqual({ time: T0 + 9, rank: 0, thread: '', position: 7 });
});

test('a fact that no transcript has stands by its own time, behind those that one has', () => {
  const told = factOf('turn.ended', {}, { at: T0, seq: 5 });
  expect(placeOf(told)).toEqual({ time: T0, rank: 1, thread: '', position: 5 });
  const traced = factOf('prompt.submitted', { text: 'x', trace: { pos: 9 } }, { at: T0, seq: 9 });
  expect(inOrder([told, traced]).map(({ fact }) => fact.seq)).toEqual([9, 5]);
});

test('records that a client wrote late stay in the order of the file', () => {
  const facts = [
    factOf('prompt.submitted', { text: 'b', trace: { pos: 20, time: T0 + 50 } }, { at: T0 + 10 }),
    factOf('prompt.submitted', { text: 'a', trace: { pos: 10 } }, { at: T0 + 50 }),
    factOf('prompt.submitted', { text: 'c', trace: { pos: 30 } }, { at: T0 + 60 }),
  ];
  expect(inOrder(facts).map(({ fact }) => (fact.data as { text: string }).text)).toEqual([
    'a',
    'b',
    'c',
  ]);
});

test('facts at the very same place stay in the order of their events', () => {
  const one = factOf('prompt.submitted', { text: 'x', trace: { pos: 1 } }, { at: T0, seq: 2 });
  const two = factOf('prompt.submitted', { text: 'x', trace: { pos: 1 } }, { at: T0, seq: 1 });
  expect(inOrder([one, two]).map(({ fact }) => fact.seq)).toEqual([1, 2]);
});
