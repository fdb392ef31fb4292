import { createHash } from 'node:crypto';
import { readBigU64 } from '../format/bytes.ts';
import { CHUNK_HEADER_BYTES, FOOTER_BYTES } from '../format/format.ts';
import type { Entry } from '../format/frame.ts';
import type { ReaderPorts } from '../format/ports.ts';
import { idPrefixes } from '../seal/seal.ts';
import type { Place } from './history-walk.ts';
import { chunksMarred, type SealedSegment, SUM_BYTES } from './sealed.ts';

/**
 * Where index, id table, footer or chunk headers of a readable sealed segment do not fit its entries.
 * @param entries all of them
 */
export function misfits(
  ports: Pick<ReaderPorts, 'xxh64'>,
  bytes: Buffer,
  sealed: SealedSegment,
  entries: readonly Entry[],
): Place[] {
  const marred = chunksMarred(bytes, sealed);
  const places = marred.map(({ offset }) => ({ offset, bytes: CHUNK_HEADER_BYTES }));
  if (agrees(ports, bytes, sealed, entries, marred.length > 0)) return places;
  const { indexOffset } = sealed.footer!;
  return [...places, { offset: indexOffset, bytes: bytes.length - indexOffset }];
}

/**
 * Checks digest, id table and footer of a sealed segment without other damage.
 * @param isMarred a chunk's own header is damaged, so the digest cannot match
 */
function agrees(
  ports: Pick<ReaderPorts, 'xxh64'>,
  bytes: Buffer,
  { header, footer, chunks }: SealedSegment,
  entries: readonly Entry[],
  isMarred: boolean,
): boolean {
  const last = entries.at(-1);
  if (footer === undefined || last === undefined) return false;
  const content = bytes.subarray(0, bytes.length - FOOTER_BYTES);
  const ids = idPrefixes(entries);
  const idsEnd = footer.idsOffset + ids.length;
  return (
    (isMarred || createHash('sha256').update(content).digest().equals(footer.digest)) &&
    footer.idsOffset === footer.indexOffset + chunks.length * CHUNK_HEADER_BYTES + SUM_BYTES &&
    idsEnd + SUM_BYTES === content.length &&
    content.subarray(footer.idsOffset, idsEnd).equals(ids) &&
    ports.xxh64(ids, header.salt) === readBigU64(content, idsEnd) &&
    footer.count === entries.length &&
    footer.lastSeq === last.seq &&
    footer.lastHlc.ms === last.hlc.ms &&
    footer.lastHlc.count === last.hlc.count &&
    footer.endChain.equals(chunks.at(-1)!.endChain)
  );
}
