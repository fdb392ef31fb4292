import { isMisplaced } from '../append/misplaced-manifest.ts';
import type { Layout } from '../format/layout.ts';
import { mendedManifest, readManifest } from '../format/manifest.ts';
import type { ReaderPorts } from '../format/ports.ts';
import type { RepairItem } from './piece.ts';

/**
 * What whoever opens the journal for writing does about its manifest.
 * @returns undefined when it is sound
 */
export function manifestItem(ports: ReaderPorts, layout: Layout): RepairItem | undefined {
  const found = readManifest(ports, layout);
  const isOther = found !== undefined && isMisplaced(ports, layout, found);
  if (found !== undefined && !isOther) return undefined;
  const isMended = !isOther && mendedManifest(ports, layout) !== undefined;
  return {
    segment: 'manifest',
    kind: 'manifest',
    offset: 0,
    bytes: ports.fs.statIfThere(layout.manifest)?.size ?? 0,
    firstSeq: null,
    lastSeq: null,
    action: isMended ? 'mend' : 'rebuild',
    what: isOther ? OTHERS : isMended ? MENDED : REBUILT,
  };
}

const MENDED = 'a flipped bit, or the ends of its lines, are put right by its sum: nothing is lost';
const REBUILT =
  'it is made anew from the segments; the names of older texts kept beside the journal cannot be checked any more';
const OTHERS =
  "another journal's manifest, or one from before this one was copied, stands in the place of this one's, so that nothing here is read: it is made anew from the segments, and all events in them are read again; the names of older texts kept beside the journal cannot be checked any more";
