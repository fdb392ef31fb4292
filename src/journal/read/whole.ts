import type { Decoders } from '../../platform/codecs/codecs.ts';
import { isZero } from '../format/bytes.ts';
import { FRAME_KIND } from '../format/format.ts';
import { chainedBytes, chainOf, commitOf, type Entry, type Frame } from '../format/frame.ts';
import type { SegmentHeader } from '../format/segment.ts';
import type { Segment } from './open.ts';
import type { SealedSegment } from './sealed.ts';

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
  sealed: SealedSegment | undefined;
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
export function wholeOf(segment: Segment, decoders: Decoders): WholeSegment | undefined {
  const { header, file } = segment;
  if (header === undefined) return undefined;
  const sealed = file.sealed ? segment.sealed : undefined;
  const anchor = sealed === undefined ? anchorOfRaw(segment) : anchorOf(sealed);
  const entries: Entry[] = [];
  let [chain, endChain] = [header.prevChain, sealed?.footer?.endChain ?? header.prevChain];
  for (const { entry, damage } of segment.entries(decoders)) {
    if (damage !== undefined) return undefined;
    if (entry === undefined) continue;
    if (entry.kind !== FRAME_KIND.tombstone && !isCommitted(entry)) return undefined;
    chain = anchoredAt(anchor, entries.length) ?? chainOf(chain, chainedBytes(entry));
    if (sealed === undefined) endChain = (entry as Frame).chain;
    entries.push(entry);
  }
  if (entries.length === 0 || !chain.equals(endChain)) return undefined;
  return { header, entries, endChain, level: sealed?.footer?.level ?? -1, anchor, sealed };
}

/** Of a raw segment behind lost events its first frame's chain is what still tells. */
function anchorOfRaw(segment: Segment): Anchor | undefined {
  if (!isBehindLoss(segment.header!)) return undefined;
  for (const { entry } of segment.frames()) return entry && { count: 1, chain: entry.chain };
  return undefined;
}

/** @returns undefined where the chain is the one that is counted on */
export const anchoredAt = (anchor: Anchor | undefined, index: number): Buffer | undefined =>
  anchor !== undefined && index < anchor.count ? anchor.chain : undefined;

/** Of a segment behind lost events, whose chain is lost with them. */
export const isBehindLoss = ({ firstSeq, prevChain }: SegmentHeader): boolean =>
  firstSeq > 1 && isZero(prevChain);

const isCommitted = (entry: Entry): boolean =>
  commitOf(entry.salt, entry.payload).equals(entry.commit);

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
