import { expect, test } from 'vitest';
import { RecordTally } from '../../src/capture/record-tally.ts';

test('lines are counted by what could be made of them, in the part and in the whole', () => {
  const whole = new RecordTally();
  const part = new RecordTally(whole);
  part.add({ type: 'user' }, true);
  part.add(undefined, false);
  part.add({ type: 'invented' }, false);
  part.add({ type: 'invented' }, false);
  part.add({}, false);
  const counts = { records: 4, malformed: 1, unknown: { invented: 2, '(none)': 1 } };
  expect(part.counts()).toEqual(counts);
  new RecordTally(whole).add(undefined, false);
  expect(whole.counts()).toEqual({ ...counts, malformed: 2 });
});

test('types are cut, and beyond the limit counted together', () => {
  const tally = new RecordTally();
  tally.add({ type: 'x'.repeat(500) }, false);
  for (let n = 0; n < 100; n += 1) tally.add({ type: `type ${n}` }, false);
  tally.add({ type: 'type 5' }, false);
  const { unknown } = tally.counts();
  expect(unknown['x'.repeat(60)]).toBe(1);
  expect(unknown['type 5']).toBe(2);
  expect(unknown['(others)']).toBe(51);
  expect(Object.keys(unknown)).toHaveLength(51);
});

test('no type of record can change the counts themselves', () => {
  const tally = new RecordTally();
  for (const type of ['__proto__', 'constructor', 'toString']) tally.add({ type }, false);
  const { unknown } = tally.counts();
  expect(Object.getPrototypeOf(unknown)).toBe(Object.prototype);
  expect(unknown).toEqual({ '(others)': 1, constructor: 1, toString: 1 });
});
