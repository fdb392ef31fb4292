/** @module-tag long */
import path from 'node:path';
import { expect, test } from 'vitest';
import { bench } from './bench.ts';

const { plantedSession } = await bench('plant.mjs');
const { givenBack } = await bench('product.mjs');
const { hooksOf, recordsOf } = await bench('session.mjs');
const { default: pool } = await bench('pools/development/index.mjs');

const entry = path.resolve('dist/ben10.cjs');
// All of it fits: at the edge of the budget the digits of an event's number decide.
const { turns } = plantedSession({ pool, seed: 5, facts: 4, turns: 24 });
const records = recordsOf(turns, 'feeds');

/** Numbers of events and of the fence are the journal's own: one way of feeding may take one more event than another; and what hooks tell is of now. */
const bare = (text: string) =>
  text
    .replace(/@n: event, (?:all|age) [^.]*\./, '@n: event.')
    .replace(/@\d+/g, '@n')
    .replace(/ben10-(recall|context)-\d+/g, 'ben10-$1');

test('a session that is imported, read by the hooks, or told hook by hook gives the same text back', async () => {
  const read = await givenBack(entry, records);
  const imported = await givenBack(entry, records, { feed: 'import' });
  const told = await givenBack(entry, records, { feed: 'hooks', stream: hooksOf(turns, 'feeds') });
  expect(read.text.length).toBeGreaterThan(500);
  expect(read.text.length).toBeLessThan(8000);
  expect(bare(imported.text)).toBe(bare(read.text));
  expect(bare(told.text)).toBe(bare(read.text));
}, 120_000);

test('the size that is asked for reaches the hooks, and a text beyond it is cut', async () => {
  const whole = await givenBack(entry, records);
  const small = await givenBack(entry, records, { maxChars: 700 });
  // Each of the two hooks keeps to the setting.
  expect(small.chars).toBeLessThanOrEqual(2 * 700);
  expect(small.chars).toBeLessThan(whole.chars);
  expect(small.text).toHaveLength(Math.min(small.chars, 700));
});
