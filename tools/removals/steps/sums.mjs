// Every comparison of a stored sum with the sum of what was read.
import { behind, step } from './step.mjs';

const FLIPS = 'sim:damage';

const digest = step(
  'digest of a sealed segment',
  'journal/verify/verify',
  'journal/read/misfits.ts',
  "(isMarred || createHash('sha256').update(content).digest().equals(footer.digest)) &&",
);
const placeSum = step(
  'chunk headers in place against the index, in verify',
  'journal/verify/verify',
  'journal/read/sealed.ts',
  '!isCopy(offset, index)',
  'false',
);
const idsSum = step(
  'sum of the id table, in verify',
  'journal/verify/verify',
  'journal/read/misfits.ts',
  'ports.xxh64(ids, header.salt) === readBigU64(content, idsEnd) &&',
);
const idsEqual = step(
  'id table against the ids, in verify',
  'journal/verify/verify',
  'journal/read/misfits.ts',
  'content.subarray(footer.idsOffset, idsEnd).equals(ids) &&',
);

export const sums = [
  step(
    'sum of an index file',
    ['search/index'],
    'search/index-read.ts',
    'if (xxh64(bytes.subarray(0, end), 0n) !== bytes.readBigUInt64LE(end)) return undefined;',
  ),
  step(
    'sum of a frame header',
    ['journal/format/frame', FLIPS],
    'journal/format/decode-frame.ts',
    `  if (!isSummed(xxh64, segment, offset, sum, salt, base + offset, sum))
    return { problem: 'header', bytes: 0 };`,
  ),
  step(
    'sum of a frame body',
    ['journal/format/frame', FLIPS],
    'journal/format/decode-frame.ts',
    'isSummed(xxh64, segment, body, bodyEnd, salt, seq, trailer + TRAILER.bodyChecksum);',
    'true;',
  ),
  step(
    'sums of bytes that stand elsewhere',
    ['platform/summed-room'],
    'platform/summed-room.ts',
    'bytes === given ? hashes.holds(from, to - from, salt, place, sum) : undefined;',
    'hashes.holds(from, to - from, salt, place, sum);',
  ),
  step(
    'sum of a segment header',
    ['journal/format/segment', FLIPS],
    'journal/format/segment.ts',
    '  if (sum !== readBigU64(header, SEGMENT.checksum)) return undefined;',
  ),
  step(
    'sum of a segment header that is mended',
    'journal/format/segment',
    'journal/format/segment.ts',
    'const bit = flippedBit(fields, () => xxh64(fields, 0n) === wanted);',
    'const bit = flippedBit(fields, () => true);',
  ),
  step(
    'sum of a later segment header',
    'journal/format/segment',
    'journal/format/segment.ts',
    ' && sum === readBigU64(bytes, SEGMENT.checksum)',
  ),
  step(
    'sum of a chunk header',
    'journal/read/sealed',
    'journal/format/chunk.ts',
    '  if (sum !== readBigU64(bytes, CHUNK.checksum)) return undefined;',
  ),
  step(
    'sum of a chunk',
    ['journal/read/sealed', FLIPS],
    'journal/format/chunk.ts',
    ' || xxh64(plain, salt) !== header.plainChecksum',
  ),
  step(
    'sum of a footer',
    ['journal/read/sealed', FLIPS],
    'journal/format/footer.ts',
    '    xxh64(bytes.subarray(0, FOOTER.checksum), seed) === readBigU64(bytes, FOOTER.checksum);',
    '    seed === 0n;',
  ),
  step(
    'sum of index and id table',
    'journal/read/sealed',
    'journal/read/sealed.ts',
    'return xxh64(content, salt) === readBigU64(part, length) ? content : undefined;',
    'return content;',
  ),
  digest,
  behind(placeSum, digest),
  behind(idsSum, digest),
  behind(idsEqual, idsSum, digest),
  step(
    'sum of a container header',
    'journal/format/container',
    'journal/format/container.ts',
    '  if (sum !== readBigU64(head, CONTAINER.checksum)) return undefined;',
  ),
  step(
    'chain of a footer, which may be another segment’s',
    'journal/read/segment-end',
    'journal/read/segment-end.ts',
    '(said.lastSeq === lastSeq && last?.endChain.equals(said.endChain) === true);',
    'true;',
  ),
  step(
    'sum of a block',
    'journal/format/container',
    'journal/format/container.ts',
    'xxh64(plain, BigInt(at)) === readBigU64(block, BLOCK.plainChecksum);',
    'true;',
  ),
  step(
    'sum of the sync hint',
    'journal/format/hint',
    'journal/format/hint.ts',
    '  if (sum !== readBigU64(bytes, HINT.checksum)) return NO_HINT;',
  ),
  step(
    'sum of an inbox file',
    ['journal/append/inbox', FLIPS],
    'journal/append/inbox.ts',
    '  if (readBigU64(header, SPOOL.checksum) !== checksum(ports, header, body)) return undefined;',
  ),
  step(
    'sum of the manifest',
    'journal/format/manifest',
    'journal/format/manifest.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source's own
    "  if (bytes.subarray(end + 1).toString('latin1') !== `${sumOf(ports, line)}\\n`) return undefined;\n",
  ),
  step(
    'whether a manifest is the one that was decoded before',
    'journal/format/manifest',
    'journal/format/manifest.ts',
    'if (known?.bytes.equals(bytes) === true) return known.manifest;',
    'if (known !== undefined) return known.manifest;',
  ),
  step(
    'sum of the list of erased ids',
    ['journal/erase/erase'],
    'journal/erase/erased-ids.ts',
    "return ports.xxh64(content, 0n) === readBigU64(bytes, end) ? content : 'damaged';",
    'return content;',
  ),
  step(
    'hash of a snapshot in its event',
    'timetravel/stored-state',
    'timetravel/stored-state.ts',
    '  if (ref.contentHash !== undefined && digest() !== ref.contentHash) return undefined;\n',
  ),
  step(
    'comparison of an archived save with what it was',
    'timetravel/snapshots/archive',
    'timetravel/snapshots/archive.ts',
    '  if (decodeContainer(packed, decoders, ports.xxh64)?.equals(plain) !== true) return undefined;\n',
  ),
  step(
    'digest of what was read of a transcript',
    'capture/reconcile',
    'capture/reconciliation.ts',
    'return tail === cursor.tail ? cursor.to : undefined;',
    'return cursor.to;',
  ),
  step(
    'chain of the history that a checkpoint is of',
    'projections/checkpoints',
    'projections/checkpoints.ts',
    'return found?.chain === this.#chainAt(seq) ? found : undefined;',
    'return found;',
  ),
  step(
    'sum of the ids that a segment had before',
    'journal/read/integrity-cache',
    'journal/read/integrity-cache.ts',
    '(again.length < had.count || sumOf(again) !== had.sum);',
    'again.length < had.count;',
  ),
];
