import type { Decoders } from '../../platform/codecs/codecs.ts';
import { chainedBytes, chainOf, type Frame } from '../format/frame.ts';
import type { Layout } from '../format/layout.ts';
import type { ReaderPorts } from '../format/ports.ts';
import { framesNearEnd } from './frames-near-end.ts';
import type { KnownFiles } from './known-files.ts';
import { openListed } from './open.ts';
import { ownSegments } from './origins.ts';

/**
 * The chain after the event `seq`. It proves that a stored state belongs to this history.
 * @param known set in a short-lived process
 * @returns undefined if that event is not there or cannot be read
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
  const segment = listed && openListed(ports, listed);
  let chain = segment?.header?.prevChain;
  for (const { entry, chunk } of segment?.entries(decoders, seq) ?? []) {
    if (chunk !== undefined) chain = chunk.endChain;
    if (entry === undefined) continue;
    chain = 'chain' in entry ? (entry as Frame).chain : chainOf(chain!, chainedBytes(entry));
    if (entry.seq >= seq) return entry.seq === seq ? chain : undefined;
  }
  return undefined;
}
