import { hash } from 'node:crypto';
import { errno } from '../platform/errors.ts';
import { readdirIfThere, readFile, removeIfThere, writeAll } from '../platform/fs.ts';
import { randomHex } from '../platform/random.ts';
import { asBuffer, isZero } from './bytes.ts';
import {
  BODY_BYTES_MAX,
  ID_BYTES,
  SALT_BYTES,
  SPOOL,
  SPOOL_HEADER_BYTES,
  SPOOL_MAGIC,
  SPOOL_RECORD,
  SPOOL_RECORD_HEAD_BYTES,
} from './format.ts';
import type { Layout } from './layout.ts';
import type { JournalPorts } from './ports.ts';

/** What a writer appends: already encoded, so that the journal need not know what it means. */
export interface NewEvent {
  /** 16 bytes; the same fact has the same id, whoever saw it. */
  id: Buffer;
  typeTag: number;
  /** A MessagePack envelope. */
  payload: Buffer;
  durability: Durability;
}

/**
 * What an acknowledgement promises: `process` survives the death of any process, `interval` a power cut after
 * at most a second while somebody writes, `disk` a power cut right away.
 */
export type Durability = 'process' | 'interval' | 'disk';

/** A spool file holds one append; this bounds what a hostile one can make a reader do. */
const SPOOL_BYTES_MAX = 32 * 1024 * 1024;
/** More files than this in the inbox are left for the next time. */
export const INBOX_FILES_MAX = 100_000;
const NAME = /^[0-9a-f]{16}-[0-9a-f]{12}\.evt$/;

/** Files that wait, oldest first: their names start with the time at which they were written. */
export function listInbox(ports: JournalPorts, layout: Layout): string[] {
  const names = readdirIfThere(ports.fs, layout.inbox).filter((name) => NAME.test(name));
  return names.sort().slice(0, INBOX_FILES_MAX);
}

/**
 * Leaves events for the next lock holder: one file, published whole by a rename.
 * @throws Node's error when even that cannot be written
 */
export function spool(ports: JournalPorts, layout: Layout, events: readonly NewEvent[]): void {
  const bytes = encodeSpool(ports, events);
  const stamp = ports.clock.now().toString(16).padStart(16, '0');
  const path = `${layout.inbox}/${stamp}-${randomHex(ports.random, 6)}.evt`;
  const durable = events.some((event) => event.durability === 'disk');
  const fd = ports.fs.open(`${path}.tmp`, 'wx');
  try {
    writeAll(ports.fs, fd, bytes, 0);
    if (durable) ports.fs.datasync(fd);
  } catch (error) {
    ports.fs.close(fd);
    removeIfThere(ports.fs, `${path}.tmp`);
    throw error;
  }
  ports.fs.close(fd);
  ports.fs.rename(`${path}.tmp`, path);
  if (durable) ports.fs.syncDir(layout.inbox);
}

function encodeSpool(ports: JournalPorts, events: readonly NewEvent[]): Buffer {
  const parts: Buffer[] = [];
  for (const event of events) {
    const head = Buffer.alloc(SPOOL_RECORD_HEAD_BYTES);
    head.set(event.id, SPOOL_RECORD.id);
    head.writeUInt32LE(event.payload.length, SPOOL_RECORD.payloadBytes);
    head.writeUInt32LE(event.typeTag, SPOOL_RECORD.typeTag);
    parts.push(head, event.payload);
  }
  const body = Buffer.concat(parts);
  const header = Buffer.alloc(SPOOL_HEADER_BYTES);
  header.set(SPOOL_MAGIC, SPOOL.magic);
  header.writeUInt32LE(events.length, SPOOL.count);
  header.writeUInt32LE(body.length, SPOOL.bodyBytes);
  header.writeBigUInt64LE(checksum(ports, header, body), SPOOL.checksum);
  return Buffer.concat([header, body]);
}

/** Header and body under one sum: the body's SHA-256 would cost more than it is worth for a passing file. */
function checksum(ports: JournalPorts, header: Buffer, body: Buffer): bigint {
  return ports.xxh64(body, ports.xxh64(header.subarray(0, SPOOL.checksum), 0n));
}

/** Undefined when the file is damaged or not ours. */
export function readSpool(ports: JournalPorts, path: string): NewEvent[] | undefined {
  let bytes: Buffer;
  try {
    bytes = asBuffer(readFile(ports.fs, path, SPOOL_BYTES_MAX));
  } catch (error) {
    if (errno(error) === 'EFBIG' || errno(error) === 'ELOOP') return undefined;
    throw error;
  }
  if (bytes.length < SPOOL_HEADER_BYTES) return undefined;
  const header = bytes.subarray(0, SPOOL_HEADER_BYTES);
  const body = bytes.subarray(SPOOL_HEADER_BYTES);
  if (!header.subarray(0, SPOOL_MAGIC.length).equals(SPOOL_MAGIC)) return undefined;
  if (header.readUInt32LE(SPOOL.bodyBytes) !== body.length) return undefined;
  if (header.readBigUInt64LE(SPOOL.checksum) !== checksum(ports, header, body)) return undefined;
  if (!isZero(header.subarray(SPOOL.reserved))) return undefined;
  return decodeRecords(body, header.readUInt32LE(SPOOL.count));
}

function decodeRecords(body: Buffer, count: number): NewEvent[] | undefined {
  const events: NewEvent[] = [];
  let at = 0;
  while (at + SPOOL_RECORD_HEAD_BYTES <= body.length && events.length < count) {
    const payloadBytes = body.readUInt32LE(at + SPOOL_RECORD.payloadBytes);
    const start = at + SPOOL_RECORD_HEAD_BYTES;
    if (start + payloadBytes > body.length) return undefined;
    if (payloadBytes === 0 || payloadBytes > BODY_BYTES_MAX - SALT_BYTES) return undefined;
    events.push({
      id: body.subarray(at, at + ID_BYTES),
      typeTag: body.readUInt32LE(at + SPOOL_RECORD.typeTag),
      payload: body.subarray(start, start + payloadBytes),
      durability: 'disk',
    });
    at = start + payloadBytes;
  }
  return at === body.length && events.length === count ? events : undefined;
}

/** A name for a file that nobody can read, kept in quarantine: derived, never the name it came with. */
export const quarantineName = (path: string): string =>
  `inbox-${hash('sha256', path, 'hex').slice(0, 16)}.evt`;
