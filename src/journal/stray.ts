import { SEQ_GAP_MAX } from './format.ts';
import { type Layout, originDir, type SegmentFile, segmentName } from './layout.ts';
import { loadSegment } from './load.ts';
import type { JournalPorts } from './ports.ts';
import { setAside } from './quarantine.ts';
import type { Repair } from './recover.ts';

/**
 * Takes files out of the journal's end that bear the name of a segment which no journal comes to, and are none: whoever
 * believed such a name would begin behind it, where soon no seq is left. Call with the lock held.
 * @param files of the own origin, rising
 * @param syncedUpto what the hint claims
 * @returns what is left of them, and what was set aside
 */
export function setStraysAside(
  ports: JournalPorts,
  layout: Layout,
  files: readonly SegmentFile[],
  syncedUpto: number,
): { files: SegmentFile[]; repairs: { repair: Repair }[] } {
  const left = [...files];
  const repairs: { repair: Repair }[] = [];
  for (let last = left.at(-1); last !== undefined; last = left.at(-1)) {
    const known = Math.max(syncedUpto, left.at(-2)?.firstSeq ?? 0);
    if (last.firstSeq - known <= SEQ_GAP_MAX) break;
    const loaded = loadSegment(ports, last);
    if (loaded?.header !== undefined) break;
    left.pop();
    if (loaded === undefined) continue;
    const segment = segmentName(last);
    const kept = setAside(ports, layout, originDir(layout, last.origin), segment);
    const bytes = loaded.bytes.length;
    repairs.push({ repair: { kind: 'bad-header', segment, offset: 0, bytes, kept } });
  }
  return { files: left, repairs };
}
