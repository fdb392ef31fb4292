import { Ben10Error, errno } from '../../platform/errors.ts';
import { mayBeErased } from '../erase/erased-ids.ts';
import {
  FRAME_FLAG,
  SEGMENT_BYTES_DEFAULT,
  SEGMENT_BYTES_MAX,
  SEGMENT_HEADER_BYTES,
} from '../format/format.ts';
import { ensureLayout, type Layout, layoutOf } from '../format/layout.ts';
import { readManifest } from '../format/manifest.ts';
import type { JournalPorts } from '../format/ports.ts';
import { FolderWatch } from '../read/folder-watch.ts';
import { ActiveSegment } from './active.ts';
import { type BatchOptions, writeBatch } from './batch.ts';
import { type Admit, admitAll, drainInbox } from './drain.ts';
import { type NewEvent, type Prerequisite, spool } from './inbox.ts';
import { LockFile } from './locking.ts';
import { factEvent } from './own-events.ts';
import { isNearEnd, withPrerequisites } from './prerequisites.ts';
import { isSyncDue, sync } from './syncing.ts';
import { assertFits, asWriteError } from './write-errors.ts';

export interface WriterOptions {
  /** How long an append may wait for the lock before it spools: 50 in a hook, 5000 in the CLI. */
  lockBudgetMs: number;
  /** At most `SEGMENT_BYTES_MAX`: no reader opens a larger one. */
  segmentBytes?: number;
  /** What of the inbox one append may take along. */
  drain?: { events: number; milliseconds: number };
  /**
   * What may be taken from the inbox once something was erased. Without it, the inbox is left to writers that have it: a
   * hook has no time to read what was erased.
   */
  admission?: () => Admit;
  /** Told of what stands in the journal now. */
  onWritten?: BatchOptions['onWritten'];
  /** Told whenever the lock was held: what others wrote until then is there. */
  onHeld?: () => void;
}

export interface Appended {
  /** The seq of each event, in order; of the first witness where an id was there already. Empty when spooled. */
  seqs: number[];
  /** Events that were new. */
  written: number;
  /** True when the events wait in the inbox. */
  spooled: boolean;
}

/** Appends events. One instance per process is enough; any number of processes may have one. */
export class JournalWriter {
  readonly #ports: JournalPorts;
  readonly #layout: Layout;
  readonly #options: WriterOptions &
    Required<Omit<WriterOptions, 'onWritten' | 'onHeld' | 'admission'>>;
  readonly #active: ActiveSegment;
  /** Of the inbox, which is empty as a rule. */
  readonly #inbox: FolderWatch;
  #lockFile: LockFile | undefined;
  /** Names in `quarantine/` of what this writer took out: a torn tail, damaged inbox files. */
  readonly kept: string[] = [];
  /** How many inbox files this writer was done with. */
  taken = 0;
  /** The last inbox file that this writer left and that may still wait there. */
  #waiting: string | undefined;

  /**
   * @param root the project's `.ben10`; created if missing @throws Ben10Error JOURNAL_UNSAFE, FS_WRITE_ERROR,
   * FS_PERMISSION_DENIED
   */
  constructor(ports: JournalPorts, root: string, options: WriterOptions) {
    this.#ports = ports;
    this.#layout = layoutOf(root);
    this.#options = {
      drain: { events: 256, milliseconds: 20 },
      ...options,
      segmentBytes: Math.min(options.segmentBytes ?? SEGMENT_BYTES_DEFAULT, SEGMENT_BYTES_MAX),
    };
    try {
      ensureLayout(ports.fs, this.#layout);
    } catch (error) {
      throw asWriteError(error, this.#layout.journal);
    }
    this.#active = new ActiveSegment(ports, this.#layout);
    this.#inbox = new FolderWatch(ports, this.#layout.inbox);
  }

  /**
   * Appends events in the given order. When it returns, all are in the journal or its inbox, as durable as their class says.
   * When it throws, some may be; appending them again is harmless.
   * @throws Ben10Error FS_WRITE_ERROR, FS_PERMISSION_DENIED, JOURNAL_UNSAFE if neither can be written, LIMIT_EXCEEDED if a
   * body is too large, JOURNAL_FOREIGN if a later ben10 wrote the journal
   */
  append(events: readonly NewEvent[]): Appended {
    for (const event of events) assertFits(event);
    if (events.length === 0) return { seqs: [], written: 0, spooled: false };
    let failure: unknown;
    try {
      const held = this.#hold(this.#options.lockBudgetMs, () => this.appendLocked(events));
      if (held?.value !== undefined) {
        if (isSyncDue(this.#ports, this.#active, events)) this.#sync();
        return held.value;
      }
    } catch (error) {
      if (error instanceof Ben10Error || errno(error) === undefined) throw error;
      failure = error;
    }
    try {
      return this.spool(events);
    } catch (error) {
      throw asWriteError(failure ?? error, this.#layout.journal);
    }
  }

  /**
   * Appends an event under the lock or not at all. @returns whether it was new; undefined if the lock was not free @throws as `append`
   */
  appendFirst(event: NewEvent): boolean | undefined {
    assertFits(event);
    const done = this.#locked(this.#options.lockBudgetMs, () => this.appendLocked([event]));
    if (done !== undefined && isSyncDue(this.#ports, this.#active, [event])) this.#sync();
    return done && done.written > 0;
  }

  /** Takes in the whole inbox. @returns false if the lock was not free @throws as `append` */
  drain(): boolean {
    let taken: number | undefined;
    do taken = this.#locked(this.#options.lockBudgetMs, () => this.#openAndDrain());
    while (taken !== undefined && taken > 0);
    return taken !== undefined;
  }

  /** Starts the next segment if the open one has events and at least `bytesMin` bytes. @throws as `append` */
  rotate(bytesMin: number): boolean {
    const rotated = this.#locked(this.#options.lockBudgetMs, () => {
      this.#open();
      const { size } = this.#active.tail;
      if (size < bytesMin || size === SEGMENT_HEADER_BYTES) return false;
      this.#active.rotate();
      return true;
    });
    return rotated ?? false;
  }

  /** Syncs if something was written since the last sync; a running server calls it within a second. @throws as `append` */
  syncIfDue(): void {
    const isDue = this.#locked(0, () => {
      this.#open();
      return this.#active.tail.seq > this.#active.hint.syncedUpto;
    });
    if (isDue !== true) return;
    try {
      this.#sync();
    } catch (error) {
      throw asWriteError(error, this.#layout.journal);
    }
  }

  close(): void {
    this.#active.close();
    this.#lockFile?.close();
  }

  /** Opened when it is needed: where it cannot be, events go to the inbox. */
  #lock(): LockFile {
    this.#lockFile ??= new LockFile(this.#ports, this.#layout.lock);
    return this.#lockFile;
  }

  #locked<T>(budgetMs: number, work: () => T): T | undefined {
    try {
      return this.#hold(budgetMs, work)?.value;
    } catch (error) {
      throw asWriteError(error, this.#layout.journal);
    }
  }

  /** After a failure nothing known about the open segment can be relied on. */
  #hold<T>(budgetMs: number, work: () => T): { value: T } | undefined {
    try {
      return this.#lock().hold(budgetMs, work);
    } catch (error) {
      this.#forget();
      throw error;
    } finally {
      this.#options.onHeld?.();
    }
  }

  /**
   * The locked part of `append`. @returns undefined while events of this writer wait in the inbox: later ones have to wait,
   * too
   */
  protected appendLocked(events: readonly NewEvent[]): Appended | undefined {
    this.#openAndDrain();
    if (this.#waiting !== undefined) return undefined;
    const before = this.#active.tail.seq;
    const isThere = ({ id }: Prerequisite) =>
      isNearEnd(this.#ports, this.#active.tail, id) || mayBeErased(this.#ports, this.#layout, id);
    const all = withPrerequisites(events, isThere);
    const seqs = this.#write(all, 0);
    const asked = all === events ? seqs : seqs.filter((_, index) => events.includes(all[index]!));
    return { seqs: asked, written: this.#active.tail.seq - before, spooled: false };
  }

  /** The part of `append` that needs no lock. */
  protected spool(events: readonly NewEvent[]): Appended {
    // Without the lock the journal's end is unknown: send prerequisites along, their ids are checked when the inbox is taken
    // in.
    const all = withPrerequisites(events, ({ id }) => this.#active.tail?.recent.has(id) ?? false);
    for (const { putAgain } of all) putAgain?.();
    this.#waiting = spool(this.#ports, this.#layout, all, this.#waiting);
    // A running erasure may have removed the text before it saw these events.
    for (const { putAgain } of all) putAgain?.();
    return { seqs: [], written: events.length, spooled: true };
  }

  #open(): void {
    const facts = this.#active.open();
    if (facts.length === 0) return;
    for (const { repair } of facts) if (repair?.kept !== undefined) this.kept.push(repair.kept);
    const told = facts.map((fact) => factEvent(this.#ports, fact));
    this.#write(told, 0);
    sync(this.#ports, this.#active);
  }

  /** Returns how many inbox files are done with. */
  #openAndDrain(): number {
    this.#open();
    this.#inbox.look();
    if (this.#inbox.isUnchanged && this.#waiting === undefined) return 0;
    const admit = this.#admit();
    const take = (waiting: NewEvent[]) => {
      this.#write(waiting, FRAME_FLAG.fromInbox);
      sync(this.#ports, this.#active);
    };
    const nextSeq = this.#active.tail.seq + 1;
    const budget = this.#options.drain;
    const { done, left, kept } = drainInbox(
      this.#ports,
      this.#layout,
      nextSeq,
      budget,
      take,
      admit,
    );
    this.kept.push(...kept);
    this.taken += done;
    this.#inbox.seen(done === 0 && left.size === 0);
    if (this.#waiting !== undefined && !left.has(this.#waiting)) this.#waiting = undefined;
    return done;
  }

  /** Undefined where nobody can tell yet: what is being erased may wait in the inbox once more. */
  #admit(): Admit | undefined {
    const { erasureEpoch = 0, erasing } = readManifest(this.#ports, this.#layout) ?? {};
    if (erasing !== undefined) return undefined;
    return erasureEpoch > 0 ? this.#options.admission?.() : admitAll;
  }

  #write(events: readonly NewEvent[], flags: number): number[] {
    const { segmentBytes, onWritten } = this.#options;
    return writeBatch(this.#ports, this.#active, events, { flags, segmentBytes, onWritten });
  }

  #sync(): void {
    try {
      sync(this.#ports, this.#active);
    } catch (error) {
      this.#forget();
      throw error;
    }
  }

  /**
   * Closes the open segment. If its sync failed, opens the next one at once: other processes do not know, and must not
   * append to it.
   */
  #forget(): void {
    const { isDistrusted } = this.#active;
    this.#active.close();
    if (!isDistrusted) return;
    try {
      this.#lock().hold(this.#options.lockBudgetMs, () => this.#active.open());
    } catch {
      // The disk fails altogether: this writer tries again at its next append.
      this.#active.close();
    }
  }
}
