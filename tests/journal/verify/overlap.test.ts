import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { layoutOf, segmentPath } from '../../../src/journal/format/layout.ts';
import { readManifest } from '../../../src/journal/format/manifest.ts';
import { sealSegment } from '../../../src/journal/seal/seal.ts';
import { xxh64 } from '../../../src/platform/xxh64.ts';
import { realPorts } from '../../support.ts';
import { codecs, plannedRepair, range, repair } from '../journals.ts';
import { entryOf, journalOf, readAll, segmentOf, verify } from '../support.ts';

/** A journal of the events 1 to 4, and a segment of other events from `firstSeq` on beside it. */
function overlapped(firstSeq: number, count: number, isSealed = false, prevChain?: Buffer) {
  const root = journalOf(4);
  const payloads = range(1, count).map((n) => Buffer.from(`other ${n}`));
  const { journalId, origin } = readManifest(realPorts, layoutOf(root))!;
  const ids = {
    journalId: Buffer.from(journalId, 'hex'),
    originId: Buffer.from(origin, 'hex'),
  };
  const made = segmentOf(payloads, { ...ids, firstSeq, ...(prevChain && { prevChain }) });
  const entries = payloads.map((payload, n) => entryOf(firstSeq + n, payload));
  const bytes = isSealed ? sealSegment(made.header, entries, 3, codecs.zstd, xxh64) : made.bytes;
  const file = segmentPath(layoutOf(root), origin, firstSeq, isSealed);
  writeFileSync(file, bytes);
  return { root, file, offsets: made.offsets };
}

const textsOf = (root: string) =>
  readAll(root).entries.map(({ payload }) => payload.toString('latin1'));

describe('a segment that starts at a seq that was there already', () => {
  it.each([
    ['raw, behind no known chain', false, undefined],
    ['sealed, behind no known chain', true, undefined],
    ['raw, behind another chain', false, Buffer.alloc(32, 9)],
    ['sealed, behind another chain', true, Buffer.alloc(32, 9)],
  ])('is damage, and verify counts what a reader gives: %s', (_, isSealed, chain) => {
    const { root, file } = overlapped(3, 4, isSealed, chain);
    expect(verify(root)).toMatchObject({
      events: 6,
      lastSeq: 6,
      damage: [{ kind: 'chain', segment: path.basename(file), firstSeq: 3, lastSeq: null }],
    });
    expect(readAll(root).seqs).toEqual(range(1, 6));
  });

  it.each([
    ['raw', false, undefined],
    ['sealed', true, undefined],
    ['sealed, behind another chain', true, Buffer.alloc(32, 9)],
  ])('loses to quarantine what is hidden in it, and no other event: %s', (_, isSealed, chain) => {
    const { root, file } = overlapped(3, 4, isSealed, chain);
    const before = readFileSync(file);
    const given = textsOf(root);
    expect(plannedRepair(root)).toMatchObject([{ kind: 'chain', action: 'cut' }]);
    const { kept, lost, after } = repair(root);
    expect([lost, after.damage]).toEqual([[], []]);
    expect(textsOf(root).slice(0, 6)).toEqual(given);
    const inQuarantine = kept.map((name) =>
      readFileSync(path.join(layoutOf(root).quarantine, name)),
    );
    expect(inQuarantine.some((bytes) => bytes.equals(before))).toBe(true);
  });

  it('is set aside as a whole where all in it is hidden', () => {
    const { root } = overlapped(2, 2);
    expect(repair(root).after.damage).toEqual([]);
    expect(readAll(root).seqs.slice(0, 4)).toEqual(range(1, 4));
  });

  it('has lost none of the events that the one before it holds', () => {
    const { root, file, offsets } = overlapped(2, 5);
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0xee, offsets[1]! + 8, offsets[3]! + 8));
    expect(readAll(root).seqs).toEqual([1, 2, 3, 4, 6]);
    const lost = verify(root).damage.filter(({ kind }) => kind !== 'chain');
    expect(lost).toMatchObject([{ kind: 'header', firstSeq: 5, lastSeq: 5 }]);
    expect(repair(root).after.damage).toEqual([]);
    expect(readAll(root).seqs.slice(0, 5)).toEqual([1, 2, 3, 4, 6]);
  });
});
