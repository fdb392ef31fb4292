/**
 * The constants of journal format 1. `journal-format/SPEC.md` is the authority; a test compares its tables with this file.
 * Integers are little-endian, offsets and sizes in bytes.
 */
export const FORMAT_MAJOR = 1;
export const FORMAT_MINOR = 0;

/** `BEN10`, a letter, NUL, 1. */
const magicOf = (letter: string): Buffer => Buffer.from(`BEN10${letter}\0\u0001`);

// --- Segment header
/** NUL and the version stand inside, so that text tools stop and an eye in a hex editor sees the format. */
export const SEGMENT_MAGIC = magicOf('J');
export const SEGMENT_HEADER_BYTES = 128;
export const SEGMENT = {
  magic: 0,
  headerBytes: 8,
  formatMinor: 10,
  flags: 12,
  journalId: 16,
  originId: 32,
  firstSeq: 48,
  baseHlc: 56,
  prevChain: 64,
  salt: 96,
  reserved: 104,
  checksum: 120,
} as const;
export const SEGMENT_FLAG = {
  /** Opened because the segment before it has damage that may not be cut off. */
  afterDamage: 1,
  /** The body is chunks, index and footer instead of frames. */
  sealed: 2,
  /** Reserved for preallocated files; a reader of minor 0 refuses it. */
  preallocated: 4,
  /** Reserved: a later version's segment that readers do without. Writers refuse the journal behind one. */
  skip: 8,
} as const;

// --- Frame
export const FRAME_MAGIC = 0x46303142; // 'B10F'
export const FRAME_END_MAGIC = 0x42313046; // 'F01B'
export const FRAME_HEADER_BYTES = 128;
export const FRAME_TRAILER_BYTES = 16;
/** Frames start at multiples of 8, so that a search behind damage has few places to look at. */
export const FRAME_ALIGN = 8;
export const FRAME = {
  magic: 0,
  kind: 4,
  flags: 5,
  headerBytes: 6,
  bodyBytes: 8,
  typeTag: 12,
  seq: 16,
  hlc: 24,
  id: 32,
  syncedUpto: 48,
  commit: 56,
  chain: 88,
  checksum: 120,
} as const;
export const TRAILER = { bodyChecksum: 0, frameBytes: 8, endMagic: 12 } as const;
/** The part of a frame's header that its chain covers: what erasing a body must not change. */
export const CHAINED = { start: FRAME.typeTag, end: FRAME.chain } as const;
export const FRAME_KIND = { event: 1, tombstone: 2 } as const;
/** Readers skip unknown kinds from here on and refuse the unknown ones below. */
export const FRAME_KIND_SKIPPABLE = 128;
/** The event waited in the inbox before it got its seq. */
export const FRAME_FLAG = { fromInbox: 1 } as const;
export const ID_BYTES = 16;
/** Unguessable, one per event: makes the commitment say nothing about an erased body. */
export const SALT_BYTES = 16;
export const HASH_BYTES = 32;
export const COMMIT_DOMAIN = Buffer.from('ben10/body/1');
export const CHAIN_DOMAIN = Buffer.from('ben10/chain/1');

// --- Limits
/** A frame's body with its salt. Larger texts go to blobs/: one event must not dominate a segment. */
export const BODY_BYTES_MAX = 1024 * 1024;
/** A segment is closed at this size: rewritten in about 100 ms, yet few files. */
export const SEGMENT_BYTES_DEFAULT = 8 * 1024 * 1024;
/** Readers load a segment whole, so a larger file is refused as hostile. */
export const SEGMENT_BYTES_MAX = 64 * 1024 * 1024;
/** How many seqs a file name may leave out if the newest segment's header is damaged. */
export const SEQ_GAP_MAX = 2 ** 32;
/** A segment is closed at this age, so that yesterday's events can be sealed. */
export const SEGMENT_AGE_MS_MAX = 24 * 60 * 60 * 1000;

// --- Sealed segment
/** Records of a chunk: what one damaged place takes with it. */
export const CHUNK_RECORDS_TARGET = 80;
/** Plain bytes of a chunk, unless a single record is larger: what must be unpacked to read one event. */
export const CHUNK_BYTES_TARGET = 256 * 1024;
/** What readers accept: room for one record of the largest size, and more. */
export const CHUNK_BYTES_MAX = 1_310_848;
export const RECORD_HEAD_BYTES = 40;
export const RECORD_HEAD = {
  kind: 0,
  flags: 1,
  reserved: 2,
  payloadBytes: 4,
  typeTag: 8,
  reserved2: 12,
  seq: 16,
  hlc: 24,
  syncedUpto: 32,
} as const;
/** Stands before each chunk and again in the index, so that a lost index loses nothing. */
export const CHUNK_HEADER_BYTES = 104;
export const CHUNK = {
  firstSeq: 0,
  firstHlc: 8,
  minAt: 16,
  maxAt: 24,
  offset: 32,
  storedBytes: 40,
  plainBytes: 44,
  count: 48,
  method: 52,
  reserved: 53,
  plainChecksum: 56,
  endChain: 64,
  checksum: 96,
} as const;
/** The first 8 bytes of an event's id, as it stands in the sorted id table. */
export const ID_PREFIX_BYTES = 8;
export const FOOTER_MAGIC = magicOf('Z');
export const FOOTER_BYTES = 128;
export const FOOTER = {
  lastSeq: 0,
  lastHlc: 8,
  count: 16,
  chunks: 20,
  indexOffset: 24,
  idsOffset: 32,
  level: 40,
  reserved: 41,
  endChain: 48,
  digest: 80,
  checksum: 112,
  magic: 120,
} as const;

// --- Block container (stored states, blobs, snapshots)
export const CONTAINER_MAGIC = magicOf('C');
export const CONTAINER_HEADER_BYTES = 32;
export const CONTAINER = {
  magic: 0,
  plainBytes: 8,
  blocks: 16,
  reserved: 20,
  checksum: 24,
} as const;
export const BLOCK_HEADER_BYTES = 24;
export const BLOCK = {
  method: 0,
  reserved: 1,
  plainBytes: 4,
  storedBytes: 8,
  reserved2: 12,
  plainChecksum: 16,
} as const;
/** lz4js writes frames above 4 MiB that the `lz4` program can refuse. */
export const BLOCK_BYTES_MAX = 1024 * 1024;
export const METHOD = { raw: 0, lz4: 1, zstd: 2 } as const;
/** What a container may unpack to. */
export const CONTAINER_BYTES_MAX = 256 * 1024 * 1024;

// --- Inbox and hint
export const SPOOL_MAGIC = magicOf('S');
export const SPOOL_HEADER_BYTES = 32;
export const SPOOL = { magic: 0, count: 8, bodyBytes: 12, checksum: 16, reserved: 24 } as const;
export const SPOOL_RECORD_HEAD_BYTES = 24;
export const SPOOL_RECORD = { id: 0, payloadBytes: 16, typeTag: 20 } as const;
export const HINT_MAGIC = magicOf('H');
export const HINT_BYTES = 32;
export const HINT = { magic: 0, syncedUpto: 8, syncedAt: 16, checksum: 24 } as const;
