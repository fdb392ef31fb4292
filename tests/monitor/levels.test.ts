import { expect, test } from 'vitest';
import type { Level } from '../../src/events/types.ts';
import { compactAt, levelOf, stepOf, thresholds } from '../../src/monitor/levels.ts';
import { type Segment, segmentFrom } from '../../src/projections/growth.ts';
import { SETTINGS } from './settings.ts';

const AT = { l1: 70, l2: 85, l3: 95 };
const HERE = { session: 's', window: 200_000, tokens: 150_000, compacting: null };

/** A context that held so many tokens after each message. */
function context(session: string, tokens: readonly number[], compactedAt: number | null = null) {
  const sample = { message: 'm', model: 'claude-opus-4-6', at: 0, tokens: tokens[0]! };
  const points = tokens.map((held, n): Segment['points'][number] => [n + 1, n, held]);
  return { ...segmentFrom(session, sample), points, compactedAt };
}

const compacted = (...at: number[]) => at.map((one, n) => context(`s${n}`, [20_000], one));

test('a level begins at its threshold and ends three points below it', () => {
  const steps: [number, Level, Level][] = [
    [69, 'L0', 'L0'],
    [70, 'L0', 'L1'],
    [67, 'L1', 'L1'],
    [66, 'L1', 'L0'],
    [96, 'L0', 'L3'],
    [92, 'L3', 'L3'],
    [91, 'L3', 'L2'],
  ];
  for (const [percent, before, after] of steps)
    expect(levelOf(percent, AT, before), `${percent} after ${before}`).toBe(after);
});

test('a known compaction point brings the levels forward, each by so many steps', () => {
  const at = { at: 167_000, isKnown: true };
  expect(thresholds(SETTINGS, at, 200_000, 5_000)).toEqual({ l1: 70, l2: 76, l3: 79 });
  expect(thresholds(SETTINGS, at, 200_000, 15_000)).toEqual({ l1: 54, l2: 61, l3: 69 });
  expect(thresholds(SETTINGS, { ...at, isKnown: false }, 200_000, 5_000)).toEqual(AT);
});

test('the point is the lowest that was seen of the same window, and never above the usual one', () => {
  const at = (...seen: number[]) => compactAt(SETTINGS, { ...HERE, segments: compacted(...seen) });
  expect(at(166_094, 170_251, 167_731)).toEqual({ at: 166_094, isKnown: true });
  // It was met by a large message.
  expect(at(194_853)).toEqual({ at: 167_000, isKnown: true });
  // Older than the last five; of a window of a million.
  expect(at(120_000, ...Array.from({ length: 5 }, () => 160_000)).at).toBe(160_000);
  expect(at(967_000)).toEqual({ at: 167_000, isKnown: false });
  const small = {
    ...HERE,
    window: 64_000,
    segments: compacted(60_000).map((one) => ({ ...one, window: 64_000 })),
  };
  expect(compactAt(SETTINGS, small)).toEqual({ at: 60_000, isKnown: true });
  expect(compactAt({ compactAt: 'off' }, { ...HERE, segments: [] })).toMatchObject({ at: null });
});

test('one message behind the point refutes nothing, as the compaction comes behind it; two do', () => {
  const at = (seen: number, ...held: number[]) => {
    const segments = [...compacted(seen), context('s', held)];
    return compactAt(SETTINGS, { ...HERE, tokens: held.at(-1)!, segments });
  };
  expect(at(155_000, 121_000, 167_500)).toEqual({ at: 155_000, isKnown: true });
  expect(at(155_000, 163_000, 167_500)).toEqual({ at: 167_000, isKnown: false });
  // Its point is above the usual one after all.
  expect(at(185_000, 173_000, 174_000)).toEqual({ at: 185_000, isKnown: true });
  expect(at(155_000, 173_000, 174_000)).toEqual({ at: null, isKnown: false });
});

test('a step is what the message adds in which a compaction is met', () => {
  const step = (...added: number[]) => {
    let held = 20_000;
    return stepOf(context('s', [held, ...added.map((one) => (held += one))]));
  };
  const small = Array.from({ length: 30 }, () => 1_000);
  expect(step(...small)).toBe(5_000);
  expect(step(...small, 20_000)).toBe(Math.round((30 * 1_000 ** 2 + 20_000 ** 2) / 50_000));
  expect(step(...small, 20_000, -5_000)).toBe(step(...small, 20_000));
  expect(step(40_000)).toBe(15_000);
  // Of eight messages only the sum is known.
  const sparse = context('s', [20_000]);
  expect(
    stepOf({
      ...sparse,
      points: [
        [1, 0, 20_000],
        [9, 1, 100_000],
      ],
    }),
  ).toBe(10_000);
  expect([stepOf(undefined), stepOf(sparse)]).toEqual([5_000, 5_000]);
});
