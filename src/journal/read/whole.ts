import type { Decoders } from '../../platform/codecs/codecs.ts';
import { isZero } from '../format/bytes.ts';
import { FRAME_KIND } from '../format/format.ts';
import { chainedBytes, chainOf, commitOf, type Entry } from '../format/frame.ts';
import type { ReaderPorts } from '../format/ports.ts';
import type { SegmentHeader } from '../format/segment.ts';
import type { LoadedSegment } from './load.ts';
import { scanFrames } from './scan.ts';
import { openSealed, readChunk, type SealedSegment } from './sealed.ts';

/** All that a closed segment holds. */
export interface WholeSegment {
  header: SegmentHeader;
  /** At least one. */
  entries: Entry[];
  /** As the segment says it, not computed. */
  endChain: Buffer;
  /** Zstd level; -1 for a segment that is not sealed. */
  level: number;
  /** Where the chain of the event before the first one is lost; else it follows from the header. */
  anchor: Anchor | undefined;
  /** Where what stands beside the entries is found, of a sealed one. */
  sealed?: SealedSegment;
}

/** Where a chain counts from that has lost its beginning: it stands behind so many of the first entries. */
export interface Anchor {
  count: number;
  chain: Buffer;
}

/**
 * Everything in a closed segment, with its chain checked from end to end.
 * @returns undefined when anything in it is damaged, or nothing is in it
 */
export function wholeOf(
  ports: ReaderPorts,
  { bytes, header, mended }: LoadedSegment,
  isSealed: boolean,
  decoders: Decoders,
): WholeSegment | undefined {
  if (header === undefined || mended) return undefined;
  const whole = isSealed
    ? wholeSealed(ports, bytes, header, decoders)
    : wholeActive(ports, bytes, header);
  if (whole === undefined || whole.entries.length === 0) return undefined;
  let chain = header.prevChain;
  for (const [index, entry] of whole.entries.entries()) {
    if (entry.kind !== FRAME_KIND.tombstone && !isCommitted(entry)) return undefined;
    chain = anchoredAt(whole.anchor, index) ?? chainOf(chain, chainedBytes(entry));
  }
  return chain.equals(whole.endChain) ? whole : undefined;
}

/** @returns undefined where the chain is the one that is counted on */
export const anchoredAt = (anchor: Anchor | undefined, index: number): Buffer | undefined =>
  anchor !== undefined && index < anchor.count ? anchor.chain : undefined;

/** Of a segment behind lost events, whose chain is lost with them. */
export const isBehindLoss = ({ firstSeq, prevChain }: SegmentHeader): boolean =>
  firstSeq > 1 && isZero(prevChain);

const isCommitted = (entry: Entry): boolean =>
  commitOf(entry.salt, entry.payload).equals(entry.commit);

function wholeActive(
  ports: ReaderPorts,
  bytes: Buffer,
  header: SegmentHeader,
): WholeSegment | undefined {
  const entries: Entry[] = [];
  let endChain = header.prevChain;
  let anchor: Anchor | undefined;
  for (const { frame } of scanFrames(bytes, header, ports.xxh64)) {
    if (frame === undefined) return undefined;
    if (isBehindLoss(header)) anchor ??= { count: 1, chain: frame.chain };
    entries.push(frame);
    endChain = frame.chain;
  }
  return { header, entries, endChain, level: -1, anchor };
}

function wholeSealed(
  ports: ReaderPorts,
  bytes: Buffer,
  header: SegmentHeader,
  decoders: Decoders,
): WholeSegment | undefined {
  const sealed = openSealed(bytes, header, ports.xxh64);
  if (sealed.footer === undefined || sealed.damage.length > 0) return undefined;
  const entries: Entry[] = [];
  for (const chunk of sealed.chunks) {
    const read = readChunk(bytes, sealed, chunk, decoders, ports.xxh64);
    if (read.entries === undefined) return undefined;
    for (const entry of read.entries) entries.push(entry);
  }
  const { endChain, level } = sealed.footer;
  return { header, entries, endChain, level, anchor: anchorOf(sealed), sealed };
}

/** Of a sealed segment behind lost events: the first chunk's chain is what still tells. A writer puts one event into it, a repair keeps it as it was. */
export const anchorOf = ({
  header,
  chunks: [first],
}: Pick<SealedSegment, 'header' | 'chunks'>): Anchor | undefined =>
  isBehindLoss(header) && first !== undefined
    ? { count: first.count, chain: first.endChain }
    : undefined;

/** What the chain covers, for entries that it does not tell of. */
export const isSameEntry = (one: Entry, other: Entry): boolean =>
  chainedBytes(one).equals(chainedBytes(other));
