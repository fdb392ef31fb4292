import { describe, expect, test } from 'vitest';
import { byOrigin, targetsOf } from '../../../src/journal/erase/targets.ts';

const segment = (firstSeq: number) => ({ origin: 'o', firstSeq, sealed: false, path: '' });
const files = [1, 10, 20, 30].map(segment);
const firstSeqs = (request: Parameters<typeof targetsOf>[0]) =>
  targetsOf(request)
    .in(files)
    .map(({ firstSeq }) => firstSeq);

describe('the targets of a request', () => {
  test('are the seqs that it names', () => {
    const { has, first } = targetsOf({ targets: [5, 21] });
    expect([4, 5, 6, 21].map(has)).toEqual([false, true, false, true]);
    expect(first).toBe(5);
    expect(firstSeqs({ targets: [5, 21] })).toEqual([1, 20]);
  });

  test('are everything up to a seq but what is kept, and what it names behind that', () => {
    const request = { targets: [33], upto: 12, kept: [3, 12] };
    const { has, first } = targetsOf(request);
    expect([1, 2, 3, 11, 12, 13, 33].map(has)).toEqual([
      true,
      true,
      false,
      true,
      false,
      false,
      true,
    ]);
    expect(first).toBe(1);
    expect(firstSeqs(request)).toEqual([1, 10, 30]);
  });

  test('may be none', () => {
    expect(firstSeqs({ targets: [] })).toEqual([]);
    expect(targetsOf({ targets: [] }).first).toBe(1);
  });
});

test('events are told apart by their origins, in their order', () => {
  const events = [
    { origin: 'a', seq: 2 },
    { origin: 'b', seq: 1 },
    { origin: 'a', seq: 1 },
  ];
  expect([...byOrigin(events)]).toEqual([
    ['a', [events[0], events[2]]],
    ['b', [events[1]]],
  ]);
});
