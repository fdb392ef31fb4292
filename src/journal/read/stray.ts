import type { Repair } from '../append/recover.ts';
import { SEQ_GAP_MAX } from '../format/format.ts';
import { hintPath, readHint } from '../format/hint.ts';
import { type Layout, originDir, type SegmentFile, segmentName } from '../format/layout.ts';
import type { JournalPorts, ReaderPorts } from '../format/ports.ts';
import { setAside } from '../repair/quarantine.ts';
import { openSegment } from './open.ts';

/**
 * The segments of one origin without strays: files at the end whose number is far too high and whose header is not sound. Their
 * names do not mean that events are missing before them.
 * @param files rising
 * @param syncedUpto from the sync hint, which is read if this is left out
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
 * Moves strays to quarantine: appending behind such a name would soon run out of seqs. Call with the lock held.
 * @returns the segments that stay, and what was set aside
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
