import type { Decoders } from '../../platform/codecs/codecs.ts';
import { isZero } from '../format/bytes.ts';
import { FRAME_KIND } from '../format/format.ts';
import { chainedBytes, chainOf, commitOf, type Entry, type Frame } from '../format/frame.ts';
import type { SegmentHeader } from '../format/segment.ts';
import type { Segment } from './open.ts';
import type { SealedSegment } from './sealed.ts';

/** The whole content of a closed segment. */
export interface WholeSegment {
  header: SegmentHeader;
  /** At least one. */
  entries: Entry[];
  /** As stored, not computed. */
  endChain: Buffer;
  /** Zstd level; -1 for a segment that is not sealed. */
  level: number;
  /** Set if the chain before the first event is lost; else it is in the header. */
  anchor: Anchor | undefined;
  /** Of a sealed one: index and footer. */
  sealed: SealedSegment | undefined;
}

/** The first known chain of a segment that has lost its beginning, and how many entries come before it. */
export interface Anchor {
  count: number;
  chain: Buffer;
}

/**
 * Reads a closed segment and checks its whole chain.
 * @returns undefined if anything in it is damaged, or it is empty
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

/** Behind lost events, the first frame's chain is the first known one. */
function anchorOfRaw(segment: Segment): Anchor | undefined {
  if (!isBehindLoss(segment.header!)) return undefined;
  for (const { entry } of segment.frames()) return entry && { count: 1, chain: entry.chain };
  return undefined;
}

/** @returns undefined where the chain has to be computed */
export const anchoredAt = (anchor: Anchor | undefined, index: number): Buffer | undefined =>
  anchor !== undefined && index < anchor.count ? anchor.chain : undefined;

/** Whether a segment comes after lost events, so that the chain before it is lost, too. */
export const isBehindLoss = ({ firstSeq, prevChain }: SegmentHeader): boolean =>
  firstSeq > 1 && isZero(prevChain);

const isCommitted = (entry: Entry): boolean =>
  commitOf(entry.salt, entry.payload).equals(entry.commit);

/** Behind lost events, the first chunk's chain is the first known one. Sealing puts one event there, repair keeps the chunk. */
export const anchorOf = ({
  header,
  chunks: [first],
}: Pick<SealedSegment, 'header' | 'chunks'>): Anchor | undefined =>
  isBehindLoss(header) && first !== undefined
    ? { count: first.count, chain: first.endChain }
    : undefined;

/** Compares what the chain would cover. */
export const isSameEntry = (one: Entry, other: Entry): boolean =>
  chainedBytes(one).equals(chainedBytes(other));
