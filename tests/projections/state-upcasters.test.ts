import { expect, test } from 'vitest';
import { context } from '../../src/projections/folds/context.ts';
import { upcastState } from '../../src/projections/state-upcasters.ts';

/** The first version of which states were stored for good. */
const FIRST = 5;

test('a way leads from every version that was stored for good to the newest', () => {
  const { cleared: _, ...oldest } = context.initial();
  for (let version = FIRST; version <= context.version; version += 1)
    expect(upcastState('context', oldest, version, context.version)).toBeDefined();
  expect(upcastState('context', oldest, FIRST, context.version)).toEqual(context.initial());
});

test('what is no state, or of another projection or an unknown version, has no way', () => {
  for (const state of [null, 1, 'x', []])
    expect(upcastState('context', state, FIRST, context.version)).toBeUndefined();
  expect(upcastState('tools', {}, FIRST, FIRST + 1)).toBeUndefined();
  expect(upcastState('constructor', {}, FIRST, FIRST + 1)).toBeUndefined();
  expect(upcastState('context', {}, FIRST - 1, context.version)).toBeUndefined();
});
