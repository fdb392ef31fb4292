import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Envelope, encodeEnvelope, typeTag } from '../../src/journal/format/envelope.ts';
import {
  FRAME_KIND,
  HINT,
  HINT_BYTES,
  HINT_MAGIC,
  SALT_BYTES,
  SEGMENT,
  SPOOL,
  SPOOL_HEADER_BYTES,
  SPOOL_MAGIC,
  SPOOL_RECORD,
  SPOOL_RECORD_HEAD_BYTES,
} from '../../src/journal/format/format.ts';
import { commitOf, type Entry, encodeFrame } from '../../src/journal/format/frame.ts';
import { encodeSegmentHeader, type SegmentHeader } from '../../src/journal/format/segment.ts';
import { sealSegment } from '../../src/journal/seal/seal.ts';
import type { Codec } from '../../src/platform/codecs/codecs.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';

// --- What the manifest says

/** What `vectors/manifest.json` says of one event, one damage and one vector. */
export interface ExpectedEvent {
  seq: number;
  /** Null in a tombstone. */
  type: string | null;
  /** 32 hex digits. */
  id: string;
  /** Of the MessagePack payload, 64 hex digits; null in a tombstone. */
  sha256: string | null;
  /** Given where decoding `data` is the point. */
  data?: unknown;
  /** True when the event is there and its `data` must be refused. */
  refused?: true;
}

export interface ExpectedWaiting {
  type: string;
  id: string;
  sha256: string;
}

export interface ExpectedDamage {
  kind: string;
  /** File name without its folder. */
  segment: string;
  offset: number;
  firstSeq: number | null;
  lastSeq: number | null;
}

/** A folder shaped like `.ben10/journal`. */
export interface JournalVector {
  path: string;
  kind: 'journal';
  why: string;
  events: ExpectedEvent[];
  waiting: ExpectedWaiting[];
  damage: ExpectedDamage[];
  /** Files of a later version that are passed by: the rest of the journal is read. */
  passed?: string[];
  /** Symbolic links to make, name and target: a package holds none. */
  links?: Record<string, string>;
  /** True when the journal must be refused as the work of a later version: no damage, and nothing is appended. */
  later?: true;
}

/** A block container in one file; `plain` is null when it must be refused. */
export interface ContainerVector {
  path: string;
  kind: 'container';
  why: string;
  plain: { bytes: number; sha256: string } | null;
  /** True where a later version wrote it. */
  later?: true;
}

/** One inbox file; `events` is null when it must be refused. */
export interface SpoolVector {
  path: string;
  kind: 'spool';
  why: string;
  events: ExpectedWaiting[] | null;
  /** True where a later version wrote it. */
  later?: true;
}

/** A `synced` file; null when it must be ignored. */
export interface HintVector {
  path: string;
  kind: 'hint';
  why: string;
  hint: { syncedUpto: number; syncedAt: number } | null;
}

export type Vector = JournalVector | ContainerVector | SpoolVector | HintVector;

export interface VectorManifest {
  format: number;
  vectors: Vector[];
}

/** A vector with the bytes of its files, by their path inside the vector; a single file has the path ''. */
export interface MadeVector {
  vector: Vector;
  files: ReadonlyMap<string, Buffer>;
}

// --- Bytes

/** Bytes that look random and never change: the digest of a label, as often as needed. */
export function bytesOf(label: string, count: number): Buffer {
  const parts: Buffer[] = [];
  for (let part = 0; part * 32 < count; part += 1) {
    parts.push(createHash('sha256').update(`ben10 vectors: ${label} #${part}`).digest());
  }
  return Buffer.concat(parts).subarray(0, count);
}

export const sha256 = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

/** 2026-01-01T00:00:00Z: where the vectors' time starts, milliseconds since the epoch. */
export const EPOCH_MS = 1_767_225_600_000;

/** A copy with some bytes replaced. */
export function patched(bytes: Buffer, offset: number, by: Uint8Array): Buffer {
  const copy = Buffer.from(bytes);
  copy.set(by, offset);
  return copy;
}

// --- Raw segments

export const JOURNAL_ID = '00112233445566778899aabbccddeeff';
export const ORIGIN_A = 'a0a1a2a3a4a5a6a7a8a9aaabacadaeaf';
export const ORIGIN_B = 'b0b1b2b3b4b5b6b7b8b9babbbcbdbebf';
export const START_CHAIN = Buffer.alloc(32);

/** An event that has no place yet. */
export interface Draft {
  label: string;
  /** Null in a tombstone. */
  type: string | null;
  payload: Buffer;
  kind: number;
  flags: number;
  syncedUpto: number;
}

/** An event of ordinary shape; its id and its salt follow from the label. */
export function draft(label: string, fields: Partial<Envelope> = {}): Draft {
  const envelope = envelopeOf(label, fields);
  return draftOf(label, envelope.type, encodeEnvelope(envelope));
}

export function envelopeOf(label: string, fields: Partial<Envelope> = {}): Envelope {
  return {
    type: 'prompt.submitted',
    version: 1,
    session: 's-1',
    agent: null,
    client: 'claude-code',
    source: 'hook',
    at: EPOCH_MS,
    data: { text: label },
    ...fields,
  };
}

export const draftOf = (label: string, type: string, payload: Buffer): Draft => ({
  label,
  type,
  payload,
  kind: FRAME_KIND.event,
  flags: 0,
  syncedUpto: 0,
});

/** Several events named after one label: `label 1`, `label 2`… */
export const drafts = (label: string, count: number): Draft[] =>
  Array.from({ length: count }, (_, index) => draft(`${label} ${index + 1}`));

/** Where a segment starts. */
export interface Start {
  firstSeq: number;
  prevChain: Buffer;
  origin?: string;
  journalId?: string;
  flags?: number;
  /** The wall time of its first event; default: one second an event since the epoch. */
  ms?: number;
}

export const FIRST: Start = { firstSeq: 1, prevChain: START_CHAIN };

/** A frame's place in its file. */
export interface Place {
  seq: number;
  offset: number;
  bytes: number;
  bodyBytes: number;
}

/** A segment file with all that is known of it. */
export interface Segment {
  origin: string;
  /** File name. */
  name: string;
  header: SegmentHeader;
  bytes: Buffer;
  entries: Entry[];
  places: Place[];
  /** One an entry; kinds that readers skip have none. */
  events: ExpectedEvent[];
  lastSeq: number;
  endChain: Buffer;
}

/** Encodes an active segment. The label salts it. */
export function segment(label: string, start: Start, list: readonly Draft[]): Segment {
  const ms = start.ms ?? EPOCH_MS + start.firstSeq * 1000;
  const header: SegmentHeader = {
    flags: start.flags ?? 0,
    journalId: Buffer.from(start.journalId ?? JOURNAL_ID, 'hex'),
    originId: Buffer.from(start.origin ?? ORIGIN_A, 'hex'),
    firstSeq: start.firstSeq,
    baseHlc: { ms, count: 0 },
    prevChain: start.prevChain,
    salt: bytesOf(`${label} segment salt`, 8).readBigUInt64LE(),
  };
  const made: Segment = {
    origin: start.origin ?? ORIGIN_A,
    name: `${String(start.firstSeq).padStart(16, '0')}.b10`,
    header,
    bytes: encodeSegmentHeader(header, xxh64),
    entries: [],
    places: [],
    events: [],
    lastSeq: start.firstSeq - 1,
    endChain: start.prevChain,
  };
  const parts = [made.bytes];
  let offset = made.bytes.length;
  for (const one of list) {
    const seq = made.lastSeq + 1;
    const entry = entryOf(one, seq, { ms: ms + made.places.length * 1000, count: 0 });
    const place = { salt: header.salt, offset, previousChain: made.endChain };
    const { frame, chain } = encodeFrame(entry, place, xxh64);
    const bodyBytes = entry.kind === FRAME_KIND.tombstone ? 0 : SALT_BYTES + entry.payload.length;
    made.entries.push(entry);
    made.places.push({ seq, offset, bytes: frame.length, bodyBytes });
    if (entry.kind <= FRAME_KIND.tombstone) made.events.push(expected(one, entry));
    made.lastSeq = seq;
    made.endChain = chain;
    parts.push(frame);
    offset += frame.length;
  }
  made.bytes = Buffer.concat(parts);
  return made;
}

function entryOf(one: Draft, seq: number, hlc: Entry['hlc']): Entry {
  const salt = bytesOf(`${one.label} salt`, SALT_BYTES);
  return {
    kind: one.kind,
    flags: one.flags,
    typeTag: typeTag(one.type ?? 'prompt.submitted', xxh64),
    seq,
    hlc,
    id: bytesOf(`${one.label} id`, 16),
    syncedUpto: one.syncedUpto,
    salt: one.kind === FRAME_KIND.tombstone ? Buffer.alloc(0) : salt,
    payload: one.kind === FRAME_KIND.tombstone ? Buffer.alloc(0) : one.payload,
    commit: commitOf(salt, one.payload),
  };
}

function expected(one: Draft, entry: Entry): ExpectedEvent {
  const tombstone = entry.kind === FRAME_KIND.tombstone;
  return {
    seq: entry.seq,
    type: tombstone ? null : one.type,
    id: entry.id.toString('hex'),
    sha256: tombstone ? null : sha256(entry.payload),
  };
}

/** Where the segment after `last` starts. */
export const after = (last: Segment): Start => ({
  firstSeq: last.lastSeq + 1,
  prevChain: last.endChain,
  origin: last.origin,
});

export const frameAt = (made: Segment, seq: number): Place =>
  made.places.find((place) => place.seq === seq)!;

export const withBytes = (made: Segment, bytes: Buffer): Segment => ({ ...made, bytes });

// --- Sealed segments

/** A codec that never shrinks anything: chunks are stored as they are. */
export const storing: Codec = { compress: () => undefined };

/** The sealed form of a segment. */
export function sealed(made: Segment, codec: Codec, level = 3): Segment {
  const bytes = sealSegment(made.header, made.entries, level, codec, xxh64);
  return { ...made, name: `${made.name}z`, bytes, places: [] };
}

/** Makes the segment header's checksum good again after an edit, in place. */
export function mendSegmentHeader(bytes: Buffer): Buffer {
  bytes.writeBigUInt64LE(xxh64(bytes.subarray(0, SEGMENT.checksum), 0n), SEGMENT.checksum);
  return bytes;
}

// --- Other files

/** A sync hint, of the vectors' first moment unless told otherwise. */
export function hintFile(syncedUpto: number, syncedAt = EPOCH_MS, magic = HINT_MAGIC): Buffer {
  const bytes = Buffer.alloc(HINT_BYTES);
  bytes.set(magic, HINT.magic);
  bytes.writeBigUInt64LE(BigInt(syncedUpto), HINT.syncedUpto);
  bytes.writeBigUInt64LE(BigInt(syncedAt), HINT.syncedAt);
  bytes.writeBigUInt64LE(xxh64(bytes.subarray(0, HINT.checksum), 0n), HINT.checksum);
  return bytes;
}

export const waitingOf = (list: readonly Draft[]): ExpectedWaiting[] =>
  list.map((one) => ({
    type: one.type!,
    id: bytesOf(`${one.label} id`, 16).toString('hex'),
    sha256: sha256(one.payload),
  }));

export const spoolName = (second: number, label: string): string => {
  const stamp = `${(EPOCH_MS + second * 1000).toString(16).padStart(12, '0')}0000`;
  return `inbox/${stamp}-${bytesOf(label, 6).toString('hex')}.evt`;
};

/** An inbox file; its sum is sound. */
export function spoolFile(list: readonly Draft[], version = 1): Buffer {
  const records = list.flatMap((one) => {
    const head = Buffer.alloc(SPOOL_RECORD_HEAD_BYTES);
    head.set(bytesOf(`${one.label} id`, 16), SPOOL_RECORD.id);
    head.writeUInt32LE(one.payload.length, SPOOL_RECORD.payloadBytes);
    head.writeUInt32LE(typeTag(one.type!, xxh64), SPOOL_RECORD.typeTag);
    return [head, one.payload];
  });
  const body = Buffer.concat(records);
  const header = Buffer.alloc(SPOOL_HEADER_BYTES);
  header.set(SPOOL_MAGIC, SPOOL.magic);
  header.writeUInt8(version, 7);
  header.writeUInt32LE(list.length, SPOOL.count);
  header.writeUInt32LE(body.length, SPOOL.bodyBytes);
  const seed = xxh64(header.subarray(0, SPOOL.checksum), 0n);
  header.writeBigUInt64LE(xxh64(body, seed), SPOOL.checksum);
  return Buffer.concat([header, body]);
}

export interface Expectation {
  /** Default: every event of every segment. */
  events?: ExpectedEvent[];
  waiting?: JournalVector['waiting'];
  damage?: ExpectedDamage[];
  /** Further files, by their path in the journal's folder. */
  files?: Record<string, Buffer>;
  /** False leaves the manifest out. */
  manifest?: boolean;
  /** True when a reader must refuse the journal. */
  later?: true;
  passed?: string[];
  links?: Record<string, string>;
}

/** A journal of the given segments. */
export function journal(
  path: string,
  why: string,
  segments: readonly Segment[],
  expectation: Expectation = {},
): MadeVector {
  const files = new Map<string, Buffer>();
  if (expectation.manifest !== false) files.set('manifest', manifestFile());
  for (const one of segments) files.set(`${one.origin}/${one.name}`, one.bytes);
  for (const [name, bytes] of Object.entries(expectation.files ?? {})) files.set(name, bytes);
  const vector: JournalVector = {
    path,
    kind: 'journal',
    why,
    events: expectation.events ?? eventsOf(segments),
    waiting: expectation.waiting ?? [],
    damage: expectation.damage ?? [],
    ...(expectation.later === true ? { later: true } : {}),
    ...(expectation.passed && { passed: expectation.passed }),
    ...(expectation.links && { links: expectation.links }),
  };
  return { vector, files };
}

/** The events of an origin's segments, without those of the seqs named. */
export const eventsOf = (
  segments: readonly Segment[],
  except: readonly number[] = [],
): ExpectedEvent[] =>
  segments.flatMap((one) => one.events).filter((event) => !except.includes(event.seq));

export function damage(
  kind: string,
  made: { name: string },
  offset: number,
  firstSeq: number | null,
  lastSeq: number | null,
): ExpectedDamage {
  return { kind, segment: made.name, offset, firstSeq, lastSeq };
}

/** The manifests', 64 hex digits. */
export const BLOB_KEY = '5a'.repeat(32);

export function manifestFile(fields: object = {}): Buffer {
  const line = JSON.stringify({
    format: 1,
    journalId: JOURNAL_ID,
    origin: ORIGIN_A,
    createdAt: EPOCH_MS,
    generation: 0,
    erasureEpoch: 0,
    blobKey: BLOB_KEY,
    ...fields,
  });
  const sum = xxh64(Buffer.from(line), 0n).toString(16).padStart(16, '0');
  return Buffer.from(`${line}\n${sum}\n`);
}

// --- Writing

const VECTORS = path.resolve('journal-format/vectors');
const FOLDERS = ['valid', 'torn', 'corrupt', 'hostile', 'evolution'];

/**
 * Writes vectors and names them in the manifest.
 * @throws Error where a file is there with other bytes: a vector is never written again
 */
export function add(made: readonly MadeVector[]): void {
  const text = readFileSync(path.join(VECTORS, 'manifest.json'), 'utf8');
  const manifest = JSON.parse(text) as VectorManifest;
  const all = new Map(manifest.vectors.map((vector) => [vector.path, vector]));
  for (const { vector, files } of made) {
    for (const [name, bytes] of files) write(path.join(VECTORS, vector.path, name), bytes);
    all.set(vector.path, vector);
  }
  const rank = ({ path: of }: Vector): number => FOLDERS.indexOf(of.split('/')[0]!);
  const inOrder = [...all.values()].sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1));
  writeFileSync(path.join(VECTORS, 'manifest.json'), manifestText({ format: 1, vectors: inOrder }));
}

function write(file: string, bytes: Buffer): void {
  if (existsSync(file) && !readFileSync(file).equals(bytes))
    throw new Error(`${file} is there with other bytes`);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}

/** One vector, one event and one damage a line: a change is read as a change. */
function manifestText({ format, vectors }: VectorManifest): string {
  const texts = vectors.map((vector) => {
    const fields = Object.entries(vector).map(([key, value]) => {
      const rows = Array.isArray(value) && value.length > 0;
      const lines = rows ? value.map((row) => `        ${JSON.stringify(row)}`).join(',\n') : '';
      return `      ${JSON.stringify(key)}: ${rows ? `[\n${lines}\n      ]` : JSON.stringify(value)}`;
    });
    return `    {\n${fields.join(',\n')}\n    }`;
  });
  return `{\n  "format": ${format},\n  "vectors": [\n${texts.join(',\n')}\n  ]\n}\n`;
}
