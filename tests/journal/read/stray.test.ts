import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { SEQ_GAP_MAX } from '../../../src/journal/format/format.ts';
import { hintPath } from '../../../src/journal/format/hint.ts';
import { layoutOf } from '../../../src/journal/format/layout.ts';
import { readManifest } from '../../../src/journal/format/manifest.ts';
import { encodeSegmentHeader, readSegmentHeader } from '../../../src/journal/format/segment.ts';
import { segmentSummaryOf } from '../../../src/journal/read/segment-summary.ts';
import { verifyJournal } from '../../../src/journal/verify/verify.ts';
import { xxh64 } from '../../../src/platform/xxh64.ts';
import { writeHint } from '../../hints.ts';
import { decoders, realPorts } from '../../support.ts';
import { plannedRepair } from '../journals.ts';
import {
  appendAll,
  eventsOf,
  journalOf,
  originFolder,
  readAll,
  readerOn,
  segmentFiles,
  verify,
} from '../support.ts';

const name = (seq: number, form = 'b10'): string => `${String(seq).padStart(16, '0')}.${form}`;

/** A journal of three events, and an empty file beside its segment. */
function withStray(seq: number, form?: string): { root: string; stray: string } {
  const root = journalOf(3);
  const stray = path.join(originFolder(root), name(seq, form));
  writeFileSync(stray, '');
  return { root, stray };
}

describe('a file with the name of a segment that no journal comes to', () => {
  for (const [what, seq, form] of [
    ['the last seq there is', Number.MAX_SAFE_INTEGER, 'b10'],
    ['a few seqs before it', Number.MAX_SAFE_INTEGER - 6, 'b10'],
    ['that of a sealed one', Number.MAX_SAFE_INTEGER, 'b10z'],
    ['one more than may be missing', 1 + SEQ_GAP_MAX + 1, 'b10'],
  ] as const)
    it(`is set aside, and the events go on where they were: ${what}`, () => {
      const { root, stray } = withStray(seq, form);
      expect(verify(root).damage.map(({ kind }) => kind)).toContain('segment-header');
      appendAll(root, eventsOf(6).slice(3));
      expect(existsSync(stray)).toBe(false);
      const kept = readdirSync(layoutOf(root).quarantine);
      expect(kept).toEqual([expect.stringContaining(path.basename(stray))]);
      const { entries, damage } = readAll(root);
      expect(damage).toEqual([]);
      expect(entries.map((entry) => entry.seq)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    });

  it('is counted in the progress of a verification, which reaches its end', () => {
    const { root, stray } = withStray(Number.MAX_SAFE_INTEGER);
    writeFileSync(stray, '0123456789');
    const told: number[][] = [];
    verifyJournal(realPorts, root, decoders, (done, all) => void told.push([done, all]));
    const all = statSync(segmentFiles(root)[0]!).size + 10;
    expect(told).toEqual([
      [all - 10, all],
      [all, all],
    ]);
  });

  it('tells of nothing that is missing before it, to who verifies, plans a repair or reads', () => {
    const { root, stray } = withStray(Number.MAX_SAFE_INTEGER);
    writeFileSync(stray, '0123456789');
    const place = { segment: path.basename(stray), kind: 'segment-header', offset: 0, bytes: 10 };
    const nothing = { firstSeq: null, lastSeq: null };
    expect(verify(root).damage).toEqual([{ ...place, ...nothing }]);
    expect(plannedRepair(root)).toEqual([
      { ...place, ...nothing, action: 'set-aside', what: expect.any(String) },
    ]);
    expect(segmentSummaryOf(realPorts, readerOn(root)).missing).toEqual([]);
    expect(readAll(root).damage).toEqual([]);
  });

  it('does not say how much is lost at the end of the segment before it', () => {
    const { root } = withStray(Number.MAX_SAFE_INTEGER);
    const [first] = segmentFiles(root);
    truncateSync(first!, statSync(first!).size - 1);
    const [tail] = plannedRepair(root);
    expect(tail).toMatchObject({ kind: 'tail', firstSeq: 3, lastSeq: null });
  });

  it('is one of the journal where it was synced that far: it tells what is missing', () => {
    const { root, stray } = withStray(1 + SEQ_GAP_MAX + 1);
    const { origin } = readManifest(realPorts, layoutOf(root))!;
    const hint = { syncedUpto: 3, syncedAt: 1 };
    writeHint(realPorts, hintPath(layoutOf(root), origin), hint);
    expect(verify(root).damage).toMatchObject([
      { kind: 'missing', segment: path.basename(stray), firstSeq: 4, lastSeq: 1 + SEQ_GAP_MAX },
      { kind: 'segment-header', segment: path.basename(stray) },
    ]);
  });

  it('is set aside also where no other segment is left', () => {
    const root = journalOf(1);
    const [only] = segmentFiles(root);
    rmSync(only!);
    writeFileSync(path.join(originFolder(root), name(Number.MAX_SAFE_INTEGER)), '');
    appendAll(root, eventsOf(2));
    expect(readAll(root).entries).toHaveLength(3);
  });

  it('stays where so many events may be missing: their seqs are not given away', () => {
    const { root, stray } = withStray(1000);
    appendAll(root, eventsOf(6).slice(3));
    expect(existsSync(stray)).toBe(true);
    expect(readAll(root).entries.at(-1)!.seq).toBeGreaterThan(1000);
  });
});

describe('a journal without any seq left', () => {
  it('lets events wait in the inbox, where readers find them', () => {
    const root = journalOf(1);
    const [first] = segmentFiles(root);
    const { header } = readSegmentHeader(readFileSync(first!), first!, xxh64)!;
    const firstSeq = Number.MAX_SAFE_INTEGER - 1;
    const last = encodeSegmentHeader({ ...header, firstSeq }, xxh64);
    writeFileSync(path.join(originFolder(root), name(firstSeq)), last);
    appendAll(root, eventsOf(5));
    expect(readAll(root).seqs).toEqual([1, firstSeq, firstSeq + 1]);
    expect(readerOn(root).inbox()).toHaveLength(3);
  });
});
