import type { Decoders } from '../platform/codecs/codecs.ts';
import { errno } from '../platform/errors.ts';
import { getBlob, listBlobs } from './blobs.ts';
import { hintPath, readHint } from './hint.ts';
import { HistoryWalk } from './history-walk.ts';
import { listInbox } from './inbox.ts';
import { layoutOf, listOrigin, listOrigins, type SegmentFile } from './layout.ts';
import { readManifest } from './manifest.ts';
import { ownOrigin } from './origins.ts';
import type { JournalPorts } from './ports.ts';
import type { Damage } from './scan.ts';
import { verifySegment } from './verify-segment.ts';

export interface Verification {
  ok: boolean;
  events: number;
  segments: number;
  /** Of the own origin; null in an empty journal. */
  firstSeq: number | null;
  lastSeq: number | null;
  /** Chain of the last event, hex: note it somewhere else and a cut tail can be noticed. */
  head: string | null;
  /** Files in the inbox that wait for a seq. */
  waiting: number;
  blobs: number;
  /** `segment` is a file's name, behind its origin's where that is another one. */
  damage: (Damage & { segment: string })[];
}

/**
 * Checks every checksum, every commitment and the whole chain, of each origin by itself. Takes no lock but for a
 * moment, to tell an append in flight from a torn tail.
 * @param progress hears of the bytes done and the bytes there are
 * @throws Ben10Error JOURNAL_FOREIGN, FS_PERMISSION_DENIED
 */
export function verifyJournal(
  ports: JournalPorts,
  root: string,
  decoders: Decoders,
  progress: (done: number, all: number) => void = () => undefined,
): Verification {
  const layout = layoutOf(root);
  const journalId = readManifest(ports, layout)?.journalId;
  const own = ownOrigin(ports, layout);
  const origins = listOrigins(ports.fs, layout).map((origin) => ({
    origin,
    walk: new HistoryWalk(),
    // Before the listing: the journal must reach at least as far as it was synced then.
    hint: readHint(ports, hintPath(layout, origin)),
    files: listOrigin(ports.fs, layout, origin),
  }));
  const sizes = origins.map(({ files }) => files.map((file) => sizeOf(ports, file)));
  const all = sizes.flat().reduce((sum, size) => sum + size, 0);
  let done = 0;
  for (const [number, { files, walk, hint }] of origins.entries()) {
    for (const [index, file] of files.entries()) {
      const target = { file, isNewest: index === files.length - 1, journalId };
      verifySegment(ports, layout, walk, target, decoders);
      done += sizes[number]![index]!;
      progress(done, all);
    }
    walk.finish(hint.syncedUpto);
  }
  const walk = origins.find(({ origin }) => origin === own)?.walk;
  const blobs = listBlobs(ports, layout);
  const damage = [
    ...origins.flatMap((one) =>
      one.walk.damage.map((damaged) => ({
        ...damaged,
        segment: one.origin === own ? damaged.segment : `${one.origin}/${damaged.segment}`,
      })),
    ),
    ...damagedBlobs(blobs.filter((name) => getBlob(ports, layout, name, decoders) === undefined)),
  ];
  return {
    ok: damage.length === 0,
    events: origins.reduce((sum, one) => sum + one.walk.events, 0),
    segments: sizes.flat().length,
    firstSeq: walk?.firstSeq ?? null,
    lastSeq: walk?.lastSeq ?? null,
    head: walk?.head ?? null,
    waiting: listInbox(ports, layout).length,
    blobs: blobs.length,
    damage,
  };
}

const damagedBlobs = (names: string[]): Verification['damage'] =>
  names.map((name) => ({
    segment: `blobs/${name}`,
    kind: 'blob',
    offset: 0,
    bytes: 0,
    firstSeq: null,
    lastSeq: null,
  }));

function sizeOf(ports: JournalPorts, file: SegmentFile): number {
  try {
    return ports.fs.stat(file.path).size;
  } catch (error) {
    if (errno(error) !== 'ENOENT') throw error;
    return 0; // compacted away meanwhile
  }
}
