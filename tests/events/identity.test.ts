import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fact, factId, freshId } from '../../src/events/identity.ts';
import { systemRandom } from '../../src/platform/random.ts';

const fill = (bytes: Uint8Array): void => systemRandom.fill(bytes);

describe('the id of a fact', () => {
  test('is 128 bits of its session and its name, always the same', () => {
    expect(factId('s', fact.toolCall('t1'))).toHaveLength(16);
    expect(factId('s', fact.toolCall('t1'))).toEqual(factId('s', fact.toolCall('t1')));
    // Written down: an id that changes makes every fact of an old journal new again.
    expect(factId('s', fact.toolCall('t1')).toString('hex')).toBe(
      '6f730300b79e148d2c74b190416e60b8',
    );
  });

  test('is another for another session or another name, whatever is in them', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\0', ':'), maxLength: 6 });
    const pair = fc.tuple(text, text);
    fc.assert(
      fc.property(pair, pair, (a, b) => {
        const isSame = a[0] === b[0] && a[1] === b[1];
        expect(factId(...a).equals(factId(...b))).toBe(isSame);
      }),
      { numRuns: 3000 },
    );
  });

  test('is one for success and failure: a call has one outcome', () => {
    expect(fact.toolOutcome('t1')).not.toBe(fact.toolCall('t1'));
    const names = [
      fact.prompt('p', 0),
      fact.prompt('p', 1),
      fact.message('u', 0),
      fact.toolCall('t'),
      fact.toolOutcome('t'),
      fact.usage('m', 'u'),
      fact.compaction('p', 0),
      fact.subagentStart('a'),
      fact.enriched('00'),
    ];
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('an id for what has no name', () => {
  test('is a UUIDv7 of its time', () => {
    const id = freshId(1_795_256_011_702, fill).toString('hex');
    expect(id).toMatch(/^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
    expect(Number.parseInt(id.slice(0, 12), 16)).toBe(1_795_256_011_702);
  });

  test('is never the same twice', () => {
    const ids = Array.from({ length: 1000 }, () => freshId(5, fill).toString('hex'));
    expect(new Set(ids).size).toBe(1000);
  });
});
