import { blobReferences } from '../format/blob-references.ts';
import type { ChunkHeader } from '../format/chunk.ts';
import {
  CHUNK_HEADER_BYTES,
  FRAME_KIND,
  FRAME_KIND_SKIPPABLE,
  SEGMENT_FLAG,
} from '../format/format.ts';
import { ChainInput, chainedBytes, chainOf, type Entry, type Frame } from '../format/frame.ts';
import { HINT_NAME } from '../format/hint.ts';
import type { SegmentHeader } from '../format/segment.ts';
import type { Damage } from './scan.ts';
import { isBehindLoss } from './whole.ts';

/** A stretch of a segment, bytes. */
export interface Place {
  offset: number;
  bytes: number;
}

/** No event's: nothing is compared with the chain behind it. */
const UNKNOWN_SEQ = -1;
/** Events that this damage is about can be read. */
const NOT_LOST = new Set(['chain', 'commit']);

/** One origin's history, followed event by event: what is there, what is missing, where the chain breaks. */
export class HistoryWalk {
  events = 0;
  firstSeq: number | null = null;
  lastSeq: number | null = null;
  readonly damage: (Damage & { segment: string })[] = [];
  /** Segments of a later version that are passed by. */
  readonly passed: string[] = [];
  /** Blobs that events refer to, by name: the first and the last of these events. */
  readonly blobs = new Map<string, { firstSeq: number; lastSeq: number }>();
  #segment = HINT_NAME; // where there is no segment, that is what tells of any
  /** Chain after the event `#chainSeq`. */
  readonly #input = new ChainInput();
  readonly #chain = this.#input.chain;
  #chainSeq = 0;
  /** The highest seq that was read. */
  #read = 0;
  /** The same, or told of as lost. */
  #reached = 0;
  /** The highest seq that earlier segments told of as lost. */
  #told = 0;
  /** Damage up to the end of the last segment: what it cost shows when the next one begins. */
  #open: Damage | undefined;
  /** The last segment was passed by. */
  #isSkipping = false;

  /** Chain of the last event, hex; null when there is none. */
  get head(): string | null {
    return this.lastSeq === null ? null : this.#chain.toString('hex');
  }

  /** Call before anything of a segment is reported. */
  enter(segment: string): void {
    this.#segment = segment;
  }

  /**
   * Checks that a segment follows on what came before it.
   * @param header undefined when it is lost
   */
  begin(firstSeq: number, header: SegmentHeader | undefined): void {
    const before = firstSeq - 1;
    const place = { offset: 0, bytes: 0 };
    const prevChain = header === undefined || isBehindLoss(header) ? undefined : header.prevChain;
    // Lost events before it may have been repaired since: its chain does not count from them.
    if (((header?.flags ?? 0) & SEGMENT_FLAG.afterDamage) !== 0) this.#chainSeq = UNKNOWN_SEQ;
    const isLinked =
      prevChain === undefined || before !== this.#chainSeq || prevChain.equals(this.#chain);
    this.#told = this.#reached;
    const taken = prevChain === undefined ? this.#read : this.#reached;
    const isForked = header !== undefined && (before < taken || !isLinked);
    if (this.#open !== undefined) this.#settle(this.#open, before);
    else if (before > this.#reached && !this.#isSkipping)
      this.lost({ kind: 'missing', ...place, firstSeq: this.#reached + 1, lastSeq: before });
    this.#open = undefined;
    this.#isSkipping = false;
    this.#reached = Math.max(this.#reached, before);
    if (isForked) this.lost({ kind: 'chain', ...place, firstSeq, lastSeq: null });
    if (prevChain !== undefined) this.#adopt(prevChain, before);
    else if (isForked) this.#chainSeq = UNKNOWN_SEQ;
  }

  /** The segment is a later version's, which is passed by: how many events are in it, and its chain, nobody knows here. */
  skip(): void {
    this.#isSkipping = true;
    this.passed.push(this.#segment);
    this.#chainSeq = UNKNOWN_SEQ;
  }

  /** One of a sealed segment. Its commitment is derived from the payload: there the chain tells. */
  entry(entry: Entry): void {
    this.#count(entry, true);
    const { seq } = entry;
    if (this.#chainSeq === seq - 1) this.#adopt(chainOf(this.#chain, chainedBytes(entry)), seq);
  }

  /**
   * One of an active segment, with which its chain stands.
   * @param refers false where it refers to no blob
   */
  frame(frame: Frame, refers: boolean): void {
    this.#count(frame, refers);
    const { seq, offset, bytes } = frame;
    const wrong = (kind: 'commit' | 'chain') =>
      this.lost({ kind, offset, bytes, firstSeq: seq, lastSeq: seq });
    if (frame.kind !== FRAME_KIND.tombstone && !frame.isCommitted()) wrong('commit');
    if (this.#chainSeq === seq - 1 && !frame.isChainedTo(this.#input)) wrong('chain');
    frame.writeChain(this.#chain);
    this.#chainSeq = seq;
  }

  #count(entry: Entry, refers: boolean): void {
    const { seq, kind } = entry;
    // Of each seq the first event is given: where segments overlap, the later ones are not.
    if (seq <= this.#read) return;
    if (seq <= this.#told) this.#found(seq);
    if (kind < FRAME_KIND_SKIPPABLE) {
      this.events += 1;
      this.firstSeq ??= seq;
      this.lastSeq = seq;
    }
    if (refers && kind === FRAME_KIND.event)
      for (const name of blobReferences(entry.payload))
        this.blobs.set(name, { firstSeq: this.blobs.get(name)?.firstSeq ?? seq, lastSeq: seq });
    this.#read = seq;
    this.#reached = Math.max(this.#reached, seq);
  }

  /** An event is there that an earlier segment's damage told of as lost: only those before it are. */
  #found(seq: number): void {
    this.#told = 0;
    const lost = this.damage.filter(({ kind }) => !NOT_LOST.has(kind));
    for (const one of lost)
      if (one.lastSeq !== null && one.firstSeq! <= seq && seq <= one.lastSeq)
        this.#settle(one, seq - 1);
    this.#reached = lost.reduce((most, { lastSeq }) => Math.max(most, lastSeq ?? 0), 0);
  }

  /** A chunk of a sealed segment says what the chain is after it. */
  chunkEnd({ offset, storedBytes, firstSeq, count, endChain }: ChunkHeader): void {
    const place = { offset, bytes: CHUNK_HEADER_BYTES + storedBytes };
    const lastSeq = firstSeq + count - 1;
    if (this.#chainSeq === lastSeq && !this.#chain.equals(endChain))
      this.lost({ kind: 'chain', ...place, firstSeq, lastSeq });
    this.#adopt(endChain, lastSeq);
  }

  /** @param isOpen nothing of the segment comes after it, so only the next segment tells what it cost */
  lost(damage: Damage, isOpen = false): void {
    const { kind, offset, bytes, firstSeq, lastSeq } = damage;
    // Where segments overlap, what was read of the first is not lost.
    const noted = { kind, offset, bytes, firstSeq, lastSeq, segment: this.#segment };
    if (!NOT_LOST.has(kind) && firstSeq !== null) {
      noted.firstSeq = Math.max(firstSeq, this.#read + 1);
      if (lastSeq !== null) this.#settle(noted, lastSeq);
    }
    this.damage.push(noted);
    this.#reached = Math.max(this.#reached, lastSeq ?? 0);
    if (isOpen) this.#open = noted;
  }

  /** @param syncedUpto what was on disk before the walk began: the journal must reach that far */
  finish(syncedUpto: number): void {
    if (this.#open !== undefined) {
      if (syncedUpto >= this.#open.firstSeq!) this.#open.lastSeq = syncedUpto;
    } else if (syncedUpto > this.#reached && !this.#isSkipping) {
      const range = { firstSeq: this.#reached + 1, lastSeq: syncedUpto };
      this.lost({ kind: 'missing', offset: 0, bytes: 0, ...range });
    }
  }

  #settle(open: Damage, lastSeq: number): void {
    const isNothing = open.firstSeq! > lastSeq;
    open.firstSeq = isNothing ? null : open.firstSeq;
    open.lastSeq = isNothing ? null : lastSeq;
  }

  #adopt(chain: Buffer, seq: number): void {
    this.#chain.set(chain);
    this.#chainSeq = seq;
  }
}
