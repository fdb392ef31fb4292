// The commitments and the chain: where what was read is compared with what the history says.
import { behind, step } from './step.mjs';

const VERIFY = 'journal/verify/verify';

const commitsBefore = step(
  'commitments before sealing',
  'journal/seal/compact',
  'journal/read/whole.ts',
  'commitOf(entry.salt, entry.payload).equals(entry.commit);',
  'true;',
);
const chainBefore = step(
  'chain before sealing',
  'journal/seal/compact',
  'journal/read/whole.ts',
  'if (entries.length === 0 || !chain.equals(endChain)) return undefined;',
  'if (entries.length === 0) return undefined;',
);
const readsBack = step(
  'a sealed segment reads back the same',
  'journal/seal/compact',
  'journal/seal/compact-segment.ts',
  'count === source.entries.length && chain.equals(source.endChain);',
  'count === source.entries.length;',
);

export const chain = [
  step(
    'name of a blob against its bytes',
    'journal/append/blobs',
    'journal/append/blobs.ts',
    'return nameOf(blobKey, plain) === name ? plain : undefined;',
    'return plain;',
  ),
  step(
    'commitment of an event, in verify',
    VERIFY,
    'journal/read/history-walk.ts',
    '!frame.isCommitted()',
    'false',
  ),
  step(
    'chain of an event, in verify',
    VERIFY,
    'journal/read/history-walk.ts',
    '!frame.isChainedTo(this.#input)',
    'false',
  ),
  step(
    'chain of an event of a later kind, in verify',
    'journal/format/frame',
    'journal/format/decode-frame.ts',
    'return chainOf(previous.chain, this.chained).equals(this.chain);',
    'return true;',
  ),
  step(
    'chain of a segment on the one before, in verify',
    VERIFY,
    'journal/read/history-walk.ts',
    ' || prevChain.equals(this.#chain);',
    ' || true;',
  ),
  step(
    'chain at the end of a chunk, in verify',
    VERIFY,
    'journal/read/history-walk.ts',
    '    if (this.#chainSeq === lastSeq && !this.#chain.equals(endChain))',
    '    if (false)',
  ),
  step(
    'chain in the footer, in verify',
    VERIFY,
    'journal/read/misfits.ts',
    'footer.endChain.equals(chunks.at(-1)!.endChain)',
    'true',
  ),
  behind(commitsBefore, chainBefore, readsBack),
  behind(chainBefore, readsBack),
  step(
    'chain of a frame behind damage',
    ['journal/read/scan', 'journal/verify/verify'],
    'journal/read/scan.ts',
    'return chainOf(frame.chain, chainedIn(segment.subarray(behind.offset))).equals(behind.chain);',
    'return true;',
  ),
  behind(readsBack, chainBefore),
  step(
    'a sealed segment reads back kinds and flags',
    'safety/memory',
    'journal/seal/compact-segment.ts',
    'if (entry.kind !== before?.kind || entry.flags !== before.flags) return false;',
  ),
  behind(
    step(
      'a segment with tombstones reads back the same',
      'safety/erase',
      'journal/erase/segment.ts',
      'copy?.endChain.equals(wanted.endChain) === true &&',
      'copy !== undefined &&',
    ),
    chainBefore,
  ),
  step(
    'a segment with tombstones reads back kinds and flags',
    'safety/memory',
    'journal/erase/segment.ts',
    'isProved && entry.kind === kind && entry.flags === flags && entry.payload.equals(payload)',
    'isProved',
  ),
  step(
    'a segment with tombstones reads back what no chain tells of',
    'journal/erase/behind-loss',
    'journal/erase/segment.ts',
    '|| isSameEntry(entry, same)',
    '|| true',
  ),
  step(
    'a sealed segment reads back what no chain tells of',
    'journal/erase/behind-loss',
    'journal/seal/compact-segment.ts',
    'if (anchored !== undefined && !isSameEntry(entry, before)) return false;',
  ),
  step(
    'chained bytes of what no chain tells of',
    'journal/erase/behind-loss',
    'journal/read/whole.ts',
    'chainedBytes(one).equals(chainedBytes(other));',
    'true;',
  ),
  step(
    'a segment with tombstones stands on the disk as it was written',
    'journal/erase/erase',
    'journal/erase/segment.ts',
    '  if (!readFile(ports.fs, file.path, SEGMENT_BYTES_MAX).equals(bytes)) throw notTheSame(file);',
  ),
  step(
    'a repaired segment reads back without damage',
    'safety/memory',
    'journal/repair/files.ts',
    "  if (!isSound(ports, bytes)) throw new RangeError('a repaired segment does not read back');",
  ),
];

const REPAIR = 'journal/repair/repair';

/** A repair believes what it mended only where something that it did not touch agrees. */
export const mending = [
  step(
    'sum of a frame header that is mended',
    ['journal/repair/frame', REPAIR],
    'journal/repair/frame.ts',
    'const isSummed = () => xxh64(fields, seed) === readBigU64(header, FRAME.checksum);',
    'const isSummed = () => true;',
  ),
  step(
    'sum of a frame body that is mended',
    ['journal/repair/frame', REPAIR],
    'journal/repair/frame.ts',
    'const bit = flippedBit(body, () => xxh64(body, seed) === wanted);',
    'const bit = flippedBit(body, () => true);',
  ),
  step(
    'commitment of a frame that is mended',
    ['journal/repair/frame', REPAIR],
    'journal/repair/frame.ts',
    'return commitOf(salt, payload).equals(commit);',
    'return true;',
  ),
  step(
    'chain of a header that is made anew',
    'safety/repair-chain',
    'journal/repair/header.ts',
    'chainOf(one, chained).equals(first.chain),',
    'true,',
  ),
  step(
    'origin of a first segment whose header is lost',
    'journal/repair/header',
    'journal/repair/header.ts',
    'if (bitsOff(bytes, SEGMENT.magic, MAGIC) > MAGIC_BITS_OFF_MAX) return false;',
    'return false;',
  ),
  step(
    'chain behind a cut',
    'safety/repair-chain',
    'journal/repair/raw.ts',
    'chainOf(chain, chainedBytes(first)).equals(first.chain)',
    'true',
  ),
  step(
    'chain of the chunks that a repair keeps',
    ['journal/repair/sealed', REPAIR, 'journal/read/sealed'],
    'journal/repair/sealed.ts',
    '      if (!end.equals(header.endChain)) return false;',
  ),
  step(
    'a raw segment takes the place of its sealed form with all that is in it',
    'journal/repair/twin',
    'journal/repair/segment.ts',
    'entry === undefined || isInTwin(entry)',
    'true',
  ),
];
