import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { layoutOf } from '../../../src/journal/format/layout.ts';
import { allSegments } from '../../../src/journal/read/all-entries.ts';
import { decoders, realPorts } from '../../support.ts';
import { compact, fourSegments, range } from '../journals.ts';
import { afterListing, edit, flipBit, originFolder, segmentFiles } from '../support.ts';

describe('all segments', () => {
  it('gives every event that can be read, and says which segment is not whole', () => {
    const root = fourSegments();
    const files = segmentFiles(root);
    edit(files[0]!, (bytes) => flipBit(bytes, 300 * 8) as undefined);
    edit(files[1]!, (bytes) => flipBit(bytes, (bytes.length - 60) * 8) as undefined);
    edit(files[2]!, (bytes) => flipBit(bytes, 300 * 8) as undefined);
    edit(files[3]!, (bytes) => bytes.subarray(0, 100));
    const found = [...allSegments(realPorts, layoutOf(root), decoders)];
    expect(found.map(({ isWhole }) => isWhole)).toEqual([false, false, false, false]);
    expect(found.map(({ entries }) => entries.map(({ seq }) => seq))).toEqual([
      [],
      [4, 5, 6],
      [8, 9],
      [],
    ]);
  });

  it('are all there when they are sealed while they are listed', () => {
    const root = fourSegments();
    const ports = afterListing(originFolder(root), () => compact(root));
    const found = [...allSegments(ports, layoutOf(root), decoders)];
    expect(found.map(({ file, isWhole }) => [file.sealed, isWhole])).toEqual([
      [true, true],
      [true, true],
      [true, true],
      [false, true],
    ]);
    expect(found.flatMap(({ entries }) => entries.map(({ seq }) => seq))).toEqual(range(1, 12));
  });

  it('are those that are still there: one that was removed since they were listed is passed by', () => {
    const root = fourSegments();
    const [, second] = segmentFiles(root);
    const ports = afterListing(originFolder(root), () => rmSync(second!));
    const found = [...allSegments(ports, layoutOf(root), decoders)];
    expect(found.map(({ entries }) => entries.map(({ seq }) => seq))).toEqual([
      [1, 2, 3],
      [7, 8, 9],
      [10, 11, 12],
    ]);
  });
});
