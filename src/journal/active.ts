import { errno } from '../platform/errors.ts';
import { decodeFooter } from './footer.ts';
import { FOOTER_BYTES, HASH_BYTES, SEGMENT_AGE_MS_MAX, SEGMENT_HEADER_BYTES } from './format.ts';
import type { Hlc } from './hlc.ts';
import { type Layout, listOrigin, type SegmentFile, segmentPath } from './layout.ts';
import { ensureManifest, type Manifest } from './manifest.ts';
import type { JournalPorts } from './ports.ts';
import { type Repair, recoverTail } from './recover.ts';
import { createSegment } from './rotate.ts';
import { readTail, type Tail } from './tail.ts';

/** What a successor has to know of the segment before it. */
export interface SegmentEnd {
  seq: number;
  hlc: Hlc;
  chain: Buffer;
}

const START_OF_JOURNAL: SegmentEnd = {
  seq: 0,
  hlc: { ms: 0, count: 0 },
  chain: Buffer.alloc(HASH_BYTES),
};

/**
 * The segment that is appended to, as one writer sees it. Between two appends other processes may have written,
 * rotated or compacted, so `open` looks again each time; that costs two calls when nothing changed.
 */
export class ActiveSegment {
  readonly #ports: JournalPorts;
  readonly #layout: Layout;
  #tail: Tail | undefined;
  #manifest: Manifest | undefined;

  constructor(ports: JournalPorts, layout: Layout) {
    this.#ports = ports;
    this.#layout = layout;
  }

  get manifest(): Manifest {
    this.#manifest ??= ensureManifest(this.#ports, this.#layout);
    return this.#manifest;
  }

  /** Call with the lock held. `repaired` hears of a tail that had to be made good first. */
  open(repaired: (repair: Repair) => void): Tail {
    const cached = this.#tail;
    if (cached !== undefined) {
      if (!this.#superseded(cached) && this.#ports.fs.fstat(cached.fd).size === cached.size)
        return cached;
      this.close();
    }
    const files = listOrigin(this.#ports.fs, this.#layout, this.manifest.origin);
    files.sort((x, y) => x.firstSeq - y.firstSeq);
    const newest = files.at(-1);
    if (newest === undefined) this.#tail = this.#create(START_OF_JOURNAL);
    else if (newest.sealed) this.#tail = this.#create(this.#endOf(newest));
    else this.#tail = this.#openAt(newest, files.at(-2), repaired);
    return this.#tail;
  }

  /** The segment as `open` left it, for what is done after the lock is given back. */
  current(): Tail {
    return this.#tail!;
  }

  #superseded(tail: Tail): boolean {
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

  #create(end: SegmentEnd | undefined): Tail {
    if (end === undefined) throw new Error('the newest segment is damaged at both ends');
    return createSegment(this.#ports, this.#layout, this.manifest, {
      firstSeq: end.seq + 1,
      hlc: end.hlc,
      prevChain: end.chain,
      flags: 0,
    });
  }

  #openAt(
    file: SegmentFile,
    before: SegmentFile | undefined,
    repaired: (repair: Repair) => void,
  ): Tail {
    const fd = this.#ports.fs.open(file.path, 'r+');
    const tail = readTail(this.#ports, fd, file.path);
    if (tail !== undefined) return tail;
    const end = before === undefined ? START_OF_JOURNAL : this.#endOf(before);
    const target = { path: file.path, firstSeq: file.firstSeq, fd };
    const recovered = recoverTail(this.#ports, this.#layout, this.manifest, target, end);
    if (recovered.tail.fd !== fd) this.#ports.fs.close(fd);
    repaired(recovered.repair);
    return recovered.tail;
  }

  /** Where a finished segment ends; undefined when its end is damaged. */
  #endOf(file: SegmentFile): SegmentEnd | undefined {
    const { fs, xxh64 } = this.#ports;
    const fd = fs.open(file.path, 'r');
    try {
      if (!file.sealed) return readTail(this.#ports, fd, file.path);
      const bytes = Buffer.alloc(FOOTER_BYTES);
      fs.read(fd, bytes, Math.max(0, fs.fstat(fd).size - FOOTER_BYTES));
      const footer = decodeFooter(bytes, xxh64);
      return footer && { seq: footer.lastSeq, hlc: footer.lastHlc, chain: footer.endChain };
    } finally {
      fs.close(fd);
    }
  }

  /** True when the next append belongs into a new segment. */
  isFull(segmentBytes: number): boolean {
    const tail = this.#tail!;
    if (tail.size === SEGMENT_HEADER_BYTES) return false;
    if (tail.size >= segmentBytes) return true;
    return this.#ports.clock.now() - tail.header.baseHlc.ms >= SEGMENT_AGE_MS_MAX;
  }

  /** Closes the segment for good and opens the next one. Call with the lock held. */
  rotate(): Tail {
    const old = this.#tail!;
    this.#ports.fs.datasync(old.fd);
    const next = createSegment(this.#ports, this.#layout, this.manifest, {
      firstSeq: old.seq + 1,
      hlc: old.hlc,
      prevChain: old.chain,
      flags: 0,
    });
    next.syncedUpto = old.seq;
    next.recent = old.recent;
    this.close();
    this.#tail = next;
    return next;
  }

  close(): void {
    if (this.#tail !== undefined) this.#ports.fs.close(this.#tail.fd);
    this.#tail = undefined;
  }
}
