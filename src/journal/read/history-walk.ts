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

/** A range of bytes in a segment. */
export interface Place {
  offset: number;
  bytes: number;
}

/** The chain is unknown: the next event's chain is not compared. */
const UNKNOWN_SEQ = -1;
/** Kinds of damage after which the events can still be read. */
const NOT_LOST = new Set(['chain', 'commit']);

/** Follows one origin's history event by event: what is there, what is missing, where the chain breaks. */
export class HistoryWalk {
  events = 0;
  firstSeq: number | null = null;
  lastSeq: number | null = null;
  readonly damage: (Damage & { segment: string })[] = [];
  /** Skipped segments of a later version. */
  readonly passed: string[] = [];
  /** By name of a blob, the first and the last event that refers to it. */
  readonly blobs = new Map<string, { firstSeq: number; lastSeq: number }>();
  #segment = HINT_NAME; // without segments, the hint tells what is missing
  /** Chain after the event `#chainSeq`. */
  readonly #input = new ChainInput();
  readonly #chain = this.#input.chain;
  #chainSeq = 0;
  /** The highest seq that was read. */
  #read = 0;
  /** The highest seq that was read or reported as lost. */
  #reached = 0;
  /** `#reached` before the current segment. */
  #told = 0;
  /** Damage up to the end of the last segment. How much is lost shows when the next one begins. */
  #open: Damage | undefined;
  /** The last segment was skipped. */
  #isSkipping = false;

  /** Chain of the last event, hex; null if there is none. */
  get head(): string | null {
    return this.lastSeq === null ? null : this.#chain.toString('hex');
  }

  /** Call before anything of a segment is reported. */
  enter(segment: string): void {
    this.#segment = segment;
  }

  /**
   * Checks that a segment continues the history.
   * @param header undefined if it is lost
   */
  begin(firstSeq: number, header: SegmentHeader | undefined): void {
    const before = firstSeq - 1;
    const place = { offset: 0, bytes: 0 };
    const prevChain = header === undefined || isBehindLoss(header) ? undefined : header.prevChain;
    // Events before it were lost when it was begun, and may have been repaired since.
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

  /** Skips a segment of a later version: its events and its chain are unknown. */
  skip(): void {
    this.#isSkipping = true;
    this.passed.push(this.#segment);
    this.#chainSeq = UNKNOWN_SEQ;
  }

  /** An entry of a sealed segment. Its commitment is computed from the payload, so the chain proves both. */
  entry(entry: Entry): void {
    this.#count(entry, true);
    const { seq } = entry;
    if (this.#chainSeq === seq - 1) this.#adopt(chainOf(this.#chain, chainedBytes(entry)), seq);
  }

  /**
   * An entry of a raw segment, which stores commitment and chain.
   * @param refers false if it refers to no blob
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
    // If segments overlap, only the first event of each seq counts.
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

  /** An event is there that earlier damage reported as lost: only those before it are lost. */
  #found(seq: number): void {
    this.#told = 0;
    const lost = this.damage.filter(({ kind }) => !NOT_LOST.has(kind));
    for (const one of lost)
      if (one.lastSeq !== null && one.firstSeq! <= seq && seq <= one.lastSeq)
        this.#settle(one, seq - 1);
    this.#reached = lost.reduce((most, { lastSeq }) => Math.max(most, lastSeq ?? 0), 0);
  }

  /** Compares the chain that a chunk's header stores. */
  chunkEnd({ offset, storedBytes, firstSeq, count, endChain }: ChunkHeader): void {
    const place = { offset, bytes: CHUNK_HEADER_BYTES + storedBytes };
    const lastSeq = firstSeq + count - 1;
    if (this.#chainSeq === lastSeq && !this.#chain.equals(endChain))
      this.lost({ kind: 'chain', ...place, firstSeq, lastSeq });
    this.#adopt(endChain, lastSeq);
  }

  /** @param isOpen it reaches to the segment's end, so only the next segment tells how much is lost */
  lost(damage: Damage, isOpen = false): void {
    const { kind, offset, bytes, firstSeq, lastSeq } = damage;
    // If segments overlap, events that were read before are not lost.
    const noted = { kind, offset, bytes, firstSeq, lastSeq, segment: this.#segment };
    if (!NOT_LOST.has(kind) && firstSeq !== null) {
      noted.firstSeq = Math.max(firstSeq, this.#read + 1);
      if (lastSeq !== null) this.#settle(noted, lastSeq);
    }
    this.damage.push(noted);
    this.#reached = Math.max(this.#reached, lastSeq ?? 0);
    if (isOpen) this.#open = noted;
  }

  /** @param syncedUpto the journal must reach at least this far */
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
