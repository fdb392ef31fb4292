import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compactJournal } from '../../src/journal/compact.ts';
import { repairJournal } from '../../src/journal/repair.ts';
import { scanFrames } from '../../src/journal/scan.ts';
import { decodeSegmentHeader } from '../../src/journal/segment.ts';
import { isBehindLoss } from '../../src/journal/whole.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { decoders, realPorts } from '../support.ts';
import { codecs, eraseSeqs, husks } from './journals.ts';
import { edit, eventsOf, newRoot, readAll, segmentFiles, verify, writerOn } from './support.ts';

/** A closed segment whose third event is lost, repaired: what was behind it is a segment of its own. */
function repaired(): string {
  const root = newRoot();
  const writer = writerOn(root);
  writer.append(eventsOf(6, 300));
  writer.rotate(0);
  writer.append(eventsOf(2, 300));
  writer.close();
  edit(segmentFiles(root)[0]!, (bytes) => {
    const header = decodeSegmentHeader(bytes, xxh64)!;
    const [, , lost] = [...scanFrames(bytes, header, xxh64)].map(({ frame }) => frame!);
    return bytes.fill(0xff, lost!.offset, lost!.offset + lost!.bytes);
  });
  repairJournal(realPorts, root, decoders);
  const headers = segmentFiles(root).map((file) => decodeSegmentHeader(readFileSync(file), xxh64)!);
  expect(headers.filter(isBehindLoss).map(({ firstSeq }) => firstSeq)).toEqual([4]);
  return root;
}

describe('an erasure behind lost events, whose chain is lost as well', () => {
  it.each([
    ['the first event behind them', 4],
    ['a later one', 5],
  ])('makes a husk of %s, in a raw segment and in the sealed one', (_, seq) => {
    const root = repaired();
    const before = readAll(root).entries.map(({ seq, commit }) => [seq, commit]);
    eraseSeqs(root, seq);
    expect(husks(root).map((husk) => husk.seq)).toEqual([seq]);
    expect(verify(root).damage).toEqual([]);
    const after = readAll(root).entries.map(({ seq, commit }) => [seq, commit]);
    expect(after.slice(0, before.length)).toEqual(before);
    compactJournal(realPorts, root, codecs);
    eraseSeqs(root, 6);
    expect(husks(root).map((husk) => husk.seq)).toEqual([seq, 6]);
    expect(verify(root).damage).toEqual([]);
  });
});
