import { putBlob } from '../../src/journal/append/blobs.ts';
import type { NewEvent } from '../../src/journal/append/inbox.ts';
import { type Appended, JournalWriter } from '../../src/journal/append/writer.ts';
import { eraseEvents } from '../../src/journal/erase/erase.ts';
import { blobReferences } from '../../src/journal/format/blob-references.ts';
import { typeTag } from '../../src/journal/format/envelope.ts';
import { layoutOf } from '../../src/journal/format/layout.ts';
import { readManifest } from '../../src/journal/format/manifest.ts';
import type { JournalPorts } from '../../src/journal/format/ports.ts';
import { JournalReader } from '../../src/journal/read/reader.ts';
import { compactJournal } from '../../src/journal/seal/compact.ts';
import type { Codecs } from '../../src/journal/seal/compact-segment.ts';
import { LEVEL_COMPACT, LEVEL_SEAL } from '../../src/journal/seal/seal.ts';
import { verifyJournal } from '../../src/journal/verify/verify.ts';
import { Ben10Error } from '../../src/platform/errors.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import type { Projection } from '../../src/projections/contract.ts';
import { context } from '../../src/projections/folds/context.ts';
import { dropOld } from '../../src/timetravel/retention/retention.ts';
import { projectOn } from '../project-on.ts';
import { type Account, type Erasure, newAccount } from './account.ts';
import { SimDisk } from './disk.ts';
import { canaryOf, newBesideEvent, newSimEvent, oldestEvent } from './events.ts';
import { findAll, idsOf } from './found.ts';
import { emptyImage, type Image, ROOT } from './image.ts';
import { decoders, SIM_ROOT, type SimProcess, startProcess } from './process.ts';
import { saveContext } from './saving.ts';
import { SESSION, statesOf, TYPE, tally } from './tally.ts';

const TAG = typeTag(TYPE, xxh64);

/** What a workload is made of, one letter each. */
export const OPERATIONS = {
  p: 'append of class process',
  i: 'append of class interval',
  d: 'append of class disk',
  b: 'batch of three, one of them larger than a segment',
  s: 'append that finds the lock taken and spools (process, interval, then disk)',
  n: 'drain of the inbox',
  r: 'rotate',
  c: 'seal: what is closed, quickly; sweep',
  m: 'compact: what is closed or was sealed quickly is packed anew, in its place; sweep',
  k: 'checkpoint of a projection',
  w: 'save of the context under a name: its file, then its event',
  o: 'six states stored, the oldest of which are dropped: as many as that are not kept',
  e: 'erase the oldest event that is left, by its seq',
  x: 'rotate, then drop every event of before for its age, behind the states of then',
} as const;
export type Letter = keyof typeof OPERATIONS;
/** Operations that only some harnesses run. */
export const MORE = {
  v: 'verify, beside whatever goes on',
  t: 'append of an event whose text lies beside the journal',
  a: 'append of every event again that is not there any more, as an import does',
} as const;
export type MoreLetter = Letter | keyof typeof MORE;
export const LETTERS = Object.keys(OPERATIONS) as Letter[];

/** A handful of small events: so that a workload of four operations rotates. */
export const SEGMENT_BYTES = 1536;
export const LARGE_CHARS = 5000;
/** Five are kept, and the newest of each segment: a segment of this workload has four or five events. */
const STATES_STORED = 6;
/** When a workload begins, milliseconds since the epoch. */
export const START = 1_795_250_000_000;
/** Between two operations: after three of them the last sync is old. */
const STEP_MS = 400;

/**
 * Who appends.
 * - `server`: one process does everything, with one writer that stays open
 * - `hooks`: each operation is a process of its own
 */
export type Style = 'server' | 'hooks';

/** A simulated machine on which operations run one after the other, and what is known of them. */
export class World {
  readonly disk: SimDisk;
  readonly account: Account;
  /** What was wrong while it went on. */
  readonly complaints: string[] = [];
  readonly #codecs: Codecs;
  readonly #seed: number;
  readonly #sent = new Map<number, number>();
  /** Drops that are going on. */
  readonly #dropping = new Set<{ ids: string[] }>();
  readonly #writers = new Map<number, { process: SimProcess; writer: JournalWriter }>();

  constructor(
    codecs: Codecs,
    seed: number,
    image = freshImage(),
    account = newAccount(),
    now = START,
  ) {
    // Whatever the image has is from before the machine was started.
    this.disk = new SimDisk(image, now, now);
    this.account = account;
    this.#codecs = codecs;
    this.#seed = seed;
  }

  /** Runs one operation to its end in the process of that number, which is started when it is not running. */
  run(letter: MoreLetter, number: number): void {
    const { process, writer } = this.#of(number);
    const { ports } = process;
    if (letter === 'p') this.#append(number, [newSimEvent('p', 'process')]);
    if (letter === 'i') this.#append(number, [newSimEvent('i', 'interval')]);
    if (letter === 'd') this.#append(number, [newSimEvent('d', 'disk')]);
    if (letter === 'b')
      this.#append(number, [
        newSimEvent('b', 'process'),
        newSimEvent('b', 'process', LARGE_CHARS),
        newSimEvent('b', 'interval'),
      ]);
    if (letter === 's') {
      process.isLockedOut = true;
      this.#append(number, [newSimEvent('s', 'process')]);
      this.#append(number, [newSimEvent('s', 'interval')]);
      this.#append(number, [newSimEvent('s', 'disk')]);
      process.isLockedOut = false;
    }
    if (letter === 'v') this.#verify(ports);
    if (letter === 't') this.#appendBeside(number);
    if (letter === 'a') this.#tellAgain(number);
    if (letter === 'n') writer.drain();
    if (letter === 'r') writer.rotate(0);
    if (letter === 'c') compactJournal(ports, SIM_ROOT, this.#codecs, { level: LEVEL_SEAL });
    if (letter === 'm') compactJournal(ports, SIM_ROOT, this.#codecs, { level: LEVEL_COMPACT });
    if (letter === 'k') statesOf(ports, true).checkpoint(tally, SESSION);
    if (letter === 'w') this.#save(number);
    if (letter === 'o') this.#storeStates(number);
    if (letter === 'e') this.#erase(ports);
    if (letter === 'x') this.#drop(number);
    this.disk.now += STEP_MS;
  }

  /** Nothing is saved where nothing was recorded yet. */
  #save(number: number): void {
    const { process, writer } = this.#of(number);
    const recording = {
      append: (events: readonly NewEvent[]) => this.#append(number, events),
      drain: () => writer.drain(),
    };
    saveContext(process.ports, recording, SESSION);
  }

  /** One more than are kept of one segment, and one to make it so. */
  #storeStates(number: number): void {
    for (let count = 0; count < STATES_STORED; count += 1) {
      this.#append(number, [newSimEvent('o', 'process')]);
      statesOf(this.#of(number).process.ports, true).checkpoint(tally, SESSION);
    }
  }

  #erase(ports: JournalPorts): void {
    const { erasures } = this.account;
    let own: Erasure | undefined;
    const choose = () => {
      const reader = new JournalReader(ports, SIM_ROOT, decoders);
      const oldest = oldestEvent(reader);
      if (oldest === undefined) return { by: 'event' as const, events: [], blobs: [], files: [] };
      own = { ids: [oldest.id], asked: this.disk.log.length };
      erasures.push(own);
      const origin = reader.origin()!;
      const events = oldest.seqs.map((seq) => ({ origin, seq }));
      return { by: 'event' as const, events, blobs: [], files: [] };
    };
    eraseEvents(ports, SIM_ROOT, this.#codecs, choose);
    if (own !== undefined) own.done = this.disk.log.length;
  }

  #drop(number: number): void {
    const { process, writer } = this.#of(number);
    writer.drain();
    writer.rotate(0);
    const { ports } = process;
    // What waits in the inbox may come into the journal before the drop has looked.
    const drop = { ids: [...this.account.attempted.keys()], asked: this.disk.log.length };
    this.account.drops.push(drop);
    this.#dropping.add(drop);
    const project = projectOn(ports, SIM_ROOT, writer);
    const based = { project: [], session: [context, tally] as unknown as Projection[] };
    try {
      dropOld(project, 0, this.#codecs, based);
    } catch (error) {
      // Nothing is dropped of a journal of which a loss of power has left a part that nobody has put right yet. A repaired one is whole.
      if (this.account.losses !== undefined) throw error;
      if (!(error instanceof Ben10Error) || error.code !== 'JOURNAL_DAMAGED') throw error;
    } finally {
      this.#dropping.delete(drop);
    }
  }

  /** The writer has opened the journal before: without its key no text lies beside it. */
  #appendBeside(number: number): void {
    const { process, writer } = this.#of(number);
    writer.drain();
    const { blobKey } = readManifest(process.ports, layoutOf(SIM_ROOT))!;
    const put = (text: string) =>
      putBlob(process.ports, layoutOf(SIM_ROOT), blobKey, Buffer.from(text));
    this.#append(number, [newBesideEvent('t', put)]);
  }

  /** What somebody erased is not told again, nor what has its text beside the journal: that may be lost with it. */
  #tellAgain(number: number): void {
    const { attempted, erasures } = this.account;
    const there = idsOf(findAll(this.#of(number).process.ports));
    const erased = new Set(erasures.flatMap(({ ids }) => ids));
    const events = [...attempted].flatMap(([id, { canary, durability, payload }]): NewEvent[] => {
      const isTold = canary !== undefined && blobReferences(payload).length === 0;
      if (there.has(id) || erased.has(id) || !isTold) return [];
      return [{ id: Buffer.from(id, 'hex'), typeTag: TAG, payload, durability }];
    });
    if (events.length > 0) this.#append(number, events);
  }

  /** Beside whatever goes on: an append in flight is no damage. */
  #verify(ports: JournalPorts): void {
    for (const { kind, segment, offset } of verifyJournal(ports, SIM_ROOT, decoders).damage)
      this.complaints.push(`verify beside others: ${kind} in ${segment} at ${offset}`);
  }

  #append(number: number, events: readonly NewEvent[]): Appended {
    for (const { id, payload, durability } of events) {
      const sent = this.#sent.get(number) ?? 0;
      this.#sent.set(number, sent + 1);
      // Somebody may end the segment that it comes into before the drop has looked.
      for (const drop of this.#dropping) drop.ids.push(id.toString('hex'));
      this.account.attempted.set(id.toString('hex'), {
        process: number,
        number: sent,
        durability,
        payload,
        ...canaryOf(payload),
      });
    }
    const since = this.disk.now;
    const appended = this.#of(number).writer.append(events);
    const { spooled } = appended;
    for (const { id, durability } of events)
      this.account.acknowledged.push({
        id: id.toString('hex'),
        durability,
        since,
        time: this.disk.now,
        at: this.disk.log.length,
        spooled,
      });
    return appended;
  }

  #of(number: number): { process: SimProcess; writer: JournalWriter } {
    let found = this.#writers.get(number);
    if (found === undefined) {
      const process = startProcess(this.disk, number, this.#seed);
      const options = { lockBudgetMs: 50, segmentBytes: SEGMENT_BYTES };
      found = { process, writer: new JournalWriter(process.ports, SIM_ROOT, options) };
      this.#writers.set(number, found);
    }
    return found;
  }
}

/** An empty project, all of it on disk. */
export function freshImage(): Image {
  const image = emptyImage();
  image.folders.get(ROOT)!.set('project', ROOT + 1);
  image.folders.set(ROOT + 1, new Map());
  return image;
}
