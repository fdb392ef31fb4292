import type { Decoders } from '../../platform/codecs/codecs.ts';
import { blobPath, getBlob, isLaterBlob } from '../append/blobs.ts';
import { REQUESTED_TYPE, requestIn } from '../erase/events.ts';
import { type Targets, targetsOf } from '../erase/targets.ts';
import { blobReferences } from '../format/blob-references.ts';
import { typeTag } from '../format/envelope.ts';
import { FRAME_KIND } from '../format/format.ts';
import { type Layout, listOrigins } from '../format/layout.ts';
import type { JournalPorts } from '../format/ports.ts';
import { allSegments } from '../read/all-entries.ts';
import type { Damaged } from './verify.ts';

interface Known {
  /** Undefined if the names cannot be checked. */
  blobKey: string | undefined;
  /** The first and the last own event that refers to a blob. */
  of(name: string): { firstSeq: number; lastSeq: number } | undefined;
  /** Called for a blob that a later version wrote. */
  pass(segment: string): void;
  /** Whether a repair recorded the blob as lost. */
  isRecorded(damaged: Damaged): boolean;
}

/** Blobs that are damaged or missing. Those that a running or interrupted erasure removes are not reported. */
export function damagedBlobs(
  ports: JournalPorts,
  layout: Layout,
  decoders: Decoders,
  names: ReadonlySet<string>,
  { blobKey, of, pass, isRecorded }: Known,
): Damaged[] {
  const found: Damaged[] = [];
  const gone = new Set<string>();
  for (const name of names) {
    if (getBlob(ports, layout, name, decoders, blobKey) !== undefined) continue;
    if (isLaterBlob(ports, layout, name)) {
      pass(`blobs/${name}`);
      continue;
    }
    const isRefused = ports.refused?.has(blobPath(layout, name)) === true;
    const stat = isRefused ? 'refused' : ports.fs.statIfThere(blobPath(layout, name));
    const bytes = typeof stat === 'object' ? stat.size : 0;
    const place = { offset: 0, bytes, firstSeq: null, lastSeq: null };
    const damaged: Damaged = { segment: `blobs/${name}`, kind: 'blob', ...place, ...of(name) };
    // Only while it is missing: a blob that was brought back may be damaged again.
    if (stat === undefined && isRecorded(damaged)) continue;
    if (stat === undefined) gone.add(name);
    found.push(damaged);
  }
  if (gone.size === 0) return found;
  const missed = namedBlobs(ports, layout, decoders, gone);
  return found.filter(({ segment }) => {
    const name = segment.slice('blobs/'.length);
    return !gone.has(name) || missed.has(name);
  });
}

/**
 * The blobs among these that events name which no erasure targets. A request is appended before any blob goes, so the request of
 * a running erasure is seen here.
 */
function namedBlobs(
  ports: JournalPorts,
  layout: Layout,
  decoders: Decoders,
  names: ReadonlySet<string>,
): Set<string> {
  const origins = listOrigins(ports.fs, layout);
  const requested = typeTag(REQUESTED_TYPE, ports.xxh64);
  const requests: { about: string; targets: Targets }[] = [];
  const references: { origin: string; seq: number; name: string }[] = [];
  for (const { file, entries } of allSegments(ports, layout, decoders)) {
    const { origin } = file;
    for (const entry of entries) {
      if (entry.kind !== FRAME_KIND.event) continue;
      for (const name of blobReferences(entry.payload))
        if (names.has(name)) references.push({ origin, seq: entry.seq, name });
      const request = entry.typeTag === requested ? requestIn(entry) : undefined;
      if (request === undefined) continue;
      // A request may name the origin from before the journal was copied: it is about the folder that it is in.
      const isOther = request.origin !== undefined && origins.includes(request.origin);
      requests.push({ about: isOther ? request.origin! : origin, targets: targetsOf(request) });
    }
  }
  const isTarget = (origin: string, seq: number): boolean =>
    requests.some(({ about, targets }) => about === origin && targets.has(seq));
  const left = references.filter(({ origin, seq }) => !isTarget(origin, seq));
  return new Set(left.map(({ name }) => name));
}
