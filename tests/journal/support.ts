import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { NewEvent } from '../../src/journal/append/inbox.ts';
import { REPAIRED_TYPE } from '../../src/journal/append/own-events.ts';
import { JournalWriter, type WriterOptions } from '../../src/journal/append/writer.ts';
import { decodeEnvelope } from '../../src/journal/format/envelope.ts';
import { SALT_BYTES, SEGMENT_HEADER_BYTES } from '../../src/journal/format/format.ts';
import { commitOf, type Entry, encodeFrame } from '../../src/journal/format/frame.ts';
import { layoutOf } from '../../src/journal/format/layout.ts';
import type { JournalPorts } from '../../src/journal/format/ports.ts';
import { encodeSegmentHeader, type SegmentHeader } from '../../src/journal/format/segment.ts';
import { JournalReader } from '../../src/journal/read/reader.ts';
import { verifyJournal } from '../../src/journal/verify/verify.ts';
import type { FileSystem } from '../../src/platform/fs.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { decoders, fieldsOf, newEvent, realPorts, scratch } from '../support.ts';

/** A `.ben10` that is not there yet, in a folder of its own. */
export const newRoot = (): string => path.join(scratch(), '.ben10');

/** Ports whose file system does what `change` says, and otherwise the real thing. */
export function portsWith(
  change: Partial<FileSystem>,
  more: Partial<JournalPorts> = {},
): JournalPorts {
  return { ...realPorts, ...more, fs: { ...realPorts.fs, ...change } };
}

/** The real file system, and the order in which these of its calls are made. */
export function recorded(names: readonly (keyof FileSystem)[], more: Partial<JournalPorts> = {}) {
  const calls: string[] = [];
  const change: Partial<Record<keyof FileSystem, unknown>> = {};
  for (const name of names) {
    change[name] = (...args: never[]) => {
      calls.push(name);
      return (realPorts.fs[name] as (...given: never[]) => unknown)(...args);
    };
  }
  return { calls, ports: portsWith(change as Partial<FileSystem>, more) };
}

/** An error as the system raises it. */
export const systemError = (code: string): Error =>
  Object.assign(new Error(`${code}: made up by a test`), { code });

/** The real file system, of which such calls fail: as the system makes them fail, or by a mistake of the program. */
export function withFailing<K extends keyof FileSystem>(
  call: K,
  error: string | Error,
  isIt: (...args: Parameters<FileSystem[K]>) => boolean = () => true,
): JournalPorts {
  const real = realPorts.fs[call] as (...args: Parameters<FileSystem[K]>) => unknown;
  const failing = (...args: Parameters<FileSystem[K]>) => {
    if (isIt(...args)) throw typeof error === 'string' ? systemError(error) : error;
    return real(...args);
  };
  return portsWith({ [call]: failing } as Partial<FileSystem>);
}

/** The real file system, of which such calls are told of before they are made. */
export const withNoted = <K extends keyof FileSystem>(
  call: K,
  note: (...args: Parameters<FileSystem[K]>) => void,
): JournalPorts =>
  withFailing(call, 'never', (...args) => {
    note(...args);
    return false;
  });

/** The real file system, with something that happens right behind the first listing of a folder. */
export function afterListing(folder: string, work: () => void): JournalPorts {
  let isFirst = true;
  const readdir = (dir: string) => {
    const names = realPorts.fs.readdir(dir);
    if (dir === folder && isFirst) {
      isFirst = false;
      work();
    }
    return names;
  };
  return portsWith({ readdir });
}

/** A clock that only moves when told to. */
export function handClock(start = 1_795_250_000_000) {
  const clock = {
    time: start,
    now: () => clock.time,
    sleep: (milliseconds: number) => {
      clock.time += milliseconds;
    },
  };
  return clock;
}

/** A writer that is closed when the test is over. */
export function writerOn(
  root: string,
  options: Partial<WriterOptions> = {},
  ports: JournalPorts = realPorts,
): JournalWriter {
  const writer = new JournalWriter(ports, root, { lockBudgetMs: 5000, ...options });
  onTestFinished(() => writer.close());
  return writer;
}

/** A journal that is not there yet, and its writer. */
export function newWriter(options?: Partial<WriterOptions>) {
  const root = newRoot();
  return { root, writer: writerOn(root, options) };
}

/** Appends events with one writer and closes it. */
export function appendAll(
  root: string,
  events: readonly NewEvent[],
  options: Partial<WriterOptions> = {},
  ports: JournalPorts = realPorts,
): void {
  const writer = writerOn(root, options, ports);
  for (const event of events) writer.append([event]);
  writer.close();
}

export const eventsOf = (count: number, dataBytes = 10): NewEvent[] =>
  Array.from({ length: count }, (_, index) =>
    newEvent({ data: { index, text: 'x'.repeat(dataBytes) } }),
  );

/** The same events, which are on the disk when an append returns. */
export const durable = (events: readonly NewEvent[]): NewEvent[] =>
  events.map((event) => ({ ...event, durability: 'disk' }));

/** A journal of one segment with so many events. */
export function journalOf(count: number, dataBytes?: number): string {
  const root = newRoot();
  appendAll(root, eventsOf(count, dataBytes));
  return root;
}

/** A journal of so many segments; each is begun with the events that this gives. The last one is appended to. */
export function rotatedJournal(segments: number, events: () => readonly NewEvent[]): string {
  const { root, writer } = newWriter();
  for (let n = 0; n < segments; n += 1) {
    if (n > 0) writer.rotate(0);
    writer.append(events());
  }
  return root;
}

/** Names of what was set aside. */
export function quarantined(root: string): string[] {
  const { quarantine } = layoutOf(root);
  return existsSync(quarantine) ? readdirSync(quarantine).sort() : [];
}

/** What the journal tells of itself, each with its seq. */
export const toldBy = (root: string) =>
  readAll(root).entries.flatMap(({ seq, payload }) => {
    const { type, data } = decodeEnvelope(payload);
    return type.startsWith('journal.') ? [{ seq, type, ...(data as object) }] : [];
  });

export const repairsOf = (root: string) =>
  toldBy(root).filter(({ type }) => type === REPAIRED_TYPE);

export const readerOn = (root: string, ports: JournalPorts = realPorts): JournalReader =>
  new JournalReader(ports, root, decoders);

/** Entries and damage as they are read; entries by their payloads. */
export function readAll(root: string, from?: number, to?: number, ports: JournalPorts = realPorts) {
  const entries: Entry[] = [];
  const damage: { kind: string; firstSeq: number | null; lastSeq: number | null }[] = [];
  for (const item of readerOn(root, ports).entries(from, to)) {
    if (item.entry !== undefined) entries.push(fieldsOf(item.entry));
    else damage.push(item.damage);
  }
  return { entries, damage, seqs: entries.map((entry) => entry.seq) };
}

export const verify = (root: string, ports: JournalPorts = realPorts) =>
  verifyJournal(ports, root, decoders);

/** Kinds of damage and what they cost, short. */
export const damageOf = (root: string): string[] =>
  verify(root).damage.map((one) => `${one.kind} ${one.firstSeq}-${one.lastSeq}`);

/** Paths of the segments of the only origin, oldest first. */
export function segmentFiles(root: string): string[] {
  const dir = originFolder(root);
  return readdirSync(dir)
    .filter((name) => /\.b10z?$/.test(name))
    .sort()
    .map((name) => path.join(dir, name));
}

export function originFolder(root: string): string {
  const { journal } = layoutOf(root);
  const origin = readdirSync(journal).find((name) => /^[0-9a-f]{32}$/.test(name));
  return path.join(journal, origin!);
}

/** Changes a file's bytes in place. */
export function edit(file: string, change: (bytes: Buffer) => Buffer | undefined): void {
  const bytes = readFileSync(file);
  writeFileSync(file, change(bytes) ?? bytes);
}

export const flipBit = (bytes: Buffer, bit: number): void => {
  bytes[bit >> 3] = bytes[bit >> 3]! ^ (1 << (bit & 7));
};

/** An active segment in memory, with what is needed to say where each event stands. */
export function segmentOf(payloads: readonly Buffer[], change: Partial<SegmentHeader> = {}) {
  const header: SegmentHeader = {
    flags: 0,
    journalId: Buffer.alloc(16, 1),
    originId: Buffer.alloc(16, 2),
    firstSeq: 1,
    baseHlc: { ms: 1_795_250_000_000, count: 0 },
    prevChain: Buffer.alloc(32),
    salt: 0x1234_5678_9abc_def0n,
    ...change,
  };
  const parts = [encodeSegmentHeader(header, xxh64)];
  const offsets: number[] = [];
  let offset = SEGMENT_HEADER_BYTES;
  let chain = header.prevChain;
  for (const [index, payload] of payloads.entries()) {
    const entry = entryOf(header.firstSeq + index, payload);
    const place = { salt: header.salt, offset, previousChain: chain };
    const encoded = encodeFrame(entry, place, xxh64);
    parts.push(encoded.frame);
    offsets.push(offset);
    offset += encoded.frame.length;
    chain = encoded.chain;
  }
  return { bytes: Buffer.concat(parts), header, offsets, chain };
}

/** An event with fields that follow from its seq. */
export function entryOf(seq: number, payload: Buffer, change: Partial<Entry> = {}): Entry {
  const salt = Buffer.alloc(SALT_BYTES, seq);
  return {
    kind: 1,
    flags: 0,
    typeTag: 7,
    seq,
    hlc: { ms: 1_795_250_000_000 + seq, count: seq },
    id: Buffer.alloc(16, seq),
    syncedUpto: 0,
    salt,
    payload,
    commit: commitOf(salt, payload),
    ...change,
  };
}
