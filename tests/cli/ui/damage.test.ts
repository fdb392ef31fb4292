import { describe, expect, it } from 'vitest';
import { lossCell, placeCells } from '../../../src/cli/ui/damage.ts';

const at = (kind: string, segment: string, firstSeq: number | null, lastSeq: number | null) => ({
  kind,
  segment,
  offset: 1200,
  bytes: 30,
  firstSeq,
  lastSeq,
});

describe('a damaged place', () => {
  it('is told by its file, its byte and its size', () => {
    expect(placeCells(at('body', '0000000000000001.b10', 3, 3))).toEqual([
      'body',
      '0000000000000001.b10',
      '1,200',
      '30 bytes',
    ]);
  });

  it.each([
    ['0000000000000063.b10z', 1, 'before 0000000000000063.b10z'],
    ['0000000000000001.b10', 9, 'after 0000000000000001.b10'],
    [`${'f'.repeat(32)}/0000000000000063.b10`, 62, `before ${'f'.repeat(32)}/0000000000000063.b10`],
    ['synced', 1, '-'],
  ])(
    'where events are missing at %j from @%i on is told as %j, in no file',
    (segment, first, where) => {
      expect(placeCells(at('missing', segment, first, 62))).toEqual(['missing', where, '-', '-']);
    },
  );

  it.each([
    ['manifest', null, null, 'none'],
    ['inbox', null, null, 'not known'],
    ['blob', null, null, 'none'],
    ['blob', 4, 6, 'text of @4 to @6'],
    ['tail', 9, null, 'from @9 on'],
  ])('of kind %s with @%j to @%j costs %j', (kind, first, last, cost) => {
    expect(lossCell(at(kind, 'file', first, last))).toBe(cost);
  });
});
