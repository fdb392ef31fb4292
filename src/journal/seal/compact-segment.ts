import type { Codec, Decoders } from '../../platform/codecs/codecs.ts';
import { removeIfThere, writeFileAtomic } from '../../platform/files.ts';
import { randomHex } from '../../platform/random.ts';
import { chainedBytes, chainOf } from '../format/frame.ts';
import { type SegmentFile, segmentName } from '../format/layout.ts';
import type { JournalPorts } from '../format/ports.ts';
import { decodeSegmentHeader, isSkipped } from '../format/segment.ts';
import { misfits } from '../read/misfits.ts';
import { openSegment, Segment } from '../read/open.ts';
import { anchoredAt, anchorOf, isSameEntry, type WholeSegment, wholeOf } from '../read/whole.ts';
import { sealSegment } from './seal.ts';

export interface Codecs {
  zstd: Codec;
  decoders: Decoders;
}

export interface CompactedSegment {
  segment: string;
  bytesBefore: number;
  /** The same as before when it was kept, null when it was not tried (dry run). */
  bytesAfter: number | null;
  action: 'sealed' | 'recompressed' | 'kept';
  why: string;
}

/**
 * Seals one segment, or recompresses it. The new file is decoded and compared with the old one before it takes its name.
 * @param level Zstd level to reach @throws Node's error if it cannot be written; the old file stays as it was
 */
export function compactSegment(
  ports: JournalPorts,
  file: SegmentFile,
  isNewest: boolean,
  codecs: Codecs,
  { level, dryRun }: { level: number; dryRun: boolean },
): CompactedSegment {
  const segment = segmentName(file);
  const found = openSegment(ports, file);
  const bytesBefore = found?.bytes.length ?? 0;
  const kept = (why: string): CompactedSegment => ({
    segment,
    bytesBefore,
    bytesAfter: bytesBefore,
    action: 'kept',
    why,
  });
  if (found === undefined) return kept('it is gone');
  if (isSkipped(found.header)) return kept('a later ben10 wrote it');
  if (isNewest && !file.sealed) return kept('events are being appended to it');
  const source = wholeOf(found, codecs.decoders);
  if (source === undefined) return kept('it is damaged or empty; run: ben10 verify');
  // A repair keeps what it takes out.
  if (
    source.sealed !== undefined &&
    misfits(ports, found.bytes, source.sealed, source.entries).length > 0
  )
    return kept('its index is damaged; run: ben10 verify');
  if (source.level >= level) return kept(`it is compressed at level ${source.level} already`);
  const action = file.sealed ? 'recompressed' : 'sealed';
  const why = file.sealed ? `from level ${source.level} to ${level}` : `at level ${level}`;
  if (dryRun) return { segment, bytesBefore, bytesAfter: null, action, why };
  const { header, entries, anchor } = source;
  const sealed = sealSegment(header, entries, level, codecs.zstd, ports.xxh64, anchor);
  if (!isSame(ports, file, sealed, source, codecs.decoders))
    return kept(
      'the new file did not read back the same, so the old one stays: please report this',
    );
  publish(ports, file, sealed);
  return { segment, bytesBefore, bytesAfter: sealed.length, action, why };
}

/**
 * The end chain covers all but kind and flags, because a sealed segment's commitments are computed from its payloads.
 * Compared chunk by chunk, to save memory.
 */
function isSame(
  ports: JournalPorts,
  file: SegmentFile,
  bytes: Buffer,
  source: WholeSegment,
  decoders: Decoders,
): boolean {
  const header = decodeSegmentHeader(bytes, ports.xxh64);
  if (header === undefined) return false;
  const segment = new Segment(ports, { ...file, sealed: true }, bytes, header);
  const anchor = anchorOf(segment.sealed);
  let chain = header.prevChain;
  let count = 0;
  for (const { entry, damage } of segment.entries(decoders)) {
    if (damage !== undefined) return false;
    if (entry === undefined) continue;
    const before = source.entries[count];
    if (entry.kind !== before?.kind || entry.flags !== before.flags) return false;
    const anchored = anchoredAt(anchor, count);
    if (anchored !== undefined && !isSameEntry(entry, before)) return false;
    chain = anchored ?? chainOf(chain, chainedBytes(entry));
    count += 1;
  }
  const isAll = count === source.entries.length && chain.equals(source.endChain);
  return isAll && chain.equals(segment.sealed.footer!.endChain);
}

function publish(ports: JournalPorts, file: SegmentFile, sealed: Buffer): void {
  const target = file.sealed ? file.path : `${file.path}z`;
  writeFileAtomic(ports.fs, target, sealed, randomHex(ports.random, 6), { durable: true });
  if (!file.sealed) removeIfThere(ports.fs, file.path);
}
