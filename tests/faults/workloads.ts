import { putBlob } from '../../src/journal/append/blobs.ts';
import type { NewEvent } from '../../src/journal/append/inbox.ts';
import { spool } from '../../src/journal/append/inbox.ts';
import { JournalWriter, type WriterOptions } from '../../src/journal/append/writer.ts';
import { eraseEvents } from '../../src/journal/erase/erase.ts';
import type { Durability } from '../../src/journal/format/durability.ts';
import { SEGMENT } from '../../src/journal/format/format.ts';
import { layoutOf } from '../../src/journal/format/layout.ts';
import { ensureManifest } from '../../src/journal/format/manifest.ts';
import { repairJournal } from '../../src/journal/repair/repair.ts';
import { compactJournal } from '../../src/journal/seal/compact.ts';
import { lz4Codec, unlz4 } from '../../src/platform/codecs/lz4.ts';
import { unzstd } from '../../src/platform/codecs/zstd-read.ts';
import { CheckpointStore } from '../../src/projections/checkpoints.ts';
import type { Frontier } from '../../src/projections/frontier.ts';
import type { Chance } from '../damage/chance.ts';
import { payloadOf, ROOT } from '../damage/corpus.ts';
import type { MemoryFs } from '../damage/memory-fs.ts';
import { PROJECT_WORKLOADS } from './project-workloads.ts';
import type { Work, Workload } from './work.ts';

export const decoders = { lz4: unlz4, zstd: unzstd };
const layout = layoutOf(ROOT);

export const newEvent = (chance: Chance, durability: Durability, bytes = 40): NewEvent => ({
  id: chance.bytes(16),
  typeTag: 7,
  payload: payloadOf({ text: chance.bytes(bytes) }),
  durability,
});

function withWriter(
  work: Work,
  use: (writer: JournalWriter) => void,
  options: Partial<WriterOptions> = {},
): void {
  const writer = new JournalWriter(work.ports, ROOT, { lockBudgetMs: 0, ...options });
  try {
    use(writer);
  } finally {
    writer.close();
  }
}

/** Appends one batch, and notes that it was acknowledged. */
function append(work: Work, writer: JournalWriter, events: NewEvent[]): void {
  writer.append(events);
  work.acknowledged.push(...events);
}

const appending = (durability: Durability) => (work: Work) =>
  withWriter(work, (writer) => {
    for (let n = 0; n < 3; n += 1) append(work, writer, [newEvent(work.chance, durability)]);
  });

export const FRONTIER: Frontier = {
  seq: 2,
  folded: [],
  last: 2,
  place: null,
  reached: [],
  recent: [],
};

/** Two closed segments and one with a few events. */
function threeSegments(work: Work): void {
  withWriter(work, (writer) => {
    for (let n = 0; n < 3; n += 1) {
      if (n > 0) writer.rotate(0);
      append(work, writer, [newEvent(work.chance, 'disk'), newEvent(work.chance, 'disk')]);
    }
  });
}

const segmentsIn = (fs: MemoryFs): string[] =>
  [...fs.image().files.keys()].filter((one) => one.endsWith('.b10')).sort();

const repair = (work: Work): void => {
  repairJournal(work.ports, ROOT, decoders);
};

export const WORKLOADS: readonly Workload[] = [
  { name: 'first start', prepare: () => undefined, run: appending('interval') },
  { name: 'append, process', prepare: threeSegments, run: appending('process') },
  { name: 'append, interval', prepare: threeSegments, run: appending('interval') },
  { name: 'append, disk', prepare: threeSegments, run: appending('disk') },
  {
    name: 'batch over several segments',
    prepare: threeSegments,
    run: (work) =>
      withWriter(
        work,
        (writer) => {
          const events = Array.from({ length: 8 }, () => newEvent(work.chance, 'disk', 700));
          append(work, writer, events);
        },
        { segmentBytes: 2048 },
      ),
  },
  {
    name: 'rotate',
    prepare: threeSegments,
    run: (work) =>
      withWriter(work, (writer) => {
        writer.rotate(0);
        append(work, writer, [newEvent(work.chance, 'disk')]);
      }),
  },
  {
    name: 'drain',
    prepare: (work) => {
      threeSegments(work);
      for (let n = 0; n < 3; n += 1) {
        const waiting = [newEvent(work.chance, 'disk'), newEvent(work.chance, 'process')];
        spool(work.ports, layout, waiting);
        work.acknowledged.push(...waiting);
      }
    },
    run: (work) =>
      withWriter(work, (writer) => {
        writer.drain();
        append(work, writer, [newEvent(work.chance, 'process')]);
      }),
  },
  {
    name: 'torn tail',
    prepare: (work, fs) => {
      threeSegments(work);
      const newest = segmentsIn(fs).at(-1)!;
      fs.rot(newest, Buffer.concat([fs.bytesOf(newest), Buffer.from('half of a frame')]));
    },
    run: appending('disk'),
  },
  {
    name: 'compact',
    prepare: threeSegments,
    run: (work) => {
      compactJournal(work.ports, ROOT, { zstd: work.makers.zstd, decoders });
    },
  },
  {
    name: 'repair',
    prepare: (work, fs) => {
      threeSegments(work);
      const oldest = segmentsIn(fs)[0]!;
      const bytes = Buffer.from(fs.bytesOf(oldest));
      bytes.fill(0, 300, 330);
      fs.rot(oldest, bytes);
      // The event that was damaged is no longer promised by anybody.
      work.acknowledged.shift();
    },
    run: repair,
  },
  {
    name: 'repair of lost headers',
    prepare: (work, fs) => {
      threeSegments(work);
      for (const file of segmentsIn(fs).slice(0, 2)) {
        const bytes = Buffer.from(fs.bytesOf(file));
        bytes.fill(0, 0, SEGMENT.salt);
        fs.rot(file, bytes);
      }
    },
    run: repair,
    isRepairedAfter: true,
  },
  {
    name: 'erase',
    prepare: (work) => {
      threeSegments(work);
      spool(work.ports, layout, [newEvent(work.chance, 'disk')]);
      work.origin = ensureManifest(work.ports, layout).origin;
    },
    run: (work) => {
      // Of a closed segment and of the newest; what stays of them are their ids.
      eraseEvents(work.ports, ROOT, { zstd: work.makers.zstd, decoders }, () => ({
        by: 'event',
        events: [1, 6].map((seq) => ({ origin: work.origin!, seq })),
        blobs: [],
        files: [],
      }));
    },
  },
  {
    name: 'checkpoint',
    prepare: threeSegments,
    run: (work) => {
      const store = new CheckpointStore(work.ports, layout, { lz4: lz4Codec, decoders }, 0);
      store.save({ name: 'counts', version: 1 }, null, { n: 1 }, FRONTIER);
    },
  },
  {
    name: 'blob',
    prepare: threeSegments,
    run: (work) => {
      const { blobKey } = ensureManifest(work.ports, layout);
      putBlob(work.ports, layout, blobKey, work.chance.bytes(3000));
    },
  },
  ...PROJECT_WORKLOADS,
];
