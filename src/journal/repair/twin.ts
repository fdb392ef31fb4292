import type { Decoders } from '../../platform/codecs/codecs.ts';
import type { Entry } from '../format/frame.ts';
import { type Layout, segmentPath } from '../format/layout.ts';
import type { JournalPorts } from '../format/ports.ts';
import { openSegment, type Segment } from '../read/open.ts';
import { isSameEntry, wholeOf } from '../read/whole.ts';

/**
 * Whether a damaged sealed segment is there as it was before, too, whole, and nothing goes where that one takes its place: put
 * back from a backup it may lack what came later, or hold what was erased since.
 * @param sealed as far as it can be read
 */
export function hasWholeTwin(
  ports: JournalPorts,
  layout: Layout,
  sealed: Segment,
  decoders: Decoders,
): boolean {
  const { file } = sealed;
  const path = segmentPath(layout, file.origin, file.firstSeq, false);
  const raw = openSegment(ports, { ...file, sealed: false, path });
  const twin = raw && wholeOf(raw, decoders)?.entries;
  if (twin === undefined) return false;
  const bySeq = new Map(twin.map((entry) => [entry.seq, entry]));
  const isInTwin = (entry: Entry): boolean => {
    const own = bySeq.get(entry.seq);
    return own !== undefined && own.kind === entry.kind && isSameEntry(own, entry);
  };
  const items = [...sealed.entries(decoders)];
  return items.every(({ entry }) => entry === undefined || isInTwin(entry));
}
