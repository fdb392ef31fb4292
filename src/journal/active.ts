import { errno } from '../platform/errors.ts';
import { HASH_BYTES, SEGMENT_AGE_MS_MAX, SEGMENT_FLAG, SEGMENT_HEADER_BYTES } from './format.ts';
import { hintPath, NO_HINT, readHint, type SyncHint } from './hint.ts';
import {
  type Layout,
  listOrigin,
  originDir,
  refuseUnsafe,
  type SegmentFile,
  segmentPath,
} from './layout.ts';
import { isAtHome, loadSegment } from './load.ts';
import { ensureManifest, type Manifest } from './manifest.ts';
import type { JournalPorts } from './ports.ts';
import { type Repair, recoverTail, type SegmentEnd } from './recover.ts';
import { createSegment } from './rotate.ts';
import { openSealed } from './sealed.ts';
import { readTail, remember, type Tail, WINDOW_BYTES } from './tail.ts';

const START_OF_JOURNAL = {
  seq: 0,
  hlc: { ms: 0, count: 0 },
  chain: Buffer.alloc(HASH_BYTES),
  flags: 0,
};

/**
 * The segment that is appended to, as one writer sees it. Between two appends other processes may have written,
 * rotated or compacted, or the user removed the folder, so `open` looks again each time; that costs three calls
 * when nothing changed.
 */
export class ActiveSegment {
  readonly #ports: JournalPorts;
  readonly #layout: Layout;
  #manifest: Manifest | undefined;
  #tail: Tail | undefined;
  /** When the folder changed last, as seen before it was listed. */
  #listedAt = 0;
  /** A segment whose sync failed: nothing is ever appended to it again. */
  #distrusted: string | undefined;
  /** What this process knows of the last sync; may be stale. */
  hint: SyncHint = NO_HINT;

  constructor(ports: JournalPorts, layout: Layout) {
    this.#ports = ports;
    this.#layout = layout;
  }

  get manifest(): Manifest {
    this.#manifest ??= ensureManifest(this.#ports, this.#layout);
    return this.#manifest;
  }

  get hintPath(): string {
    return hintPath(this.#layout, this.manifest.origin);
  }

  /** The segment as `open` left it, for what is done after the lock is given back. */
  get tail(): Tail {
    return this.#tail!;
  }

  /**
   * Call with the lock held.
   * @returns what had to be made good first, if anything
   */
  open(): Repair | undefined {
    if (this.#tail !== undefined && this.#isCurrent(this.#tail)) return undefined;
    this.close();
    const dir = originDir(this.#layout, this.manifest.origin);
    refuseUnsafe(this.#ports.fs, dir);
    this.#listedAt = this.#changedAt();
    this.hint = readHint(this.#ports, this.hintPath);
    const files = listOrigin(this.#ports.fs, this.#layout, this.manifest.origin);
    const newest = files.at(-1);
    if (newest !== undefined && !newest.sealed) return this.#openAt(newest, files.at(-2));
    this.#tail = this.#create(newest === undefined ? START_OF_JOURNAL : this.#endOf(newest));
    return undefined;
  }

  #isCurrent(tail: Tail): boolean {
    const { size, nlink } = this.#ports.fs.fstat(tail.fd);
    if (size !== tail.size || nlink === 0 || tail.path === this.#distrusted) return false;
    // Both are asked: the time has the clock's grain, and the next segment may not start at the next seq.
    return this.#changedAt() === this.#listedAt && !this.#hasSuccessor(tail);
  }

  #changedAt(): number {
    try {
      return this.#ports.fs.stat(originDir(this.#layout, this.manifest.origin)).mtimeMs;
    } catch (error) {
      if (errno(error) === 'ENOENT') return 0;
      throw error;
    }
  }

  #hasSuccessor(tail: Tail): boolean {
    const next = segmentPath(this.#layout, this.manifest.origin, tail.seq + 1, false);
    if (next === tail.path) return false;
    try {
      this.#ports.fs.stat(next);
      return true;
    } catch (error) {
      if (errno(error) === 'ENOENT') return false;
      throw error;
    }
  }

  #openAt(file: SegmentFile, before: SegmentFile | undefined): Repair | undefined {
    const fd = this.#ports.fs.open(file.path, 'r+');
    let used = false;
    try {
      const found = this.#take(fd, file, before);
      this.#tail = found.tail;
      used = found.tail.fd === fd;
      return found.repair;
    } finally {
      if (!used) this.#ports.fs.close(fd);
    }
  }

  #take(
    fd: number,
    file: SegmentFile,
    before: SegmentFile | undefined,
  ): { tail: Tail; repair: Repair | undefined } {
    const tail = readTail(this.#ports, fd, file.path);
    const whole =
      tail !== undefined &&
      isAtHome(tail.header, file) &&
      tail.header.journalId.toString('hex') === this.manifest.journalId &&
      tail.seq >= this.hint.syncedUpto;
    if (!whole) {
      const end = before === undefined ? START_OF_JOURNAL : this.#endOf(before);
      const { syncedUpto } = this.hint;
      return recoverTail(this.#ports, this.#layout, this.manifest, file, fd, end, syncedUpto);
    }
    if (file.path === this.#distrusted && tail.size > SEGMENT_HEADER_BYTES)
      return {
        tail: this.#create({ ...tail, flags: SEGMENT_FLAG.afterDamage }),
        repair: undefined,
      };
    if (before !== undefined && !before.sealed) this.#inheritIds(tail, before);
    return { tail, repair: undefined };
  }

  /** A segment that has just begun knows few ids: those at the end of the one before it count as well. */
  #inheritIds(tail: Tail, before: SegmentFile): void {
    const doubtful = (tail.header.flags & SEGMENT_FLAG.afterDamage) !== 0;
    if (doubtful || tail.size >= WINDOW_BYTES) return;
    const own = tail.recent;
    tail.recent = this.#tailOf(before)?.recent ?? new Map();
    for (const [id, seq] of own) remember(tail.recent, id, seq);
  }

  #tailOf(file: SegmentFile): Tail | undefined {
    const fd = this.#ports.fs.open(file.path, 'r');
    try {
      return readTail(this.#ports, fd, file.path);
    } finally {
      this.#ports.fs.close(fd);
    }
  }

  /** Where a finished segment ends, as far as it can be told, and the flags of the one after it. */
  #endOf(file: SegmentFile): SegmentEnd & { flags: number } {
    const seqMin = Math.max(file.firstSeq, this.hint.syncedUpto);
    const damaged = { ...START_OF_JOURNAL, seq: seqMin, flags: SEGMENT_FLAG.afterDamage };
    if (!file.sealed) {
      const tail = this.#tailOf(file);
      return tail === undefined ? damaged : { ...tail, flags: 0 };
    }
    const { bytes, header } = loadSegment(this.#ports, file) ?? {};
    if (bytes === undefined || header === undefined) return damaged;
    const { footer, chunks } = openSealed(bytes, header, this.#ports.xxh64);
    const last = chunks.at(-1);
    if (footer !== undefined) {
      const seq = Math.max(footer.lastSeq, file.firstSeq);
      return { seq, hlc: footer.lastHlc, chain: footer.endChain, flags: 0 };
    }
    if (last === undefined) return damaged;
    const seq = Math.max(last.firstSeq + last.count - 1, seqMin);
    return { ...damaged, seq, hlc: last.firstHlc, chain: Buffer.from(last.endChain) };
  }

  #create(end: SegmentEnd & { flags: number }): Tail {
    return createSegment(this.#ports, this.#layout, this.manifest, {
      firstSeq: end.seq + 1,
      hlc: end.hlc,
      prevChain: end.chain,
      flags: end.flags,
    });
  }

  /** True when the next append belongs into a new segment. */
  isFull(segmentBytes: number): boolean {
    if (this.tail.size === SEGMENT_HEADER_BYTES) return false;
    if (this.tail.size >= segmentBytes) return true;
    return this.#ports.clock.now() - this.tail.header.baseHlc.ms >= SEGMENT_AGE_MS_MAX;
  }

  /** Closes the segment for good and opens the next one. Call with the lock held, not on an empty segment. */
  rotate(): Tail {
    const old = this.tail;
    this.datasync();
    const next = this.#create({ ...old, flags: 0 });
    next.syncedUpto = old.seq;
    next.recent = old.recent;
    this.close();
    this.#listedAt = this.#changedAt();
    this.#tail = next;
    return next;
  }

  /**
   * @throws when the sync fails. It is never tried again on this file as if that could mend: the kernel may have
   * dropped the pages and would report success. The next `open` goes on in a new segment.
   */
  datasync(): void {
    try {
      this.#ports.fs.datasync(this.tail.fd);
    } catch (error) {
      this.#distrusted = this.tail.path;
      throw error;
    }
  }

  get isDistrusted(): boolean {
    return this.#tail !== undefined && this.#tail.path === this.#distrusted;
  }

  close(): void {
    if (this.#tail !== undefined) this.#ports.fs.close(this.#tail.fd);
    this.#tail = undefined;
  }
}
