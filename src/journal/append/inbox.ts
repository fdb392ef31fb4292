import { errno } from '../../platform/errors.ts';
import { publishFile, readdirIfThere, readFile } from '../../platform/files.ts';
import { randomHex } from '../../platform/random.ts';
import {
  isLaterMagic,
  isZero,
  readBigU64,
  readU32,
  writeBigU64,
  writeU32,
} from '../format/bytes.ts';
import type { Durability } from '../format/durability.ts';
import type { Envelope } from '../format/envelope.ts';
import {
  BODY_BYTES_MAX,
  ID_BYTES,
  SALT_BYTES,
  SPOOL,
  SPOOL_HEADER_BYTES,
  SPOOL_MAGIC,
  SPOOL_RECORD,
  SPOOL_RECORD_HEAD_BYTES,
} from '../format/format.ts';
import { type Hlc, nextHlc } from '../format/hlc.ts';
import { type Layout, syncLayout } from '../format/layout.ts';
import type { JournalPorts, ReaderPorts } from '../format/ports.ts';

/** What a writer appends: already encoded, so that the journal need not know what it means. */
export interface NewEvent {
  /** 16 bytes; the same fact has the same id, whoever saw it. */
  id: Buffer;
  typeTag: number;
  /** A MessagePack envelope. */
  payload: Buffer;
  durability: Durability;
  /** What `payload` says, where it was encoded by this very process. To be read only. */
  envelope?: Envelope;
  /** What has to stand before this one, and may have been lost. */
  prerequisite?: Prerequisite | undefined;
  /**
   * Stores again what an erasure may have removed with the last event that named it. Called when the event is written as a
   * new one.
   */
  putAgain?: (() => void) | undefined;
}

/** An event that is made, and appended, only where none of its id is found. */
export interface Prerequisite {
  id: Buffer;
  make(): NewEvent;
}

/** What a hostile spool file can make a reader load. */
const SPOOL_BYTES_MAX = 32 * 1024 * 1024;
/** A larger append is spooled as several files, so that each stays below what readers accept. */
const SPOOL_BYTES_TARGET = 8 * 1024 * 1024;
/** More files than this in the inbox are left for the next time. */
export const INBOX_FILES_MAX = 100_000;
/** Milliseconds (12 hex digits) and a counter (4): a writer's files sort in the order of writing. */
const NAME = /^[0-9a-f]{16}-[0-9a-f]{12}\.evt$/;

/** Files that wait, oldest first. */
export function listInbox(ports: ReaderPorts, layout: Layout): string[] {
  const names = readdirIfThere(ports.fs, layout.inbox).filter((name) => NAME.test(name));
  return names.sort().slice(0, INBOX_FILES_MAX);
}

/**
 * Leaves events for the next lock holder, in files published by a rename. @param after the writer's last file: the next
 * sorts behind it
 * @returns the name of the last file @throws Node's error if even that cannot be written
 */
export function spool(
  ports: JournalPorts,
  layout: Layout,
  events: readonly NewEvent[],
  after?: string,
): string {
  // Nobody knows when the next lock holder comes by, so `interval` events are synced now.
  const durable = events.some((event) => event.durability !== 'process');
  let stamp = after === undefined ? { ms: 0, count: 0 } : stampOf(after);
  let name = '';
  for (const part of inParts(events)) {
    stamp = nextHlc(stamp, ports.clock.now());
    const hex = stamp.ms.toString(16).padStart(12, '0') + stamp.count.toString(16).padStart(4, '0');
    name = `${hex}-${randomHex(ports.random, 6)}.evt`;
    const path = `${layout.inbox}/${name}`;
    publishFile(ports.fs, path, `${path}.tmp`, encodeSpool(ports, part), { durable });
  }
  if (durable) {
    ports.fs.syncDir(layout.inbox);
    if (ports.fs.statIfThere(layout.manifest) === undefined) syncLayout(ports.fs, layout);
  }
  return name;
}

const stampOf = (name: string): Hlc => ({
  ms: Number.parseInt(name.slice(0, 12), 16),
  count: Number.parseInt(name.slice(12, 16), 16),
});

function* inParts(events: readonly NewEvent[]): Generator<NewEvent[]> {
  let part: NewEvent[] = [];
  let bytes = 0;
  for (const event of events) {
    part.push(event);
    bytes += SPOOL_RECORD_HEAD_BYTES + event.payload.length;
    if (bytes < SPOOL_BYTES_TARGET) continue;
    yield part;
    part = [];
    bytes = 0;
  }
  if (part.length > 0) yield part;
}

function encodeSpool(ports: JournalPorts, events: readonly NewEvent[]): Buffer {
  const parts: Buffer[] = [];
  for (const event of events) {
    const head = Buffer.alloc(SPOOL_RECORD_HEAD_BYTES);
    head.set(event.id, SPOOL_RECORD.id);
    writeU32(head, event.payload.length, SPOOL_RECORD.payloadBytes);
    writeU32(head, event.typeTag, SPOOL_RECORD.typeTag);
    parts.push(head, event.payload);
  }
  const body = Buffer.concat(parts);
  const header = Buffer.alloc(SPOOL_HEADER_BYTES);
  header.set(SPOOL_MAGIC, SPOOL.magic);
  writeU32(header, events.length, SPOOL.count);
  writeU32(header, body.length, SPOOL.bodyBytes);
  writeBigU64(header, checksum(ports, header, body), SPOOL.checksum);
  return Buffer.concat([header, body]);
}

/** Header and body under one sum; SHA-256 would cost too much for a temporary file. */
function checksum(ports: ReaderPorts, header: Buffer, body: Buffer): bigint {
  return ports.xxh64(body, ports.xxh64(header.subarray(0, SPOOL.checksum), 0n));
}

const NOT_OURS = new Set<string | undefined>(['EFBIG', 'EISDIR', 'ELOOP']);

/**
 * The events in a file; `damaged` also if it is not ours; `later` if a later version left it: that one will read it.
 * @throws Node's error when it is gone or cannot be read
 */
export function readSpool(ports: ReaderPorts, path: string): NewEvent[] | 'damaged' | 'later' {
  let bytes: Buffer;
  try {
    bytes = readFile(ports.fs, path, SPOOL_BYTES_MAX);
  } catch (error) {
    if (NOT_OURS.has(errno(error))) return 'damaged';
    throw error;
  }
  return decodeSpool(ports, bytes) ?? (isLater(ports, bytes) ? 'later' : 'damaged');
}

/** By its magic; if the file is sound but for the version, that byte rotted. */
function isLater(ports: ReaderPorts, bytes: Buffer): boolean {
  if (!isLaterMagic(bytes, SPOOL_MAGIC)) return false;
  const ours = Buffer.concat([SPOOL_MAGIC, bytes.subarray(SPOOL_MAGIC.length)]);
  return decodeSpool(ports, ours) === undefined;
}

function decodeSpool(ports: ReaderPorts, bytes: Buffer): NewEvent[] | undefined {
  if (bytes.length < SPOOL_HEADER_BYTES) return undefined;
  const header = bytes.subarray(0, SPOOL_HEADER_BYTES);
  const body = bytes.subarray(SPOOL_HEADER_BYTES);
  if (!header.subarray(0, SPOOL_MAGIC.length).equals(SPOOL_MAGIC)) return undefined;
  if (readU32(header, SPOOL.bodyBytes) !== body.length) return undefined;
  if (readBigU64(header, SPOOL.checksum) !== checksum(ports, header, body)) return undefined;
  if (!isZero(header.subarray(SPOOL.reserved))) return undefined;
  return decodeRecords(body, readU32(header, SPOOL.count));
}

function decodeRecords(body: Buffer, count: number): NewEvent[] | undefined {
  const events: NewEvent[] = [];
  let at = 0;
  while (at + SPOOL_RECORD_HEAD_BYTES <= body.length && events.length < count) {
    const payloadBytes = readU32(body, at + SPOOL_RECORD.payloadBytes);
    const start = at + SPOOL_RECORD_HEAD_BYTES;
    if (start + payloadBytes > body.length) return undefined;
    if (payloadBytes === 0 || payloadBytes > BODY_BYTES_MAX - SALT_BYTES) return undefined;
    events.push({
      id: body.subarray(at, at + ID_BYTES),
      typeTag: readU32(body, at + SPOOL_RECORD.typeTag),
      payload: body.subarray(start, start + payloadBytes),
      durability: 'disk',
    });
    at = start + payloadBytes;
  }
  return at === body.length && events.length === count ? events : undefined;
}
