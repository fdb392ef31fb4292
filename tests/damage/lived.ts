import { admissionOf } from '../../src/journal/append/admission.ts';
import { putBlob } from '../../src/journal/append/blobs.ts';
import { type NewEvent, spool } from '../../src/journal/append/inbox.ts';
import { JournalWriter } from '../../src/journal/append/writer.ts';
import { eraseEvents } from '../../src/journal/erase/erase.ts';
import type { Durability } from '../../src/journal/format/durability.ts';
import { FRAME_KIND } from '../../src/journal/format/format.ts';
import type { Entry } from '../../src/journal/format/frame.ts';
import { layoutOf } from '../../src/journal/format/layout.ts';
import { ensureManifest } from '../../src/journal/format/manifest.ts';
import type { JournalPorts } from '../../src/journal/format/ports.ts';
import { JournalReader } from '../../src/journal/read/reader.ts';
import { compactJournal } from '../../src/journal/seal/compact.ts';
import type { Chance } from './chance.ts';
import { payloadOf } from './entries.ts';
import { type Makers, ROOT } from './journal.ts';

const layout = layoutOf(ROOT);
const DURABILITIES: readonly Durability[] = ['process', 'interval', 'disk'];
const BLOB_BYTES = 3000;

/** What happens to a journal in its life, by chance, and what was promised meanwhile. Ids are hex. */
export class Life {
  /** All that was ever handed over, its payload by its id. */
  readonly written = new Map<string, Buffer>();
  readonly acknowledged = new Set<string>();
  readonly erased = new Set<string>();
  readonly #chance: Chance;
  readonly #codecs;
  readonly #acts: readonly ((ports: JournalPorts) => void)[];

  constructor(
    chance: Chance,
    { zstd }: Makers,
    decoders: ConstructorParameters<typeof JournalReader>[2],
  ) {
    this.#chance = chance;
    this.#codecs = { zstd, decoders };
    const append = (ports: JournalPorts) => this.append(ports);
    this.#acts = [
      ...[append, append, append],
      (ports) => this.#withWriter(ports, (writer) => writer.rotate(0)),
      (ports) => this.#withWriter(ports, (writer) => writer.drain()),
      (ports) => void compactJournal(ports, ROOT, this.#codecs),
      (ports) => this.#spool(ports),
      (ports) => this.#putBeside(ports),
      (ports) => this.#erase(ports),
    ];
  }

  /** One of all that there is to do. */
  act(ports: JournalPorts): void {
    this.#chance.pick(this.#acts)(ports);
  }

  append(ports: JournalPorts): void {
    const count = this.#chance.between(1, 4);
    const events = Array.from({ length: count }, () =>
      this.#event({ text: this.#chance.bytes(this.#chance.pick([10, 60, 900])) }),
    );
    this.#withWriter(ports, (writer) => writer.append(events));
    this.#acknowledge(events);
  }

  read(ports: JournalPorts): Entry[] {
    const { decoders } = this.#codecs;
    return [...new JournalReader(ports, ROOT, decoders).entries()].flatMap(
      ({ entry }) => entry ?? [],
    );
  }

  /** Whether it is what was handed over under its id, a tombstone, or an event of the journal's own. */
  isTrue({ id, kind, payload }: Entry): boolean {
    const given = this.written.get(id.toString('hex'));
    return given === undefined || kind === FRAME_KIND.tombstone || given.equals(payload);
  }

  #event(data: unknown): NewEvent {
    const payload = payloadOf(data);
    const id = this.#chance.bytes(16);
    this.written.set(id.toString('hex'), payload);
    return { id, typeTag: 7, payload, durability: this.#chance.pick(DURABILITIES) };
  }

  #acknowledge(events: readonly NewEvent[]): void {
    for (const { id } of events) this.acknowledged.add(id.toString('hex'));
  }

  #withWriter(ports: JournalPorts, work: (writer: JournalWriter) => unknown): void {
    const admission = () => admissionOf(ports, layout, this.#codecs.decoders);
    const writer = new JournalWriter(ports, ROOT, { lockBudgetMs: 0, admission });
    try {
      work(writer);
    } finally {
      writer.close();
    }
  }

  /** As hooks do that find no lock. */
  #spool(ports: JournalPorts): void {
    const events = [this.#event({ waits: true })];
    spool(ports, layout, events);
    this.#acknowledge(events);
  }

  #putBeside(ports: JournalPorts): void {
    const { blobKey } = ensureManifest(ports, layout);
    const $blob = putBlob(ports, layout, blobKey, this.#chance.bytes(BLOB_BYTES));
    const events = [this.#event({ output: { $blob, bytes: BLOB_BYTES, head: '' } })];
    this.#withWriter(ports, (writer) => writer.append(events));
    this.#acknowledge(events);
  }

  #erase(ports: JournalPorts): void {
    const mine = this.read(ports).filter(
      ({ id, kind }) => kind === FRAME_KIND.event && this.written.has(id.toString('hex')),
    );
    if (mine.length === 0) return;
    const { seq, id } = this.#chance.pick(mine);
    const { origin } = ensureManifest(ports, layout);
    const events = [{ origin, seq }];
    eraseEvents(ports, ROOT, this.#codecs, () => ({ by: 'event', events, blobs: [], files: [] }));
    this.erased.add(id.toString('hex'));
  }
}
