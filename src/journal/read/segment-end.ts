import { errno } from '../../platform/errors.ts';
import { readTail, type Tail } from '../append/tail.ts';
import { decodeFooter, type Footer } from '../format/footer.ts';
import {
  FRAME_HEADER_BYTES,
  FRAME_TRAILER_BYTES,
  HASH_BYTES,
  ID_PREFIX_BYTES,
  SEGMENT_BYTES_MAX,
  SEGMENT_FLAG,
  SEGMENT_HEADER_BYTES,
} from '../format/format.ts';
import { type Hlc, laterHlc } from '../format/hlc.ts';
import type { SegmentFile } from '../format/layout.ts';
import type { JournalPorts } from '../format/ports.ts';
import { headerOf, misnamedIn } from './headers.ts';
import { openSegment, Segment, sealedForm } from './open.ts';
import { isPassedBy } from './refused.ts';

/** Where the events of a segment end. */
export interface SegmentEnd {
  seq: number;
  hlc: Hlc;
  chain: Buffer;
}

const START_OF_JOURNAL: SegmentEnd & { flags: number } = {
  seq: 0,
  hlc: { ms: 0, count: 0 },
  chain: Buffer.alloc(HASH_BYTES),
  flags: 0,
};

/** With the flags of the segment that follows. */
export type KnownEnd = SegmentEnd & { flags: number };

/**
 * Where a finished segment ends. If that is unknown, the highest seq that it may have held: no seq is assigned twice, because
 * something may refer to it.
 * @param file undefined if there is no segment
 * @param syncedUpto if the segment ends before this, later events are lost, and their seqs are not assigned again either
 */
export function endOf(
  ports: JournalPorts,
  file: SegmentFile | undefined,
  syncedUpto: number,
): KnownEnd {
  const end = file === undefined ? START_OF_JOURNAL : endOfFile(ports, file, syncedUpto);
  return end.seq >= syncedUpto ? end : { ...end, seq: syncedUpto, flags: SEGMENT_FLAG.afterDamage };
}

/**
 * If the newest segment is damaged or misnamed, appends go on behind the events of all misnamed files, by seq and by clock. So the
 * user can still put such a file back.
 * @param files all files of the origin
 * @param end of the correctly named ones
 */
export function endPast(
  ports: JournalPorts,
  files: readonly SegmentFile[],
  end: KnownEnd,
): KnownEnd {
  let { seq, hlc, chain } = end;
  // Unreadable events have no later time than their segment's start, or now.
  hlc = laterHlc(hlc, { ms: ports.clock.now(), count: 0 });
  let lastSound: SegmentFile | undefined;
  const pass = (found: KnownEnd) => {
    if (found.seq >= seq) ({ seq, chain } = found);
    hlc = laterHlc(hlc, found.hlc);
  };
  for (const listed of files) {
    // The raw form may still be there beside an unreadable sealed one.
    const file = listed.sealed && headerOf(ports, listed) === undefined ? rawOf(listed) : listed;
    const header = headerOf(ports, file);
    hlc = laterHlc(hlc, header?.baseHlc ?? hlc);
    const is = misnamedIn(ports, file)?.is;
    if (is !== undefined) pass(endOfFile(ports, is, 0));
    else if (header !== undefined) lastSound = file;
  }
  // Files behind it have no readable header, so only this one tells where events end.
  if (lastSound !== undefined) pass(endOfFile(ports, lastSound, 0));
  return { seq, hlc, chain, flags: SEGMENT_FLAG.afterDamage };
}

const rawOf = (file: SegmentFile): SegmentFile => ({
  ...file,
  sealed: false,
  path: file.path.replace(/z$/, ''),
});

function endOfFile(ports: JournalPorts, file: SegmentFile, syncedUpto: number): KnownEnd {
  if (file.sealed) return endOfSealed(ports, file, syncedUpto);
  const tail = tailOf(ports, file);
  if (tail !== undefined) return { ...tail, flags: 0 };
  const stat = ports.fs.statIfThere(file.path);
  // Sealed since it was listed.
  if (stat === undefined) return endOfSealed(ports, sealedForm(file), syncedUpto);
  // The size of a folder or a link tells nothing.
  const frames = stat.isFile ? framesAtMost(stat.size) : 1;
  return damagedEnd(file.firstSeq + frames - 1, file, syncedUpto);
}

function damagedEnd(seq: number, file: SegmentFile, syncedUpto: number): KnownEnd {
  const seqMax = Math.max(seq, file.firstSeq, syncedUpto);
  return { ...START_OF_JOURNAL, seq: seqMax, flags: SEGMENT_FLAG.afterDamage };
}

function endOfSealed(ports: JournalPorts, file: SegmentFile, syncedUpto: number): KnownEnd {
  const segment = openSegment(ports, file) ?? new Segment(ports, file);
  // The footer counts even if the header is lost.
  const footer = decodeFooter(segment.bytes, ports.xxh64);
  const sealed = segment.header && segment.sealed;
  const last = sealed?.chunks.at(-1);
  const lastSeq = last === undefined ? 0 : last.firstSeq + last.count - 1;
  // A footer has no salt and may be another segment's: compare it with index and chunks, or at least with the name.
  const isOwn = (said: Footer): boolean =>
    sealed === undefined
      ? said.lastSeq >= file.firstSeq
      : sealed.damage.length === 0 ||
        (said.lastSeq === lastSeq && last?.endChain.equals(said.endChain) === true);
  if (footer !== undefined && isOwn(footer)) {
    const seq = Math.max(footer.lastSeq, file.firstSeq);
    return { seq, hlc: footer.lastHlc, chain: footer.endChain, flags: 0 };
  }
  // Each event has at least its eight bytes in the id table.
  const size = Math.min(ports.fs.statIfThere(file.path)?.size ?? 0, SEGMENT_BYTES_MAX);
  const seqMax = file.firstSeq + Math.floor(size / ID_PREFIX_BYTES) - 1;
  if (last === undefined) return damagedEnd(seqMax, file, syncedUpto);
  const damaged = damagedEnd(Math.max(lastSeq, footer?.lastSeq ?? 0), file, syncedUpto);
  return { ...damaged, hlc: last.firstHlc, chain: Buffer.from(last.endChain) };
}

/** How many frames a file of this size can hold, within a segment's largest size. */
export function framesAtMost(fileBytes: number): number {
  const bytes = Math.max(0, Math.min(fileBytes, SEGMENT_BYTES_MAX) - SEGMENT_HEADER_BYTES);
  return Math.floor(bytes / (FRAME_HEADER_BYTES + FRAME_TRAILER_BYTES));
}

/** Sealed or removed meanwhile; a folder or a link with a segment's name. */
const NO_SEGMENT = new Set<string | undefined>(['ENOENT', 'EISDIR', 'ELOOP']);

/** Undefined if the end is damaged, or the file is gone or skipped. The descriptor in it is closed. */
export function tailOf(
  ports: JournalPorts,
  file: SegmentFile,
  windowBytes?: number,
): Tail | undefined {
  let fd: number | undefined;
  try {
    fd = ports.fs.open(file.path, 'r');
    return readTail(ports, fd, file.path, windowBytes);
  } catch (error) {
    if (NO_SEGMENT.has(errno(error)) || isPassedBy(ports, file.path, error)) return undefined;
    throw error;
  } finally {
    if (fd !== undefined) ports.fs.close(fd);
  }
}
