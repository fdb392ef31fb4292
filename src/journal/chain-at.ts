import type { Decoders } from '../platform/codecs/codecs.ts';
import { readFile } from '../platform/fs.ts';
import { asBuffer } from './bytes.ts';
import { SEGMENT_BYTES_MAX } from './format.ts';
import { chainedBytes, chainOf } from './frame.ts';
import type { Layout } from './layout.ts';
import { listSegments } from './layout.ts';
import type { ReaderPorts } from './reader.ts';
import { scanFrames } from './scan.ts';
import { openSealed, readChunk } from './sealed.ts';
import { decodeSegmentHeader } from './segment.ts';

/**
 * The chain after the event `seq`: what proves that a stored state belongs to this history.
 * @returns undefined when that event is not there or cannot be read
 */
export function chainAt(
  ports: ReaderPorts,
  layout: Layout,
  seq: number,
  decoders: Decoders,
): Buffer | undefined {
  const file = listSegments(ports.fs, layout).findLast((one) => one.firstSeq <= seq);
  if (file === undefined) return undefined;
  const bytes = asBuffer(readFile(ports.fs, file.path, SEGMENT_BYTES_MAX));
  const header = decodeSegmentHeader(bytes, ports.xxh64);
  if (header === undefined) return undefined;
  if (!file.sealed) {
    for (const { frame } of scanFrames(bytes, header, ports.xxh64)) {
      if (frame !== undefined && frame.seq >= seq)
        return frame.seq === seq ? frame.chain : undefined;
    }
    return undefined;
  }
  const sealed = openSealed(bytes, header, ports.xxh64);
  const index = sealed.chunks.findLastIndex((chunk) => chunk.firstSeq <= seq);
  const chunk = sealed.chunks[index];
  if (chunk === undefined) return undefined;
  let chain = sealed.chunks[index - 1]?.endChain ?? header.prevChain;
  for (const entry of readChunk(bytes, sealed, chunk, decoders, ports.xxh64).entries ?? []) {
    chain = chainOf(chain, chainedBytes(entry));
    if (entry.seq === seq) return chain;
  }
  return undefined;
}
