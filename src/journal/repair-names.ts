import { writeFileAtomic } from '../platform/files.ts';
import { randomHex } from '../platform/random.ts';
import { SEGMENT_FLAG, SEGMENT_HEADER_BYTES } from './format.ts';
import { type Layout, originDir, type SegmentFile, segmentName, segmentPath } from './layout.ts';
import { isAtHome, loadSegment } from './load.ts';
import { ownSegments } from './origins.ts';
import type { JournalPorts } from './ports.ts';
import { keep, setAside } from './quarantine.ts';
import { keptSegment } from './repair-kept.ts';
import type { RepairItem } from './repair-piece.ts';
import { decodeSegmentHeader } from './segment.ts';

/** A segment of this journal that bears another one's name. */
export interface Misnamed {
  file: SegmentFile;
  bytes: Buffer;
  /** What its sound header says that it is. */
  is: SegmentFile;
  /** Name in quarantine of what is to stand here: `file` is then what stands there instead, and `bytes` are the former's. */
  kept?: string;
}

/**
 * The own segments whose sound headers say that they belong under a name that is free, or that another one of them bears:
 * files that somebody renamed or swapped. Reads every segment: ask only where a header is damaged.
 */
export function misnamedSegments(ports: JournalPorts, layout: Layout): Misnamed[] {
  const files = ownSegments(ports, layout);
  let found = files.flatMap((file) => misnamed(ports, layout, file) ?? []);
  const isFree = ({ is }: Misnamed): boolean =>
    found.some(({ file }) => file.path === is.path) ||
    (ports.fs.statIfThere(is.path) === undefined &&
      !files.some(({ firstSeq }) => firstSeq === is.firstSeq));
  const isOnly = ({ is }: Misnamed): boolean =>
    found.filter((other) => other.is.firstSeq === is.firstSeq).length === 1;
  // One that has to stay where it is keeps its name from the others.
  for (let before = -1; before !== found.length; ) {
    before = found.length;
    found = found.filter((one) => isFree(one) && isOnly(one));
  }
  return [...found, ...leftInQuarantine(ports, layout, files, found)];
}

/** Of files that hold another segment, which stands in its own place as well: who swapped them back died in between. */
function leftInQuarantine(
  ports: JournalPorts,
  layout: Layout,
  files: readonly SegmentFile[],
  found: readonly Misnamed[],
): Misnamed[] {
  return files.flatMap((file, index) => {
    if (found.some((one) => one.file === file) || misnamed(ports, layout, file) === undefined)
      return [];
    const end = files[index + 1]?.firstSeq ?? Number.POSITIVE_INFINITY;
    const segment = keptSegment(ports, layout, file, end);
    return segment === undefined ? [] : [{ file, is: file, ...segment }];
  });
}

function misnamed(ports: JournalPorts, layout: Layout, file: SegmentFile): Misnamed | undefined {
  const { bytes, header: atHome } = loadSegment(ports, file) ?? {};
  if (bytes === undefined || atHome !== undefined) return undefined;
  const header = decodeSegmentHeader(bytes.subarray(0, SEGMENT_HEADER_BYTES), ports.xxh64);
  if (header === undefined) return undefined;
  const { firstSeq, flags } = header;
  const sealed = (flags & SEGMENT_FLAG.sealed) !== 0;
  const path = segmentPath(layout, file.origin, firstSeq, sealed);
  const is = { ...file, firstSeq, sealed, path };
  return isAtHome(header, is) ? { file, bytes, is } : undefined;
}

export const renameItem = ({ file, bytes, is, kept }: Misnamed): RepairItem => ({
  segment: segmentName(file),
  kind: 'segment-header',
  offset: 0,
  bytes: bytes.length,
  firstSeq: null,
  lastSeq: null,
  action: 'rename',
  what:
    kept === undefined
      ? `its header says that it is ${segmentName(is)}: it gets that name`
      : `it holds another segment; what belongs here is in quarantine as ${kept}, and is put back`,
});

/**
 * Gives each its own name. Where two have each other's, one has to be written over before the other is in its place, so
 * all that are written over are kept first: whoever dies in between leaves them in `quarantine/`, where the next repair
 * finds them. Call with the append lock held.
 * @returns names in quarantine
 */
export function putInPlace(
  ports: JournalPorts,
  layout: Layout,
  segments: readonly Misnamed[],
): string[] {
  const isTarget = ({ path }: SegmentFile): boolean => segments.some(({ is }) => is.path === path);
  const kept = segments
    .filter(({ file }) => isTarget(file))
    .map(({ file, bytes, kept: from }) => {
      const replaced = from === undefined ? bytes : loadSegment(ports, file)!.bytes;
      return keep(ports, layout, `${segmentName(file)}.0`, replaced);
    });
  for (const { bytes, is } of segments)
    writeFileAtomic(ports.fs, is.path, bytes, randomHex(ports.random, 6), { durable: true });
  for (const { file } of segments) {
    if (isTarget(file)) continue;
    kept.push(setAside(ports, layout, originDir(layout, file.origin), segmentName(file)));
  }
  return kept;
}
