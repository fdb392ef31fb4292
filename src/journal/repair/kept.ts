import { readdirIfThere } from '../../platform/files.ts';
import { SEGMENT_FLAG } from '../format/format.ts';
import type { Layout, SegmentFile } from '../format/layout.ts';
import type { ReaderPorts } from '../format/ports.ts';
import type { SegmentHeader } from '../format/segment.ts';
import { loadSegment } from '../read/load.ts';
import { scanFrames } from '../read/scan.ts';
import { openSealed } from '../read/sealed.ts';
import { isSound } from './files.ts';

/** A whole segment that is in quarantine. */
export interface KeptSegment {
  /** Its name there. */
  kept: string;
  bytes: Buffer;
}

/** How a segment that was written over is named in quarantine: its first byte stood at 0. */
const KEPT_NAME = /^(\d{16})\.b10(z?)\.0\.[0-9a-f]+$/;

/** Which segments may be in quarantine as wholes. */
export const keptNames = (
  ports: ReaderPorts,
  { quarantine }: Layout,
): Pick<SegmentFile, 'firstSeq' | 'sealed'>[] => {
  const names = readdirIfThere(ports.fs, quarantine).flatMap((name) => {
    const [, digits, z] = KEPT_NAME.exec(name) ?? [];
    return digits === undefined ? [] : `${digits}${z}`;
  });
  return [...new Set(names)].sort().map((name) => ({
    firstSeq: Number.parseInt(name, 10),
    sealed: name.endsWith('z'),
  }));
};

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
    const last = lastSeqIn(ports, bytes, header);
    if (last >= header.firstSeq && last < next) return { kept, bytes };
  }
  return undefined;
}

/** Of the last event that can be read, as far as the segment says it; the one before its first where there is none. */
export function lastSeqIn(ports: ReaderPorts, bytes: Buffer, header: SegmentHeader): number {
  let last = header.firstSeq - 1;
  if ((header.flags & SEGMENT_FLAG.sealed) !== 0)
    return openSealed(bytes, header, ports.xxh64).footer?.lastSeq ?? last;
  for (const { frame } of scanFrames(bytes, header, ports.xxh64)) last = frame?.seq ?? last;
  return last;
}
