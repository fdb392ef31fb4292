import type { Decoders } from '../../platform/codecs/codecs.ts';
import type { Entry } from '../format/frame.ts';
import { type Layout, type SegmentFile, segmentPath } from '../format/layout.ts';
import type { JournalPorts } from '../format/ports.ts';
import { type LoadedSegment, loadSegment } from '../read/load.ts';
import { itemsOf } from '../read/segment-items.ts';
import { isSameEntry, wholeOf } from '../read/whole.ts';

/**
 * Whether a damaged sealed segment is there as it was before, too, whole, and nothing goes where that one takes its place: put
 * back from a backup it may lack what came later, or hold what was erased since.
 * @param sealed as far as it can be read
 */
export function hasWholeTwin(
  ports: JournalPorts,
  layout: Layout,
  file: SegmentFile,
  sealed: LoadedSegment | undefined,
  decoders: Decoders,
): boolean {
  const path = segmentPath(layout, file.origin, file.firstSeq, false);
  const loaded = loadSegment(ports, { ...file, sealed: false, path });
  const twin = loaded && wholeOf(ports, loaded, false, decoders)?.entries;
  if (twin === undefined) return false;
  const bySeq = new Map(twin.map((entry) => [entry.seq, entry]));
  const isInTwin = (entry: Entry): boolean => {
    const own = bySeq.get(entry.seq);
    return own !== undefined && own.kind === entry.kind && isSameEntry(own, entry);
  };
  const read = itemsOf(sealed, { file, from: 0, isNewest: false }, { ports, decoders });
  return [...read].every(({ entry }) => entry === undefined || isInTwin(entry));
}
