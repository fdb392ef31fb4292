import { describe, expect, it } from 'vitest';
import {
  CHUNK_HEADER_BYTES,
  SEGMENT,
  SEGMENT_HEADER_BYTES,
} from '../../../src/journal/format/format.ts';
import { compactJournal } from '../../../src/journal/seal/compact.ts';
import { LEVEL_COMPACT } from '../../../src/journal/seal/seal.ts';
import { Chance } from '../../damage/chance.ts';
import { portsOn, smallJournals } from '../../damage/corpus.ts';
import { flipped } from '../../damage/damages.ts';
import { MemoryFs } from '../../damage/memory-fs.ts';
import { systemError } from '../support.ts';
import {
  decoders,
  entriesOf,
  journalInMemory,
  layout,
  makers,
  plan,
  ROOT,
  repair,
  seqsOf,
  verify,
} from './repairs.ts';

/**
 * Three sealed chunks of four events each and a raw segment of two. The second chunk is lost, and both places where its
 * header stands, so that nobody knows the chain behind it.
 */
function withoutSecondChunk() {
  const made = smallJournals(makers).find(({ name }) => name === 'sealed, before a raw one')!;
  const { fs, target, stretches } = made;
  const ports = portsOn(fs, makers.xxh64, new Chance(3));
  const second = stretches[1]!;
  const wrong = Buffer.from(fs.bytesOf(target));
  const index = stretches[2]!.end;
  wrong.fill(0, index, index + 2 * CHUNK_HEADER_BYTES);
  fs.rot(target, wrong.fill(0, second.start, second.end));
  const rest = target.replace('0000000000000001', '0000000000000009');
  return { fs, ports, target, rest };
}

const contentsOf = (ports: Parameters<typeof entriesOf>[0]) =>
  entriesOf(ports).map(({ seq, payload }) => `${seq} ${payload.toString('hex')}`);

describe('a chunk’s own header that is damaged', () => {
  it('is named where it stands, made anew from the index, and kept as it was', () => {
    const { fs, target, stretches } = smallJournals(makers).find(
      ({ name }) => name === 'sealed, before a raw one',
    )!;
    const { start } = stretches[1]!;
    const sound = Buffer.from(fs.bytesOf(target));
    const image = fs.image();
    for (let at = start; at < start + CHUNK_HEADER_BYTES; at += 1) {
      const copy = new MemoryFs(image);
      const ports = portsOn(copy, makers.xxh64, new Chance(at));
      copy.rot(target, flipped(sound, at * 8 + (at % 8)));
      const damaged = Buffer.from(copy.bytesOf(target)).subarray(start, start + CHUNK_HEADER_BYTES);
      const place = { kind: 'index', offset: start, bytes: CHUNK_HEADER_BYTES };
      expect(verify(ports).damage).toMatchObject([place]);
      const { items, kept, lost, after } = repair(ports);
      expect(items).toMatchObject([{ ...place, action: 'rebuild' }]);
      expect([lost, after.damage]).toEqual([[], []]);
      const files = kept.map((name) => copy.bytesOf(`${layout.quarantine}/${name}`));
      expect(files.some((bytes) => bytes.includes(damaged))).toBe(true);
    }
  });
});

describe('what is left behind a lost chunk', () => {
  it('is a segment of its own, which a compaction packs as any other', () => {
    const { ports } = withoutSecondChunk();
    const before = contentsOf(ports);
    const { lost, after } = repair(ports);
    expect(lost).toMatchObject([{ firstSeq: 5, lastSeq: 8 }]);
    expect(after.damage).toEqual([]);
    const codecs = { zstd: makers.zstd, decoders };
    const { segments } = compactJournal(ports, ROOT, codecs, { level: LEVEL_COMPACT });
    expect(segments.map(({ action, why }) => `${action}: ${why}`).slice(0, 2)).toEqual([
      expect.stringMatching(/^recompressed: from level 3/),
      expect.stringMatching(/^recompressed: from level 3/),
    ]);
    expect(contentsOf(ports).slice(0, before.length)).toEqual(before);
    expect(verify(ports).ok).toBe(true);
  });

  it('can be repaired again when its own end is damaged, though the chain before it is lost', () => {
    const { fs, ports, rest } = withoutSecondChunk();
    repair(ports);
    const sound = contentsOf(ports);
    fs.rot(rest, flipped(fs.bytesOf(rest), (fs.bytesOf(rest).length - 60) * 8));
    expect(verify(ports).ok).toBe(false);
    const { items, lost, after } = repair(ports);
    expect(items).toMatchObject([{ kind: 'index', action: 'rebuild' }]);
    expect(lost).toEqual([]);
    expect(after.damage).toEqual([]);
    expect(contentsOf(ports).slice(0, sound.length)).toEqual(sound);
  });

  it('is not taken twice when a repair died before it had replaced the segment', () => {
    const { fs, ports, target, rest } = withoutSecondChunk();
    const before = contentsOf(ports);
    const rename = fs.rename.bind(fs);
    fs.rename = (from, to) => {
      if (to === target) throw systemError('EIO');
      rename(from, to);
    };
    expect(() => repair(ports)).toThrow(expect.objectContaining({ code: 'FS_WRITE_ERROR' }));
    fs.rename = rename;
    expect(fs.image().files.has(rest)).toBe(true);
    const { after } = repair(ports);
    expect(after.damage).toEqual([]);
    expect(after.losses).toMatchObject([{ firstSeq: 5, lastSeq: 8 }]);
    const seqs = seqsOf(ports);
    expect(seqs).toEqual([...new Set(seqs)]);
    expect(contentsOf(ports).slice(0, before.length)).toEqual(before);
  });
});

describe('a sealed segment whose history was edited', () => {
  it('is left as it is, and it is said why', () => {
    const { fs, ports, segments } = journalInMemory();
    compactJournal(ports, ROOT, { zstd: makers.zstd, decoders });
    const file = segments()[1]!;
    const edited = Buffer.from(fs.bytesOf(file));
    edited.fill(9, SEGMENT.prevChain, SEGMENT.salt);
    const head = edited.subarray(0, SEGMENT_HEADER_BYTES);
    const sum = makers.xxh64(head.subarray(0, SEGMENT.checksum), 0n);
    head.writeBigUInt64LE(sum, SEGMENT.checksum);
    fs.rot(file, edited);
    expect(verify(ports).ok).toBe(false);
    expect(plan(ports)).toMatchObject([
      { kind: 'chain', action: 'none', what: expect.stringContaining('do not fit its chain') },
    ]);
    const { kept, after } = repair(ports);
    expect(kept).toEqual([]);
    expect(after.ok).toBe(false);
    expect(fs.bytesOf(file)).toBe(edited);
  });
});
