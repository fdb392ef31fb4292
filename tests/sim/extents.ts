import { type NewEvent, readSpool } from '../../src/journal/append/inbox.ts';
import { layoutOf } from '../../src/journal/format/layout.ts';
import { decodeSegmentHeader } from '../../src/journal/format/segment.ts';
import { scanFrames } from '../../src/journal/read/scan.ts';
import { endOffset, openSealed, readChunk } from '../../src/journal/read/sealed.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { SimDisk } from './disk.ts';
import { filesIn, type Image } from './image.ts';
import { decoders, SIM_ROOT, startProcess } from './process.ts';

/** Bytes of a file that stand for certain events: damage there may cost these, and no others. */
export interface Extent {
  start: number;
  end: number;
  ids: string[];
}

/** A file of a sound journal. */
export interface KnownFile {
  path: string;
  bytes: Buffer;
  /** `events`: every byte counts. `derived`: can be lost without loss. `other`: nobody reads it. */
  kind: 'events' | 'derived' | 'checkpoint' | 'other';
  extents: Extent[];
}

export function knownFiles(image: Image): KnownFile[] {
  const layout = layoutOf(SIM_ROOT);
  const { ports } = startProcess(new SimDisk(image, 0), 1, 1);
  const files = filesIn(image).filter(([path]) => !path.endsWith('/'));
  return files.map(([path, bytes]): KnownFile => {
    if (path.endsWith('.b10') || path.endsWith('.b10z')) {
      const extents = path.endsWith('z') ? chunksOf(bytes) : framesOf(bytes);
      return { path, bytes, kind: 'events', extents };
    }
    if (path.startsWith(layout.inbox) && path.endsWith('.evt')) {
      const ids = (readSpool(ports, path) as NewEvent[]).map(({ id }) => id.toString('hex'));
      return { path, bytes, kind: 'events', extents: [{ start: 0, end: bytes.length, ids }] };
    }
    if (path.endsWith('.ckpt')) return { path, bytes, kind: 'checkpoint', extents: [] };
    const isDerived = path === layout.manifest || path.endsWith('/synced');
    return { path, bytes, kind: isDerived ? 'derived' : 'other', extents: [] };
  });
}

function framesOf(bytes: Buffer): Extent[] {
  const header = decodeSegmentHeader(bytes, xxh64)!;
  return [...scanFrames(bytes, header, xxh64)].map(({ entry: frame }) => ({
    start: frame!.offset,
    end: frame!.offset + frame!.bytes,
    ids: [frame!.id.toString('hex')],
  }));
}

function chunksOf(bytes: Buffer): Extent[] {
  const header = decodeSegmentHeader(bytes, xxh64)!;
  const sealed = openSealed(bytes, header, xxh64);
  return sealed.chunks.map((chunk) => ({
    start: chunk.offset,
    end: endOffset(chunk),
    ids: readChunk(bytes, sealed, chunk, decoders, xxh64).entries!.map(({ id }) =>
      id.toString('hex'),
    ),
  }));
}
