import { describe, expect, it } from 'vitest';
import { type Found, mergeFound } from '../../../src/capture/redaction/merge.ts';

const found = (start: number, end: number, id: string, rank: number): Found => ({
  start,
  end,
  id,
  rank,
});
const brief = (list: Found[]) => list.map(({ start, end, id }) => [start, end, id]);

describe('finds that meet', () => {
  it('stay apart and come in order when they do not overlap', () => {
    const list = [found(10, 20, 'B', 1), found(0, 5, 'A', 0), found(5, 10, 'C', 2)];
    expect(brief(mergeFound(list, []))).toEqual([
      [0, 5, 'A'],
      [5, 10, 'C'],
      [10, 20, 'B'],
    ]);
  });

  it('become one that covers both, named by the widest', () => {
    const list = [found(0, 10, 'NARROW', 0), found(5, 30, 'WIDE', 5)];
    expect(brief(mergeFound(list, []))).toEqual([[0, 30, 'WIDE']]);
    expect(brief(mergeFound([found(0, 30, 'WIDE', 5), found(5, 9, 'NARROW', 0)], []))).toEqual([
      [0, 30, 'WIDE'],
    ]);
  });

  it('are named by the earlier rule when they are the same', () => {
    expect(brief(mergeFound([found(0, 9, 'LATE', 7), found(0, 9, 'EARLY', 2)], []))).toEqual([
      [0, 9, 'EARLY'],
    ]);
  });

  it('inside a marker are dropped, around it swallow it, across its edge take it whole', () => {
    const marker = { start: 10, end: 20 };
    expect(mergeFound([found(12, 15, 'A', 0)], [marker])).toEqual([]);
    expect(mergeFound([found(10, 20, 'A', 0)], [marker])).toEqual([]);
    expect(brief(mergeFound([found(5, 25, 'A', 0)], [marker]))).toEqual([[5, 25, 'A']]);
    expect(brief(mergeFound([found(5, 12, 'A', 0)], [marker]))).toEqual([[5, 20, 'A']]);
    expect(brief(mergeFound([found(18, 30, 'A', 0)], [marker]))).toEqual([[10, 30, 'A']]);
  });

  it('beside a marker leave it alone', () => {
    const list = [found(0, 10, 'A', 0), found(20, 30, 'B', 0)];
    expect(brief(mergeFound(list, [{ start: 10, end: 20 }]))).toEqual([
      [0, 10, 'A'],
      [20, 30, 'B'],
    ]);
  });
});
