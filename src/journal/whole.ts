import type { Decoders } from '../platform/codecs/codecs.ts';
import { HASH_BYTES } from './format.ts';
import { chainedBytes, chainOf, type Entry } from './frame.ts';
import type { SegmentFile } from './layout.ts';
import { loadSegment } from './load.ts';
import type { ReaderPorts } from './ports.ts';
import { scanFrames } from './scan.ts';
import { openSealed, readChunk } from './sealed.ts';
import type { SegmentHeader } from './segment.ts';

/** All that a closed segment holds. */
export interface WholeSegment {
  header: SegmentHeader;
  /** At least one. */
  entries: Entry[];
  /** As the segment says it, not computed. */
  endChain: Buffer;
  /** Zstd level; -1 for a segment that is not sealed. */
  level: number;
}
