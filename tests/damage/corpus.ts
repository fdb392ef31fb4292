import { createHash } from 'node:crypto';
import { encodeChunk } from '../../src/journal/chunk.ts';
import { encodeEnvelope } from '../../src/journal/envelope.ts';
import { encodeFooter } from '../../src/journal/footer.ts';
import {
  CHUNK_HEADER_BYTES,
  FRAME_KIND,
  SEGMENT_FLAG,
  SEGMENT_HEADER_BYTES,
} from '../../src/journal/format.ts';
import {
  chainedBytes,
  chainOf,
  commitOf,
  type Entry,
  encodeFrame,
} from '../../src/journal/frame.ts';
import { hintPath, writeHint } from '../../src/journal/hint.ts';
import { ensureLayout, layoutOf, originDir, segmentPath } from '../../src/journal/layout.ts';
import { type Manifest, writeManifest } from '../../src/journal/manifest.ts';
import type { JournalPorts } from '../../src/journal/ports.ts';
import { idPrefixes } from '../../src/journal/seal.ts';
import { encodeSegmentHeader, type SegmentHeader } from '../../src/journal/segment.ts';
import type { Codec } from '../../src/platform/codecs/codecs.ts';
import type { Hash64 } from '../../src/platform/xxh64.ts';
import { Chance } from './chance.ts';
import { MemoryFs } from './memory-fs.ts';

/** What belongs together in a file: a frame, or a chunk. What damages it may cost its events, and no others. */
export interface Stretch {
  start: number;
  end: number;
  firstSeq: number;
  lastSeq: number;
}

/** A journal in memory, one segment of which is going to be damaged. */
export interface TestJournal {
  name: string;
  root: string;
  fs: MemoryFs;
  ports: JournalPorts;
  /** Path of the segment. */
  target: string;
  isSealed: boolean;
  stretches: Stretch[];
  /** All that was written, by seq. */
  written: Map<number, Entry>;
}

/** What a crafted segment holds. */
interface Crafted {
  bytes: Buffer;
  chain: Buffer;
  stretches: Stretch[];
}

export const ROOT = '/project/.ben10';
const START_MS = 1_795_250_000_000;
/** Larger than any kind that readers know, so that they skip it. */
const SKIPPED_KIND = 200;

export function portsOn(fs: MemoryFs, xxh64: Hash64, chance: Chance): JournalPorts {
  let now = START_MS;
  return {
    fs,
    xxh64,
    random: chance,
    clock: {
      now: () => {
        now += 1;
        return now;
      },
      sleep: () => undefined,
    },
    // One process: nobody else is there to hold it.
    lock: { tryLock: () => true, unlock: () => undefined },
  };
}

/** An entry with fields that follow from its seq; kinds are mixed in, so that each stands somewhere. */
function entryOf(seq: number, payload: Buffer, kind: number): Entry {
  const chance = new Chance(seq * 7919);
  const salt = chance.bytes(16);
  const commit = commitOf(salt, payload);
  const isHusk = kind === FRAME_KIND.husk;
  return {
    kind,
    flags: seq % 5 === 0 && kind === FRAME_KIND.event ? 1 : 0,
    typeTag: 7,
    seq,
    hlc: { ms: START_MS + seq, count: seq % 3 },
    id: chance.bytes(16),
    syncedUpto: Math.max(0, seq - 2),
    salt: isHusk ? Buffer.alloc(0) : salt,
    payload: isHusk ? Buffer.alloc(0) : payload,
    commit,
  };
}

export const payloadOf = (data: unknown, type = 'test.happened'): Buffer =>
  encodeEnvelope({
    type,
    version: 1,
    session: 's1',
    agent: null,
    client: 'test',
    source: 'tool',
    at: START_MS,
    data,
  });

/** Payloads of different lengths, so that every padding is there. */
function entriesOf(firstSeq: number, count: number, bytes: number, isPlain = false): Entry[] {
  return Array.from({ length: count }, (_, index) => {
    const seq = firstSeq + index;
    const text = 'all work and no play '.repeat(Math.ceil((bytes + seq) / 21));
    const kind =
      !isPlain && index % 6 === 3
        ? FRAME_KIND.husk
        : !isPlain && index % 6 === 5
          ? SKIPPED_KIND
          : FRAME_KIND.event;
    return entryOf(seq, payloadOf({ seq, text: text.slice(0, bytes + (seq % 8)) }), kind);
  });
}

/** What stands in every header of a journal. */
interface Names {
  /** 32 hex digits each. */
  journalId: string;
  origin: string;
}

function namesOf(name: string, xxh64: Hash64): Names {
  const [a, b] = [xxh64(Buffer.from(name), 1_000n), xxh64(Buffer.from(name), 1_001n)];
  const hex = (one: bigint): string => one.toString(16).padStart(16, '0').repeat(2);
  return { journalId: hex(a), origin: hex(b) };
}

function headerOf(
  { journalId, origin }: Names,
  firstSeq: number,
  prevChain: Buffer,
  salt: bigint,
): SegmentHeader {
  return {
    flags: 0,
    journalId: Buffer.from(journalId, 'hex'),
    originId: Buffer.from(origin, 'hex'),
    firstSeq,
    baseHlc: { ms: START_MS, count: 0 },
    prevChain,
    salt,
  };
}

export function craftActive(
  header: SegmentHeader,
  entries: readonly Entry[],
  xxh64: Hash64,
): Crafted {
  const parts = [encodeSegmentHeader(header, xxh64)];
  const stretches: Stretch[] = [];
  let offset = SEGMENT_HEADER_BYTES;
  let chain = header.prevChain;
  for (const entry of entries) {
    const place = { salt: header.salt, offset, previousChain: chain };
    const { frame, chain: next } = encodeFrame(entry, place, xxh64);
    parts.push(frame);
    const end = offset + frame.length;
    stretches.push({ start: offset, end, firstSeq: entry.seq, lastSeq: entry.seq });
    offset = end;
    chain = next;
  }
  return { bytes: Buffer.concat(parts), chain, stretches };
}

/** A sealed segment of small chunks: the writer's own are too large to damage each bit of several. */
export function craftSealed(
  header: SegmentHeader,
  chunks: readonly (readonly Entry[])[],
  zstd: Codec,
  xxh64: Hash64,
): Crafted {
  const sealed = { ...header, flags: header.flags | SEGMENT_FLAG.sealed };
  const parts = [encodeSegmentHeader(sealed, xxh64)];
  const index: Buffer[] = [];
  const stretches: Stretch[] = [];
  let offset = SEGMENT_HEADER_BYTES;
  let chain = header.prevChain;
  for (const entries of chunks) {
    for (const entry of entries) chain = chainOf(chain, chainedBytes(entry));
    const about = { offset, minAt: START_MS, maxAt: START_MS, endChain: chain, level: 3 };
    const encoded = encodeChunk(entries, about, zstd, xxh64, header.salt);
    parts.push(encoded.header, encoded.stored);
    index.push(encoded.header);
    const end = offset + CHUNK_HEADER_BYTES + encoded.stored.length;
    stretches.push({
      start: offset,
      end,
      firstSeq: entries[0]!.seq,
      lastSeq: entries.at(-1)!.seq,
    });
    offset = end;
  }
  const entries = chunks.flat();
  const indexBlock = summed(Buffer.concat(index), header.salt, xxh64);
  parts.push(indexBlock, summed(idPrefixes(entries), header.salt, xxh64));
  const last = entries.at(-1)!;
  const footer = encodeFooter(
    {
      lastSeq: last.seq,
      lastHlc: last.hlc,
      count: entries.length,
      chunks: index.length,
      indexOffset: offset,
      idsOffset: offset + indexBlock.length,
      level: 3,
      endChain: chain,
      digest: createHash('sha256').update(Buffer.concat(parts)).digest(),
    },
    xxh64,
  );
  return { bytes: Buffer.concat([...parts, footer]), chain, stretches };
}

function summed(bytes: Buffer, salt: bigint, xxh64: Hash64): Buffer {
  const sum = Buffer.alloc(8);
  sum.writeBigUInt64LE(xxh64(bytes, salt));
  return Buffer.concat([bytes, sum]);
}

/** Another one for each segment of each journal, as chance makes them. */
const saltOf = (name: string, segment: number, xxh64: Hash64): bigint =>
  xxh64(Buffer.from(name), BigInt(segment));

/** What a corpus is made with. */
export interface Makers {
  zstd: Codec;
  xxh64: Hash64;
}

/** One segment of a journal that is going to be crafted: entries, or chunks of them. */
type Plan = readonly Entry[] | { chunks: readonly (readonly Entry[])[] };

/** A journal of the given segments, synced up to its last event. */
export function craftJournal(
  name: string,
  plans: readonly Plan[],
  target: number,
  { zstd, xxh64 }: Makers,
  change: Partial<Manifest> = {},
): TestJournal {
  const fs = new MemoryFs({ files: new Map(), folders: new Set(['/', '/project']) });
  const ports = portsOn(fs, xxh64, new Chance(1));
  const layout = layoutOf(ROOT);
  const names = namesOf(name, xxh64);
  ensureLayout(fs, layout);
  writeManifest(ports, layout, {
    format: 1,
    ...names,
    createdAt: START_MS,
    generation: 0,
    erasureEpoch: 0,
    blobKey: '33'.repeat(32),
    ...change,
  });
  fs.mkdir(originDir(layout, names.origin));
  const written = new Map<number, Entry>();
  let chain: Buffer = Buffer.alloc(32);
  let targeted: { path: string; isSealed: boolean; stretches: Stretch[] } | undefined;
  for (const [index, plan] of plans.entries()) {
    const isSealed = 'chunks' in plan;
    const entries = isSealed ? plan.chunks.flat() : plan;
    for (const entry of entries) written.set(entry.seq, entry);
    const header = headerOf(names, entries[0]!.seq, chain, saltOf(name, index, xxh64));
    const crafted = isSealed
      ? craftSealed(header, plan.chunks, zstd, xxh64)
      : craftActive(header, plan, xxh64);
    chain = crafted.chain;
    const path = segmentPath(layout, names.origin, entries[0]!.seq, isSealed);
    put(fs, path, crafted.bytes);
    if (index === target) targeted = { path, isSealed, stretches: crafted.stretches };
  }
  const last = Math.max(...written.keys());
  writeHint(ports, hintPath(layout, names.origin), { syncedUpto: last, syncedAt: START_MS });
  const { path, isSealed, stretches } = targeted!;
  // Reading must not depend on a lock: what is not whole is then judged as it stands.
  const readPorts = { ...ports, lock: undefined };
  return { name, root: ROOT, fs, ports: readPorts, target: path, isSealed, stretches, written };
}

export function put(fs: MemoryFs, path: string, bytes: Buffer): void {
  const fd = fs.open(path, 'wx');
  fs.write(fd, bytes, 0);
  fs.close(fd);
}

const inChunks = (entries: readonly Entry[], size: number): Entry[][] =>
  Array.from({ length: Math.ceil(entries.length / size) }, (_, index) =>
    entries.slice(index * size, (index + 1) * size),
  );

/** Small segments, each bit of which can be turned over: raw and sealed, alone, first, in the middle and last. */
export function smallJournals(makers: Makers): TestJournal[] {
  const raw = (first: number, count: number, bytes: number) => entriesOf(first, count, bytes);
  const sealed = (first: number, count: number, bytes: number, size: number) => ({
    chunks: inChunks(entriesOf(first, count, bytes), size),
  });
  return [
    craftJournal('raw, alone', [raw(1, 8, 20)], 0, makers),
    craftJournal('raw, one event', [raw(1, 1, 5)], 0, makers),
    craftJournal('raw, newest of two', [raw(1, 2, 10), raw(3, 7, 40)], 1, makers),
    craftJournal('raw, between two', [raw(1, 2, 9), raw(3, 7, 30), raw(10, 2, 9)], 1, makers),
    craftJournal('raw, behind a sealed one', [sealed(1, 4, 9, 2), raw(5, 8, 50)], 1, makers),
    craftJournal('sealed, alone', [sealed(1, 9, 20, 3)], 0, makers),
    craftJournal('sealed, one chunk', [sealed(1, 3, 90, 3)], 0, makers),
    craftJournal('sealed, before a raw one', [sealed(1, 12, 60, 4), raw(13, 2, 9)], 0, makers),
    craftJournal(
      'sealed, between two',
      [sealed(1, 2, 9, 2), sealed(3, 8, 30, 2), sealed(11, 2, 9, 2)],
      1,
      makers,
    ),
    craftJournal(PLANTED, plantedIn(makers.xxh64), 0, makers),
  ];
}

const PLANTED = 'raw, planted frames';

/** Payloads that hold whole frames of their own segment, as files do that agents read; one of them is aligned. */
function plantedIn(xxh64: Hash64): Entry[][] {
  const first = entriesOf(1, 3, 20, true);
  const header = headerOf(namesOf(PLANTED, xxh64), 1, Buffer.alloc(32), saltOf(PLANTED, 0, xxh64));
  const { bytes, stretches } = craftActive(header, first, xxh64);
  const frame = bytes.subarray(stretches[1]!.start, stretches[2]!.end);
  const planted = Array.from({ length: 8 }, (_, pad) => {
    const data = { pad: 'p'.repeat(pad), file: Buffer.from(frame) };
    return entryOf(4 + pad, payloadOf(data), FRAME_KIND.event);
  });
  return [[...first, ...planted, ...entriesOf(12, 1, 10, true)]];
}

/** Larger ones, for damage by chance: several MiB, events near the largest, chunks as the writer makes them. */
export function largeJournals(makers: Makers): TestJournal[] {
  const noisy = (seq: number, bytes: number) =>
    entryOf(seq, payloadOf({ seq, noise: new Chance(seq).bytes(bytes) }), FRAME_KIND.event);
  const large = [
    ...entriesOf(1, 40, 900),
    noisy(41, 1_000_000),
    ...entriesOf(42, 20, 300),
    noisy(62, 700_000),
    noisy(63, 30),
  ];
  return [
    craftJournal('raw, 2 MiB', [large], 0, makers),
    craftJournal('raw, 128 KiB', [entriesOf(1, 120, 900), entriesOf(121, 3, 9)], 0, makers),
    craftJournal(
      'sealed, 1.7 MiB',
      [{ chunks: [...inChunks(large.slice(0, 40), 10), [large[40]!], large.slice(41)] }],
      0,
      makers,
    ),
    craftJournal(
      'sealed, small events',
      [{ chunks: inChunks(entriesOf(1, 400, 700), 80) }, entriesOf(401, 2, 9)],
      0,
      makers,
    ),
  ];
}
