import { admitting } from '../journal/append/admission.ts';
import type { NewEvent } from '../journal/append/inbox.ts';
import { type Appended, JournalWriter, type WriterOptions } from '../journal/append/writer.ts';
import { removeUnnamed } from '../journal/erase/blobs.ts';
import { areErasedIdsOpen, erasedIds, erasedStamp } from '../journal/erase/erased-ids.ts';
import { blobReferences } from '../journal/format/blob-references.ts';
import { type Layout, layoutOf } from '../journal/format/layout.ts';
import { type Manifest, manifestStamp, readManifest } from '../journal/format/manifest.ts';
import type { JournalPorts } from '../journal/format/ports.ts';
import { JournalReader } from '../journal/read/reader.ts';
import type { Decoders } from '../platform/codecs/codecs.ts';

/** Refuses erased events: a transcript may bring them again. */
export class GuardedWriter extends JournalWriter {
  /** Seqs of erased events by their ids (hex). */
  readonly erased: () => ReadonlyMap<string, number>;
  readonly #ports: JournalPorts;
  readonly #layout: Layout;
  readonly #decoders: Decoders;
  readonly #isErasing: () => boolean;

  /** @throws as `JournalWriter` */
  constructor(ports: JournalPorts, root: string, decoders: Decoders, options: WriterOptions) {
    let [stamp, manifest] = ['', undefined as Manifest | undefined];
    let [known, ids] = ['', new Map() as ReadonlyMap<string, number>];
    const manifestNow = () => {
      const now = manifestStamp(ports, layout);
      if (now !== stamp || manifest === undefined) manifest = readManifest(ports, layout);
      stamp = now;
      return manifest;
    };
    const erased = () => {
      // Undefined without a manifest, which the next append rebuilds.
      const epoch = manifestNow()?.erasureEpoch;
      if (epoch === 0) return ids;
      // A repair may find more tombstones in the same epoch.
      const now = `${epoch} ${erasedStamp(ports, layout)}`;
      if (now === known) return ids;
      ids = erasedIds(ports, layout, reader, epoch);
      // Not final while an erasure runs.
      known = areErasedIdsOpen(ports, layout) ? '' : now;
      return ids;
    };
    super(ports, root, { ...options, admission: () => admitting(ports, erased()) });
    const layout = layoutOf(root);
    const reader = new JournalReader(ports, root, decoders);
    this.#isErasing = () => manifestNow()?.erasing !== undefined;
    this.erased = erased;
    this.#ports = ports;
    this.#layout = layout;
    this.#decoders = decoders;
  }

  /** Checked with the lock held: an erasure may have run while this process waited. */
  protected override appendLocked(events: readonly NewEvent[]): Appended | undefined {
    // An erasure was interrupted: until it is finished, events wait in the inbox.
    if (this.#isErasing()) return undefined;
    const done = this.#guarded(events, (fresh) => super.appendLocked(fresh));
    this.#removeTextsOfErased(events);
    return done;
  }

  protected override spool(events: readonly NewEvent[]): Appended {
    const spoolAny = (fresh: readonly NewEvent[]): Appended =>
      fresh.length === 0 ? { seqs: [], written: 0, spooled: false } : super.spool(fresh);
    return this.#guarded(events, spoolAny)!;
  }

  /** A writer that paused may have stored a blob after it was erased. */
  #removeTextsOfErased(events: readonly NewEvent[]): void {
    const large = events.filter(({ putAgain }) => putAgain !== undefined);
    if (large.length === 0) return;
    const admit = admitting(this.#ports, this.erased());
    const names = large
      .filter((event) => admit(event) !== event)
      .flatMap(({ payload }) => blobReferences(payload));
    removeUnnamed(this.#ports, this.#layout, this.#decoders, names, admit);
  }

  #guarded(
    events: readonly NewEvent[],
    append: (fresh: readonly NewEvent[]) => Appended | undefined,
  ): Appended | undefined {
    const erased = this.erased();
    if (erased.size === 0) return append(events);
    const known = events.map((event) => erased.get(event.id.toString('hex')));
    const admit = admitting(this.#ports, erased);
    const done = append(events.flatMap((event) => admit(event) ?? []));
    if (done === undefined || done.spooled) return done;
    const given = done.seqs.values();
    return { ...done, seqs: known.map((seq) => seq ?? given.next().value!) };
  }
}
