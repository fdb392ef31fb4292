import type { Decoders } from '../../platform/codecs/codecs.ts';
import { type SegmentFile, segmentName } from '../format/layout.ts';
import type { ReaderPorts } from '../format/ports.ts';
import type { SegmentHeader } from '../format/segment.ts';
import type { ReadItem } from './cursor.ts';
import type { LoadedSegment } from './load.ts';
import { scanFrames } from './scan.ts';
import { openSealed, readChunk } from './sealed.ts';

export interface Wanted {
  file: SegmentFile;
  /** The lowest seq that is. */
  from: number;
  /** Then an append may be in flight at its end, which is no damage. */
  isNewest: boolean;
}

interface Means {
  ports: ReaderPorts;
  decoders: Decoders;
}

/** What a segment that was read as a whole holds, its damage included; undefined is one that is not there. */
export function itemsOf(
  loaded: LoadedSegment | undefined,
  { file, from, isNewest }: Wanted,
  means: Means,
): Iterable<ReadItem> {
  const segment = segmentName(file);
  const { bytes, header, mended } = loaded ?? { bytes: Buffer.alloc(0) };
  const damage: ReadItem[] = [];
  if (header === undefined || mended === true) {
    const lost = { firstSeq: header === undefined ? file.firstSeq : null, lastSeq: null };
    const place = { offset: 0, bytes: bytes.length };
    damage.push({ segment, damage: { kind: 'segment-header', ...place, ...lost } });
  }
  if (header === undefined) return damage;
  const items = file.sealed
    ? sealedItems(bytes, header, segment, from, means)
    : activeItems(bytes, header, segment, isNewest, means);
  return damage.length === 0 ? items : chained(damage, items);
}

function* activeItems(
  bytes: Buffer,
  header: SegmentHeader,
  segment: string,
  isNewest: boolean,
  { ports }: Means,
): Generator<ReadItem> {
  for (const { frame, damage } of scanFrames(bytes, header, ports.xxh64)) {
    if (frame !== undefined) yield { segment, entry: frame };
    else if (!isNewest || damage.offset + damage.bytes < bytes.length) yield { segment, damage };
  }
}

function* sealedItems(
  bytes: Buffer,
  header: SegmentHeader,
  segment: string,
  from: number,
  { ports, decoders }: Means,
): Generator<ReadItem> {
  const sealed = openSealed(bytes, header, ports.xxh64);
  // Each in its place: behind later events it would be taken for damage that was told of.
  const unlisted = [...sealed.damage];
  for (const chunk of sealed.chunks) {
    while (unlisted[0] && unlisted[0].offset < chunk.offset)
      yield { segment, damage: unlisted.shift()! };
    if (chunk.firstSeq + chunk.count <= from) continue;
    const read = readChunk(bytes, sealed, chunk, decoders, ports.xxh64);
    if (read.entries === undefined) yield { segment, damage: read.damage };
    else for (const entry of read.entries) yield { segment, entry };
  }
  for (const damage of unlisted) yield { segment, damage };
}

function* chained<T>(...lists: readonly Iterable<T>[]): Generator<T> {
  for (const list of lists) yield* list;
}
