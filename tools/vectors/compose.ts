import { type Envelope, encodeEnvelope, typeTag } from '../../src/journal/format/envelope.ts';
import { FRAME_KIND, SALT_BYTES } from '../../src/journal/format/format.ts';
import { commitOf, type Entry, encodeFrame } from '../../src/journal/format/frame.ts';
import { encodeSegmentHeader, type SegmentHeader } from '../../src/journal/format/segment.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { bytesOf, EPOCH_MS, sha256 } from './bytes.ts';
import type { ExpectedEvent } from './model.ts';

export const JOURNAL_ID = '00112233445566778899aabbccddeeff';
export const ORIGIN_A = 'a0a1a2a3a4a5a6a7a8a9aaabacadaeaf';
export const ORIGIN_B = 'b0b1b2b3b4b5b6b7b8b9babbbcbdbebf';
export const FOREIGN_JOURNAL_ID = 'ffeeddccbbaa99887766554433221100';
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
  /** Seqs left out before this one: what no honest writer does. */
  skip: number;
  /** For the expectation only. */
  expect: { data?: unknown; refused?: true };
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
  skip: 0,
  expect: {},
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
    const seq = made.lastSeq + 1 + one.skip;
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
    ...one.expect,
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

export const frameBytesOf = (made: Segment, seq: number): Buffer => {
  const { offset, bytes } = frameAt(made, seq);
  return made.bytes.subarray(offset, offset + bytes);
};

export const withBytes = (made: Segment, bytes: Buffer): Segment => ({ ...made, bytes });
