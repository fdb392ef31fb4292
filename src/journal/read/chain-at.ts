import type { Decoders } from '../../platform/codecs/codecs.ts';
import { chainedBytes, chainOf } from '../format/frame.ts';
import type { Layout } from '../format/layout.ts';
import type { ReaderPorts } from '../format/ports.ts';
import { framesNearEnd } from './frames-near-end.ts';
import type { KnownFiles } from './known-files.ts';
import { loadListed } from './load.ts';
import { ownSegments } from './origins.ts';
import { scanFrames } from './scan.ts';
import { openSealed, readChunk } from './sealed.ts';

/**
 * The chain after the event `seq`: what proves that a stored state belongs to this history.
 * @param known what a process that ends soon remembers of the files
 * @returns undefined when that event is not there or cannot be read
 * @throws Ben10Error JOURNAL_FOREIGN, FS_PERMISSION_DENIED
 */
export function chainAt(
  ports: ReaderPorts,
  layout: Layout,
  seq: number,
  decoders: Decoders,
  known?: KnownFiles,
): Buffer | undefined {
  const segments = known?.segments() ?? ownSegments(ports, layout);
  const listed = segments.findLast((one) => one.firstSeq <= seq);
  const near = listed && framesNearEnd(ports, listed, seq, seq, known?.ends);
  if (near !== undefined) return near[0] && Buffer.from(near[0].chain);
  const loaded = listed && loadListed(ports, listed);
  if (loaded?.header === undefined) return undefined;
  const { bytes, header, file } = loaded;
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
