import type { Repair } from '../append/recover.ts';
import { SEQ_GAP_MAX } from '../format/format.ts';
import { hintPath, readHint } from '../format/hint.ts';
import { type Layout, originDir, type SegmentFile, segmentName } from '../format/layout.ts';
import type { JournalPorts, ReaderPorts } from '../format/ports.ts';
import { setAside } from '../repair/quarantine.ts';
import { openSegment } from './open.ts';

/**
 * Segments of one origin without the files at its end that bear the name of a segment which no journal comes to, and are
 * none: such a name tells of no event that is missing before it.
 * @param files rising
 * @param syncedUpto what the hint claims; read where it is asked for when left out
 */
export function withoutStrays(
  ports: ReaderPorts,
  layout: Layout,
  files: readonly SegmentFile[],
  syncedUpto?: number,
): SegmentFile[] {
  const left = [...files];
  for (let last = left.at(-1); last !== undefined; last = left.at(-1)) {
    const isFar = (seq: number): boolean => last!.firstSeq - seq > SEQ_GAP_MAX;
    if (!isFar(left.at(-2)?.firstSeq ?? 0)) break;
    if (!isFar(syncedUpto ?? readHint(ports, hintPath(layout, last.origin)).syncedUpto)) break;
    if (openSegment(ports, last)?.header !== undefined) break;
    left.pop();
  }
  return left;
}

/**
 * Takes those files out of the journal's end: whoever believed such a name would begin behind it, where soon no seq is left.
 * Call with the lock held.
 * @returns what is left of them, and what was set aside
 */
export function setStraysAside(
  ports: JournalPorts,
  layout: Layout,
  files: readonly SegmentFile[],
  syncedUpto: number,
): { files: SegmentFile[]; repairs: { repair: Repair }[] } {
  const left = withoutStrays(ports, layout, files, syncedUpto);
  const repairs = files.slice(left.length).flatMap((stray) => {
    const opened = openSegment(ports, stray);
    if (opened === undefined) return []; // gone meanwhile
    const segment = segmentName(stray);
    const kept = setAside(ports, layout, originDir(layout, stray.origin), segment);
    const bytes = opened.bytes.length;
    return [{ repair: { kind: 'bad-header' as const, segment, offset: 0, bytes, kept } }];
  });
  return { files: left, repairs };
}
