import { readdirIfThere } from '../platform/files.ts';
import { SEGMENT_FLAG } from './format.ts';
import type { Layout, SegmentFile } from './layout.ts';
import { loadSegment } from './load.ts';
import type { ReaderPorts } from './ports.ts';
import { isSound } from './repair-files.ts';
import { scanFrames } from './scan.ts';
import { openSealed } from './sealed.ts';

/** A whole segment that is in quarantine. */
export interface KeptSegment {
  /** Its name there. */
  kept: string;
  bytes: Buffer;
}

/** How a segment that was written over is named in quarantine: its first byte stood at 0. */
const KEPT_NAME = /^\d{16}\.b10z?\.0\.[0-9a-f]+$/;

/**
 * The segment that belongs under a file's name, where a repair that gave segments their names was cut off and left it in
 * quarantine only. Erasing empties quarantine: nothing that was erased is found there.
 * @param next first seq of the segment behind it
 */
export function keptSegment(
  ports: ReaderPorts,
  layout: Layout,
  file: SegmentFile,
  next: number,
): KeptSegment | undefined {
  for (const kept of readdirIfThere(ports.fs, layout.quarantine).sort()) {
    if (!KEPT_NAME.test(kept)) continue;
    const path = `${layout.quarantine}/${kept}`;
    const loaded = loadSegment(ports, { ...file, path });
    if (loaded?.header === undefined || !isSound(ports, loaded.bytes)) continue;
    const { bytes, header } = loaded;
    const isSealed = (header.flags & SEGMENT_FLAG.sealed) !== 0;
    const last = isSealed
      ? openSealed(bytes, header, ports.xxh64).footer!.lastSeq
      : [...scanFrames(bytes, header, ports.xxh64)].at(-1)?.frame?.seq;
    if (last !== undefined && last < next) return { kept, bytes };
  }
  return undefined;
}
