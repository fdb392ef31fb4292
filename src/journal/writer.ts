import { Ben10Error, errno } from '../platform/errors.ts';
import { writeAll } from '../platform/fs.ts';
import { ActiveSegment } from './active.ts';
import { drainInbox } from './drain.ts';
import {
  BODY_BYTES_MAX,
  FRAME_FLAG,
  FRAME_KIND,
  ID_BYTES,
  SALT_BYTES,
  SEGMENT_BYTES_DEFAULT,
} from './format.ts';
import { commitOf, encodeFrame, frameBytes } from './frame.ts';
import { readHint, type SyncHint, writeHint } from './hint.ts';
import { nextHlc } from './hlc.ts';
import { type NewEvent, spool } from './inbox.ts';
import { ensureLayout, type Layout, layoutOf } from './layout.ts';
import { LockFile } from './locking.ts';
import { repairedEvent } from './own-events.ts';
import type { JournalPorts } from './ports.ts';
import type { Tail } from './tail.ts';

/** `interval` events are synced by the first writer that finds the last sync this old. */
export const SYNC_INTERVAL_MS = 1000;

export interface WriterOptions {
  /** How long an append may wait for the lock before it spools: 50 in a hook, 5000 in the CLI. */
  lockBudgetMs: number;
  segmentBytes?: number;
  /** What of the inbox one append may take along. */
  drain?: { events: number; milliseconds: number };
}

export interface Appended {
  /** The seq of each event, in order; of the first witness where an id was there already. Empty when spooled. */
  seqs: number[];
  /** Events that were new. */
  written: number;
  /** True when the events wait in the inbox. */
  spooled: boolean;
}

/** Appends events to a journal. One instance a process is enough; any number of processes may have one. */
export class JournalWriter {
  readonly #ports: JournalPorts;
  readonly #layout: Layout;
  readonly #options: Required<WriterOptions>;
  readonly #active: ActiveSegment;
  readonly #lock: LockFile;
  #hint: SyncHint | undefined;

  /**
   * @param root the project's `.ben10`; made when it is not there
   * @throws Ben10Error JOURNAL_UNSAFE, FS_WRITE_ERROR, FS_PERMISSION_DENIED
   */
  constructor(ports: JournalPorts, root: string, options: WriterOptions) {
    this.#ports = ports;
    this.#layout = layoutOf(root);
    this.#options = {
      segmentBytes: SEGMENT_BYTES_DEFAULT,
      drain: { events: 256, milliseconds: 20 },
      ...options,
    };
    try {
      ensureLayout(ports.fs, this.#layout);
      this.#lock = new LockFile(ports, this.#layout.lock);
    } catch (error) {
      throw asWriteError(error, this.#layout.journal);
    }
    this.#active = new ActiveSegment(ports, this.#layout);
  }

  /**
   * Appends events, all or none, in the order given. What was acknowledged is in the journal or in its inbox.
   * @throws Ben10Error FS_WRITE_ERROR when neither can be written, LIMIT_EXCEEDED when a body is too large
   */
  append(events: readonly NewEvent[]): Appended {
    for (const event of events) assertFits(event);
    let failure: unknown;
    try {
      const held = this.#lock.hold(this.#options.lockBudgetMs, () => this.#appendLocked(events));
      if (held !== undefined) {
        this.#syncFor(events);
        return held.value;
      }
    } catch (error) {
      if (errno(error) === undefined) throw error;
      this.#active.close();
      failure = error;
    }
    try {
      spool(this.#ports, this.#layout, events);
      return { seqs: [], written: events.length, spooled: true };
    } catch (error) {
      throw asWriteError(failure ?? error, this.#layout.journal);
    }
  }

  /** Takes in what waits in the inbox. False when the lock was not to be had. */
  drain(): boolean {
    return this.#lock.hold(this.#options.lockBudgetMs, () => this.#appendLocked([])) !== undefined;
  }

  /** Closes the active segment and opens the next one, when it holds at least `bytesMin`. */
  rotate(bytesMin: number): boolean {
    const held = this.#lock.hold(this.#options.lockBudgetMs, () => {
      const tail = this.#active.open(() => undefined);
      if (tail.size < bytesMin) return false;
      this.#active.rotate();
      return true;
    });
    return held?.value ?? false;
  }

  /** Syncs when something was written since the last sync: what a running server calls within a second. */
  syncIfDue(): void {
    const held = this.#lock.hold(0, () => this.#active.open(() => undefined));
    if (held !== undefined && held.value.seq > this.#readHint().syncedUpto) this.#sync(held.value);
  }

  close(): void {
    this.#active.close();
    this.#lock.close();
  }

  #appendLocked(events: readonly NewEvent[]): Appended {
    const repairs: NewEvent[] = [];
    this.#active.open((repair) => repairs.push(repairedEvent(this.#ports, repair)));
    if (repairs.length > 0) this.#write(repairs, 0);
    drainInbox(this.#ports, this.#layout, this.#options.drain, (waiting) => {
      this.#write(waiting, FRAME_FLAG.fromInbox);
      this.#sync(this.#active.current());
    });
    const before = this.#active.current().seq;
    const seqs = this.#write(events, 0);
    return { seqs, written: this.#active.current().seq - before, spooled: false };
  }

  /** Encodes what is new and writes it with one call a segment. */
  #write(events: readonly NewEvent[], flags: number): number[] {
    const seqs: number[] = [];
    let tail = this.#active.current();
    let frames: Buffer[] = [];
    let end = { ...tail };
    const flush = () => {
      this.#writeFrames(tail, Buffer.concat(frames), end);
      frames = [];
    };
    if (events.length > 0 && this.#active.isFull(this.#options.segmentBytes)) {
      tail = this.#active.rotate();
      end = { ...tail };
    }
    for (const event of events) {
      const key = event.id.toString('hex');
      const known = end.recent.get(key);
      if (known !== undefined) {
        seqs.push(known);
        continue;
      }
      const bytes = frameBytes(SALT_BYTES + event.payload.length);
      if (frames.length > 0 && end.size + bytes > this.#options.segmentBytes) {
        flush();
        tail = this.#active.rotate();
        end = { ...tail };
      }
      frames.push(this.#encode(event, flags, end));
      end.recent.set(key, end.seq);
      seqs.push(end.seq);
    }
    if (frames.length > 0) flush();
    return seqs;
  }

  /** Encodes one event behind `end` and moves `end` on. */
  #encode(event: NewEvent, flags: number, end: Tail): Buffer {
    const salt = Buffer.alloc(SALT_BYTES);
    this.#ports.random.fill(salt);
    const hlc = nextHlc(end.hlc, this.#ports.clock.now());
    const syncedUpto = Math.min(Math.max(end.syncedUpto, this.#readHint().syncedUpto), end.seq);
    const entry = {
      kind: FRAME_KIND.event,
      flags,
      typeTag: event.typeTag,
      seq: end.seq + 1,
      hlc,
      id: event.id,
      syncedUpto,
      salt,
      payload: event.payload,
      commit: commitOf(salt, event.payload),
    };
    const place = { salt: end.header.salt, offset: end.size, previousChain: end.chain };
    const { frame, chain } = encodeFrame(entry, place, this.#ports.xxh64);
    Object.assign(end, { seq: entry.seq, hlc, syncedUpto, chain, size: end.size + frame.length });
    return frame;
  }

  /** A write that fails half-way is taken back, so that the next writer finds no torn tail. */
  #writeFrames(tail: Tail, bytes: Buffer, end: Tail): void {
    try {
      writeAll(this.#ports.fs, tail.fd, bytes, tail.size);
    } catch (error) {
      this.#ports.fs.truncate(tail.fd, tail.size);
      throw error;
    }
    Object.assign(tail, end);
  }

  #syncFor(events: readonly NewEvent[]): void {
    const now = this.#ports.clock.now();
    const due =
      events.some((event) => event.durability === 'disk') ||
      (events.some((event) => event.durability === 'interval') &&
        Math.abs(now - this.#readHint().syncedAt) >= SYNC_INTERVAL_MS);
    if (due) this.#sync(this.#active.current());
  }

  /**
   * @throws when the sync fails: it is never tried again on this file as if that could mend, for the kernel may
   * have dropped the pages and would report success
   */
  #sync(tail: Tail): void {
    const syncedUpto = tail.seq;
    this.#ports.fs.datasync(tail.fd);
    this.#hint = { syncedUpto, syncedAt: this.#ports.clock.now() };
    tail.syncedUpto = syncedUpto;
    writeHint(this.#ports, this.#hintPath(), this.#hint);
  }

  /** Another process may have synced since; a stale value only makes this one sync once more. */
  #readHint(): SyncHint {
    this.#hint ??= readHint(this.#ports, this.#hintPath());
    return this.#hint;
  }

  #hintPath(): string {
    return `${this.#layout.journal}/${this.#active.manifest.origin}/synced`;
  }
}

function assertFits(event: NewEvent): void {
  const bytes = SALT_BYTES + event.payload.length;
  if (event.id.length !== ID_BYTES) throw new RangeError('an event id has 16 bytes');
  if (bytes <= BODY_BYTES_MAX) return;
  throw new Ben10Error(
    'LIMIT_EXCEEDED',
    `an event of ${bytes} bytes; the limit is ${BODY_BYTES_MAX}`,
    {
      next: 'Large payloads belong into blobs/, which capture does by itself: please report this.',
    },
  );
}

function asWriteError(error: unknown, file: string): unknown {
  const code = errno(error);
  if (code === undefined || error instanceof Ben10Error) return error;
  const denied = code === 'EACCES' || code === 'EPERM' || code === 'EROFS';
  return new Ben10Error(
    denied ? 'FS_PERMISSION_DENIED' : 'FS_WRITE_ERROR',
    `the journal cannot be written: ${(error as Error).message}`,
    {
      place: { file },
      next: denied
        ? 'Make the folder writable for you (chmod -R u+rwX .ben10), or move the project to a writable disk.'
        : 'Free some space, then go on: what was not written is taken from the transcript later.',
      cause: error,
    },
  );
}
