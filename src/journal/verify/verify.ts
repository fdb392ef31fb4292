import type { Decoders } from '../../platform/codecs/codecs.ts';
import { errno } from '../../platform/errors.ts';
import { summedRoom } from '../../platform/summed-room.ts';
import { blobPath, listBlobs } from '../append/blobs.ts';
import { listInbox, readSpool } from '../append/inbox.ts';
import { isMisplaced } from '../append/misplaced-manifest.ts';
import { hintPath, readHint } from '../format/hint.ts';
import {
  isForeign,
  type Layout,
  layoutOf,
  listOrigin,
  listOrigins,
  originDir,
  type SegmentFile,
  segmentName,
  segmentPath,
} from '../format/layout.ts';
import { readManifest } from '../format/manifest.ts';
import type { JournalPorts } from '../format/ports.ts';
import { formerOriginsIn } from '../read/headers.ts';
import { HistoryWalk } from '../read/history-walk.ts';
import { homeOf } from '../read/origins.ts';
import { isPassedBy, passingBy, type Refused, refusalOf } from '../read/refused.ts';
import { oneRoom } from '../read/room.ts';
import type { Damage } from '../read/scan.ts';
import { withoutStrays } from '../read/stray.ts';
import { damagedBlobs } from './blobs.ts';
import { type RecordedLoss, RecordedLosses } from './gaps.ts';
import { verifySegment, type Walked } from './segment.ts';

/**
 * `segment` is a file's name, after the origin and a slash if that is not the own one. A `refused` file is there but may not be
 * read, so it may or may not be damaged.
 */
export type Damaged = Damage & { segment: string; refused?: Refused };

export interface Verification {
  ok: boolean;
  events: number;
  segments: number;
  /** Of the own origin; null if the journal is empty. */
  firstSeq: number | null;
  lastSeq: number | null;
  /** Chain of the last event, hex. Noted somewhere else, it shows whether later the end was cut off. */
  head: string | null;
  /** Files in the inbox. */
  waiting: number;
  blobs: number;
  /**
   * Raw segments whose sealed form is there, too: a compaction was interrupted. Nothing reads them, and the next compaction removes
   * them if the sealed form is sound.
   */
  leftovers: string[];
  /**
   * The manifest is sound, but another journal's, or from before this one was copied. No segment is read then. That is damage, but
   * no event is lost.
   */
  isManifestOfAnother: boolean;
  /** Losses of the own origin that repairs recorded. They no longer count as damage. */
  losses: RecordedLoss[];
  /** Files of a later version that readers skip: no damage. */
  passed: string[];
  damage: Damaged[];
}

/**
 * Checks every checksum, every commitment and the whole chain of each origin. Takes the lock only to tell an append in flight from a
 * torn tail. Skips files that may not be read, and reports them.
 * @param progress gets the bytes done and all bytes
 * @throws Ben10Error JOURNAL_UNSAFE, JOURNAL_FOREIGN
 */
export function verifyJournal(
  given: JournalPorts,
  root: string,
  decoders: Decoders,
  progress: (done: number, all: number) => void = () => undefined,
): Verification {
  const ports = passingBy(given);
  const layout = layoutOf(root);
  const home = homeOf(ports, layout);
  const own = home?.origin;
  // Only its segments tell where another origin's folder was copied from.
  const originsIn = (origin: string) =>
    origin === own ? home!.origins : [...formerOriginsIn(ports, layout, origin), origin];
  const origins = listOrigins(ports.fs, layout).map((origin) => ({
    origin,
    walk: new HistoryWalk(),
    losses: new RecordedLosses(ports.xxh64),
    // Read before the listing: the journal must reach at least as far as it was synced.
    hint: readHint(ports, hintPath(layout, origin)),
    files: listOrigin(ports.fs, layout, origin, {
      journalId: home?.journalId,
      origins: originsIn(origin),
    }),
  }));
  const sizes = origins.map(({ files }) =>
    // 0 if it was compacted away since.
    files.map((file) => ports.fs.statIfThere(file.path)?.size ?? 0),
  );
  const { room, xxh64 } = summedRoom(ports.xxh64) ?? { room: oneRoom(), xxh64: ports.xxh64 };
  const looking = { ...ports, xxh64 };
  let [segments, all, done] = [0, 0, 0];
  for (const each of sizes) {
    segments += each.length;
    for (const size of each) all += size;
  }
  const isDone = (origin: number, file: number) => {
    done += sizes[origin]![file]!;
    progress(done, all);
  };
  for (const [number, walked] of origins.entries()) {
    const { files, walk, hint } = walked;
    const segmentsIn = withoutStrays(ports, layout, files, hint.syncedUpto);
    for (const [index, file] of segmentsIn.entries()) {
      const isNewest = index === segmentsIn.length - 1;
      verifySegment(looking, layout, walked, file, isNewest, decoders, room);
      isDone(number, index);
    }
    walk.finish(hint.syncedUpto);
    for (const [index, stray] of files.entries()) {
      if (index < segmentsIn.length) continue;
      walk.enter(segmentName(stray));
      walk.lost({ kind: 'segment-header', ...wholeFile(ports, stray.path) });
      isDone(number, index);
    }
  }
  const { walk, losses } = origins.find(({ origin }) => origin === own) ?? {};
  const inbox = listInbox(ports, layout);
  const spools = inbox.map((name) => [`inbox/${name}`, stateOf(ports, `${layout.inbox}/${name}`)]);
  const spoolsIn = (state: string): string[] =>
    spools.flatMap(([name, found]) => (found === state ? [name!] : []));
  const blobs = listBlobs(ports, layout);
  const named = origins.flatMap((one) => [...one.walk.blobs.keys()]);
  // The manifest may have been made meanwhile.
  const manifest = home?.manifest ?? readManifest(ports, layout);
  const isManifestOfAnother = manifest !== undefined && isMisplaced(ports, layout, manifest);
  const laterBlobs: string[] = [];
  const damage = [
    ...origins.flatMap((one) => damageOf(one, one.origin === own)),
    ...(manifest === undefined || isManifestOfAnother
      ? lostManifest(ports, layout, segments > 0)
      : []),
    ...spoolsIn('damaged').map((segment): Damaged => {
      const place = wholeFile(ports, `${layout.journal}/${segment}`);
      return { segment, kind: 'inbox', ...place };
    }),
    ...damagedBlobs(ports, layout, decoders, new Set([...blobs, ...named]), {
      blobKey: manifest?.isRebuilt === true ? undefined : manifest?.blobKey,
      of: (name) => walk?.blobs.get(name),
      pass: (segment) => laterBlobs.push(segment),
      isRecorded: (damaged) => losses?.covers(damaged) === true,
    }),
  ];
  return {
    ok: damage.length === 0,
    events: origins.reduce((sum, one) => sum + one.walk.events, 0),
    segments,
    firstSeq: walk?.firstSeq ?? null,
    lastSeq: walk?.lastSeq ?? null,
    head: walk?.head ?? null,
    waiting: inbox.length,
    blobs: blobs.length,
    leftovers: origins.flatMap(({ origin, files }) =>
      files
        .filter((file) => hasTwin(ports, layout, file))
        .map((file) => segmentName({ path: twinOf(layout, file) }))
        .map((name) => (origin === own ? name : `${origin}/${name}`)),
    ),
    isManifestOfAnother,
    losses: losses?.all ?? [],
    passed: [
      ...origins.flatMap(({ origin, walk: { passed } }) =>
        passed.map((name) => (origin === own ? name : `${origin}/${name}`)),
      ),
      ...spoolsIn('later'),
      ...laterBlobs,
    ],
    damage: damage.map((one) => withRefusal(ports, layout, own, one)),
  };
}

function withRefusal(
  ports: JournalPorts,
  layout: Layout,
  own: string | undefined,
  one: Damaged,
): Damaged {
  const refused = refusalOf(ports, pathOf(layout, own, one));
  return refused === undefined ? one : { ...one, refused };
}

function pathOf(layout: Layout, own: string | undefined, one: Damaged): string {
  const { segment, kind } = one;
  if (kind === 'blob') return blobPath(layout, segment.slice('blobs/'.length));
  const isOwn = kind !== 'inbox' && !isForeign(one) && own !== undefined;
  return `${isOwn ? originDir(layout, own) : layout.journal}/${segment}`;
}

const twinOf = (layout: Layout, { origin, firstSeq }: SegmentFile): string =>
  segmentPath(layout, origin, firstSeq, false);

const hasTwin = (ports: JournalPorts, layout: Layout, file: SegmentFile): boolean =>
  file.sealed && ports.fs.statIfThere(twinOf(layout, file)) !== undefined;

/** The damage of an origin without recorded losses. */
function damageOf({ origin, walk, losses }: Walked & { origin: string }, isOwn: boolean) {
  const found: Damaged[] = [];
  for (const damaged of walk.damage) {
    if (losses.covers(damaged)) continue;
    const { segment } = damaged;
    found.push({ ...damaged, segment: isOwn ? segment : `${origin}/${segment}` });
  }
  return found;
}

function stateOf(ports: JournalPorts, path: string): 'sound' | 'damaged' | 'later' {
  try {
    const found = readSpool(ports, path);
    return typeof found === 'string' ? found : 'sound';
  } catch (error) {
    // Drained meanwhile. A folder or a link counts as damaged.
    const isGone = !isPassedBy(ports, path, error) && errno(error) === 'ENOENT';
    return isGone ? 'sound' : 'damaged';
  }
}

/** A whole file as a place; 0 bytes if it is not there. */
const wholeFile = (ports: JournalPorts, path: string) => ({
  offset: 0,
  bytes: ports.fs.statIfThere(path)?.size ?? 0,
  firstSeq: null,
  lastSeq: null,
});

/** Without segments, a missing manifest only means that the journal has just begun. */
function lostManifest(ports: JournalPorts, layout: Layout, hasSegments: boolean): Damaged[] {
  if (!hasSegments && ports.fs.statIfThere(layout.manifest) === undefined) return [];
  return [{ segment: 'manifest', kind: 'manifest', ...wholeFile(ports, layout.manifest) }];
}
