import { readBigU64, readU16, readU32, readU64 } from '../format/bytes.ts';
import { isPlausible } from '../format/decode-frame.ts';
import {
  FRAME,
  FRAME_ALIGN,
  FRAME_END_MAGIC,
  FRAME_HEADER_BYTES,
  FRAME_MAGIC,
  FRAME_TRAILER_BYTES,
  HASH_BYTES,
  SEGMENT,
  SEGMENT_HEADER_BYTES,
  TRAILER,
} from '../format/format.ts';
import { chainedIn, chainOf, frameBytes } from '../format/frame.ts';
import { type Hlc, readHlc } from '../format/hlc.ts';
import type { SegmentFile } from '../format/layout.ts';
import type { JournalPorts } from '../format/ports.ts';
import type { SegmentHeader } from '../format/segment.ts';
import { isCommitted, moveFrame } from './frame.ts';
import type { Surroundings } from './header.ts';
import { UNKNOWN_CHAIN } from './piece.ts';

/** A raw segment that can be read again. */
export interface Resalted {
  header: SegmentHeader;
  /** As long as before: the frames that were proved, where they stood, and else the bytes as they were. */
  bytes: Buffer;
}

/**
 * A raw segment whose header is lost with its salt, under a new salt: no sum in it can be checked any more, but the
 * commitments say which payloads are whole, and the chain that the frames follow on each other. Both are digests of
 * 256 bits. A frame is proved by both: it has to follow on the one before, or to be followed on by the one behind. Neither has a
 * key, so frames that somebody put into a text could pass behind lost bytes, where the text's own frame is lost: those that begin
 * there are only believed where they go on to the file's end; and never where the salt seems to be what it was, so that they are
 * another file's.
 * @returns undefined where no frame is proved, or what is there is another history
 */
export function resalted(
  bytes: Buffer,
  { file, journalId, chainBefore }: Surroundings,
  { random, xxh64 }: JournalPorts,
): Resalted | undefined {
  if (file.sealed || bytes.length <= SEGMENT_HEADER_BYTES) return undefined;
  const fresh = Buffer.alloc(8);
  random.fill(fresh);
  const salt = readBigU64(fresh, 0);
  const made = Buffer.from(bytes);
  const known = file.firstSeq === 1 ? UNKNOWN_CHAIN : chainBefore;
  const isSaltKept = isSoundAroundSalt(bytes, file, journalId, known);
  let firstHlc: Hlc | undefined;
  let end: End = { offset: SEGMENT_HEADER_BYTES, seq: file.firstSeq - 1, chain: known };
  /** Frames behind lost bytes, from there to `end`. */
  let open: { at: number; before: End; firstHlc: Hlc | undefined } | undefined;
  const close = () => {
    if (open === undefined) return;
    bytes.copy(made, open.at, open.at, end.offset);
    ({ before: end, firstHlc } = open);
    open = undefined;
  };
  /** Of bodies that are no event's: looked at without an end, they would take hours. */
  let inVain = 0;
  for (let at = end.offset; at < bytes.length && inVain <= bytes.length; ) {
    const claim = claimAt(made, at);
    const follows = claim === undefined ? 'not' : followsOn(claim, end);
    if (claim !== undefined && follows === 'not' && at === SEGMENT_HEADER_BYTES) return undefined;
    const isWhole = claim !== undefined && isCommitted(made, at, claim.bodyBytes);
    const isProved =
      follows === 'proved' ||
      (follows === 'possible' && !isSaltKept && isWhole && isFollowed(made, claim));
    if (claim === undefined || !isProved) {
      // It may be what follows on the frames before the lost bytes.
      if (open !== undefined) {
        close();
        continue;
      }
      inVain += claim?.bodyBytes ?? 0;
      at += FRAME_ALIGN;
      continue;
    }
    if (at > end.offset) open = { at, before: end, firstHlc };
    const moved = moveFrame(made.subarray(at, at + claim.bytes), at, salt, xxh64);
    // Of an event whose payload is not the committed one, only that it was there is proved.
    made.set(isWhole ? moved : moved.subarray(0, FRAME_HEADER_BYTES), at);
    firstHlc ??= readHlc(claim.header, FRAME.hlc);
    at += claim.bytes;
    end = { offset: at, seq: claim.seq, chain: claim.chain };
  }
  if (firstHlc === undefined) return undefined;
  const header: SegmentHeader = {
    flags: 0,
    journalId: Buffer.from(journalId, 'hex'),
    originId: Buffer.from(file.origin, 'hex'),
    firstSeq: file.firstSeq,
    baseHlc: firstHlc,
    prevChain: known ?? UNKNOWN_CHAIN,
    salt,
  };
  return { header, bytes: made };
}

/** Whether what stands before the salt and behind it is as it must be: damage that took the salt alone is less likely than none. */
function isSoundAroundSalt(
  bytes: Buffer,
  file: SegmentFile,
  journalId: string,
  prevChain: Buffer | undefined,
): boolean {
  const ids = Buffer.from(journalId + file.origin, 'hex');
  return (
    bytes.subarray(SEGMENT.journalId, SEGMENT.firstSeq).equals(ids) &&
    readU64(bytes, SEGMENT.firstSeq) === file.firstSeq &&
    prevChain?.equals(bytes.subarray(SEGMENT.prevChain, SEGMENT.salt)) === true &&
    readBigU64(bytes, SEGMENT.reserved) === 0n
  );
}

const FRAME_BYTES_MIN = FRAME_HEADER_BYTES + FRAME_TRAILER_BYTES;

/** Where the last frame that was proved ends. */
interface End {
  offset: number;
  seq: number;
  chain: Buffer | undefined;
}

/** What looks like a frame. */
interface Claim {
  offset: number;
  header: Buffer;
  seq: number;
  bodyBytes: number;
  /** All of it. */
  bytes: number;
  chain: Buffer;
}

function claimAt(made: Buffer, offset: number): Claim | undefined {
  if (offset + FRAME_BYTES_MIN > made.length) return undefined;
  const header = Buffer.from(made.subarray(offset, offset + FRAME_HEADER_BYTES));
  if (readU32(header, FRAME.magic) !== FRAME_MAGIC) return undefined;
  if (readU16(header, FRAME.headerBytes) !== FRAME_HEADER_BYTES) return undefined;
  if (readU32(header, FRAME.seq + 4) > 0x1f_ffff) return undefined;
  const bodyBytes = readU32(header, FRAME.bodyBytes);
  if (!isPlausible(header[FRAME.kind]!, header[FRAME.flags]!, bodyBytes)) return undefined;
  const bytes = frameBytes(bodyBytes);
  if (offset + bytes > made.length) return undefined;
  const trailer = offset + bytes - FRAME_TRAILER_BYTES;
  if (readU32(made, trailer + TRAILER.endMagic) !== FRAME_END_MAGIC) return undefined;
  if (readU32(made, trailer + TRAILER.frameBytes) !== bytes) return undefined;
  const chain = header.subarray(FRAME.chain, FRAME.chain + HASH_BYTES);
  return { offset, header, seq: readU64(header, FRAME.seq), bodyBytes, bytes, chain };
}

/** Behind lost bytes a frame may leave out the events that there was room for. */
function followsOn({ offset, header, seq, chain }: Claim, end: End): 'proved' | 'possible' | 'not' {
  const between = seq - end.seq - 1;
  const room = Math.floor((offset - end.offset) / FRAME_BYTES_MIN);
  if (between < 0 || between > room) return 'not';
  if (between > 0 || offset > end.offset || end.chain === undefined) return 'possible';
  return chainOf(end.chain, chainedIn(header)).equals(chain) ? 'proved' : 'not';
}

function isFollowed(made: Buffer, { offset, bytes, chain }: Claim): boolean {
  const next = claimAt(made, offset + bytes);
  return next !== undefined && chainOf(chain, chainedIn(next.header)).equals(next.chain);
}
