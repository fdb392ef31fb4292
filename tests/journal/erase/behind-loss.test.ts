import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { eraseEvents } from '../../../src/journal/erase/erase.ts';
import { CHUNK_HEADER_BYTES, FRAME_KIND, RECORD_HEAD } from '../../../src/journal/format/format.ts';
import { layoutOf, segmentName } from '../../../src/journal/format/layout.ts';
import type { JournalPorts } from '../../../src/journal/format/ports.ts';
import { decodeSegmentHeader } from '../../../src/journal/format/segment.ts';
import { openSegment } from '../../../src/journal/read/open.ts';
import { ownSegments } from '../../../src/journal/read/origins.ts';
import { JournalReader } from '../../../src/journal/read/reader.ts';
import { scanFrames } from '../../../src/journal/read/scan.ts';
import { anchorOf, isBehindLoss } from '../../../src/journal/read/whole.ts';
import { repairJournal } from '../../../src/journal/repair/repair.ts';
import { compactJournal } from '../../../src/journal/seal/compact.ts';
import { verifyJournal } from '../../../src/journal/verify/verify.ts';
import { xxh64 } from '../../../src/platform/xxh64.ts';
import { Chance } from '../../damage/chance.ts';
import { craftJournal, inChunks, portsOn, ROOT } from '../../damage/corpus.ts';
import { entriesOf } from '../../damage/entries.ts';
import { decoders } from '../../support.ts';
import { codecs, compact, eraseSeqs, repair, tombstones } from '../journals.ts';
import { edit, eventsOf, newWriter, readAll, segmentFiles, verify } from '../support.ts';

const makers = { zstd: codecs.zstd, xxh64 };
const layout = layoutOf(ROOT);
const entriesOfJournal = (ports: JournalPorts) =>
  [...new JournalReader(ports, ROOT, decoders).entries()].flatMap(({ entry }) => entry ?? []);

/** A closed segment whose third event is lost, repaired: what was behind it is a segment of its own. */
function repaired(): string {
  const { root, writer } = newWriter();
  writer.append(eventsOf(6, 300));
  writer.rotate(0);
  writer.append(eventsOf(2, 300));
  edit(segmentFiles(root)[0]!, (bytes) => {
    const header = decodeSegmentHeader(bytes, xxh64)!;
    const [, , lost] = [...scanFrames(bytes, header, xxh64)].map(({ entry: frame }) => frame!);
    return bytes.fill(0xff, lost!.offset, lost!.offset + lost!.bytes);
  });
  repair(root);
  const headers = segmentFiles(root).map((file) => decodeSegmentHeader(readFileSync(file), xxh64)!);
  expect(headers.filter(isBehindLoss).map(({ firstSeq }) => firstSeq)).toEqual([4]);
  return root;
}

describe('an erasure behind lost events, whose chain is lost as well', () => {
  it.each([
    ['the first event behind them', 4],
    ['a later one', 5],
  ])('makes a tombstone of %s, in a raw segment and in the sealed one', (_, seq) => {
    const root = repaired();
    const before = readAll(root).entries.map(({ seq, commit }) => [seq, commit]);
    eraseSeqs(root, seq);
    expect(tombstones(root).map((tombstone) => tombstone.seq)).toEqual([seq]);
    expect(verify(root).damage).toEqual([]);
    const after = readAll(root).entries.map(({ seq, commit }) => [seq, commit]);
    expect(after.slice(0, before.length)).toEqual(before);
    compact(root);
    eraseSeqs(root, 6);
    expect(tombstones(root).map((tombstone) => tombstone.seq)).toEqual([seq, 6]);
    expect(verify(root).damage).toEqual([]);
  });
});

describe('the rest of a sealed segment that begins with a chunk of several events', () => {
  /** Events 1 to 6 in chunks of two, the second of which nobody finds any more, repaired; closed. */
  function rest() {
    const chunks = inChunks(entriesOf(1, 6, 40, true), 2);
    const { fs, target, stretches } = craftJournal('a rest', [{ chunks }], 0, makers);
    const ports = portsOn(fs, makers.xxh64, new Chance(5));
    const bytes = Buffer.from(fs.bytesOf(target));
    const [, second, third] = stretches;
    bytes.fill(0xff, second!.start, second!.start + CHUNK_HEADER_BYTES);
    fs.rot(target, bytes.fill(0xff, third!.end, third!.end + 200));
    expect(repairJournal(ports, ROOT, decoders).after.ok).toBe(true);
    const [segment] = segmentsOf(ports).filter(({ firstSeq }) => firstSeq === 5);
    const { header } = openSegment(ports, segment!)!;
    expect(isBehindLoss(header!)).toBe(true);
    return { fs, ports, segment: segment! };
  }
  const segmentsOf = (ports: JournalPorts) => ownSegments(ports, layout);
  const idsOf = (ports: JournalPorts) =>
    entriesOfJournal(ports).map(({ seq, id, commit }) => [seq, id.toString('hex'), commit]);

  it('has no chain to count from where it has no chunk', () => {
    const { ports, segment } = rest();
    const header = openSegment(ports, segment)!.header!;
    expect(anchorOf({ header, chunks: [] })).toBeUndefined();
  });

  it.each([5, 6])('gives up @%d, as any other', (seq) => {
    const { ports, segment } = rest();
    const before = idsOf(ports);
    const events = [{ origin: segment.origin, seq }];
    eraseEvents(ports, ROOT, codecs, () => ({ by: 'event', events, blobs: [], files: [] }));
    const { kind } = entriesOfJournal(ports).find((entry) => entry.seq === seq)!;
    expect(kind).toBe(FRAME_KIND.tombstone);
    expect(idsOf(ports).slice(0, before.length)).toEqual(before);
    expect(verifyJournal(ports, ROOT, decoders).damage).toEqual([]);
  });

  it('is compressed as any other, and is the same', () => {
    const { ports, segment } = rest();
    const before = idsOf(ports);
    const { segments } = compact(ROOT, {}, ports);
    const name = segmentName(segment);
    expect(segments.find((one) => one.segment === name)?.action).toBe('recompressed');
    expect(idsOf(ports)).toEqual(before);
    expect(verifyJournal(ports, ROOT, decoders).damage).toEqual([]);
  });

  it('stays as it is where what was packed is not what was there', () => {
    const { fs, ports, segment } = rest();
    const sound = fs.bytesOf(segment.path);
    const compress = (plain: Uint8Array, level: number) => {
      // The time of its first event, which no chain tells of.
      if (plain[RECORD_HEAD.seq] === 5) plain[RECORD_HEAD.hlc]! ^= 1;
      return codecs.zstd.compress(plain, level);
    };
    const wrong = { ...codecs, zstd: { compress } };
    const { segments } = compactJournal(ports, ROOT, wrong);
    const kept = segments.find((one) => one.segment === segmentName(segment));
    expect(kept?.why).toMatch(/did not read back/);
    const events = [{ origin: segment.origin, seq: 6 }];
    const choose = () => ({ by: 'event' as const, events, blobs: [], files: [] });
    expect(() => eraseEvents(ports, ROOT, wrong, choose)).toThrow(/did not read back/);
    expect(fs.bytesOf(segment.path).equals(sound)).toBe(true);
  });
});
