import { errno } from '../../platform/errors.ts';
import { FRAME_FLAG, SEGMENT_BYTES_DEFAULT } from '../format/format.ts';
import type { Layout } from '../format/layout.ts';
import type { JournalPorts } from '../format/ports.ts';
import { ActiveSegment } from './active.ts';
import { writeBatch } from './batch.ts';
import { type Admit, drainInbox } from './drain.ts';
import { listInbox, type NewEvent, readSpool } from './inbox.ts';
import { factEvent } from './own-events.ts';
import { sync } from './syncing.ts';

/** Of the inbox, what is made durable at once. */
const DRAIN = { events: 4096, milliseconds: 10_000 };

/** The journal for the holder of its lock, who must not release it between two appends. */
export class LockedJournal {
  readonly #ports: JournalPorts;
  readonly #layout: Layout;
  readonly #active: ActiveSegment;

  constructor(ports: JournalPorts, layout: Layout) {
    this.#ports = ports;
    this.#layout = layout;
    this.#active = new ActiveSegment(ports, layout);
  }

  /** Looks at the end of the journal again, and makes it good. */
  open(): void {
    const facts = this.#active.open();
    const told = facts.map((fact) => factEvent(this.#ports, fact));
    this.#write(told, 0);
  }

  /** Takes in all of the inbox that can be read. */
  drain(admit: Admit): void {
    for (let done = 1; done > 0; ) {
      this.open();
      const nextSeq = this.#active.tail.seq + 1;
      const take = (waiting: NewEvent[]) => void this.#write(waiting, FRAME_FLAG.fromInbox);
      done = drainInbox(this.#ports, this.#layout, nextSeq, DRAIN, take, admit).done;
    }
  }

  /** Names of inbox files that cannot be read now, or by this version. */
  unreadable(): string[] {
    return listInbox(this.#ports, this.#layout).filter((name) => {
      try {
        // A readable file arrived after the drain: hooks do not wait for the lock.
        return readSpool(this.#ports, `${this.#layout.inbox}/${name}`) === 'later';
      } catch (error) {
        return errno(error) !== 'ENOENT';
      }
    });
  }

  /** The seq that the next event is going to have. */
  nextSeq(): number {
    this.open();
    return this.#active.tail.seq + 1;
  }

  /** Appends events; they are on the disk when it returns. */
  append(events: readonly NewEvent[]): number[] {
    this.open();
    return this.#write(events, 0);
  }

  /** Makes durable what somebody else appended who may have died before. Call when it is open. */
  makeDurable(): void {
    this.#leavingDistrusted(() => sync(this.#ports, this.#active));
  }

  #write(events: readonly NewEvent[], flags: number): number[] {
    const { length } = events;
    if (length === 0) return [];
    const options = { flags, segmentBytes: SEGMENT_BYTES_DEFAULT };
    return this.#leavingDistrusted(() => {
      const seqs = writeBatch(this.#ports, this.#active, events, options);
      sync(this.#ports, this.#active);
      return seqs;
    });
  }

  /** After a failed sync, opens the next segment at once: other processes do not know, and must not append to this one. */
  #leavingDistrusted<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      const { isDistrusted } = this.#active;
      this.close();
      if (isDistrusted) this.#openNext();
      throw error;
    }
  }

  #openNext(): void {
    try {
      this.#active.open();
    } catch {
      // The disk fails altogether: who comes by next tries again.
      this.close();
    }
  }

  /** Lets go of the segment's file: somebody replaced it, or the work is done. */
  close(): void {
    this.#active.close();
  }
}
