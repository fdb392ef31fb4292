import { createHash } from 'node:crypto';
import type { Decoders } from '../platform/codecs/codecs.ts';
import { errno } from '../platform/errors.ts';
import { readFile } from '../platform/fs.ts';
import { getBlob, listBlobs } from './blobs.ts';
import { asBuffer } from './bytes.ts';
import { FOOTER_BYTES, FRAME_KIND, SEGMENT_BYTES_MAX, SEGMENT_FLAG } from './format.ts';
import { chainedBytes, chainOf, commitOf, type Entry } from './frame.ts';
import { layoutOf, listSegments, type SegmentFile } from './layout.ts';
import { LockFile } from './locking.ts';
import type { JournalPorts } from './ports.ts';
import { type Damage, scanFrames } from './scan.ts';
import { openSealed, readChunk } from './sealed.ts';
import { decodeSegmentHeader, type SegmentHeader } from './segment.ts';

export interface Verification {
  ok: boolean;
  events: number;
  segments: number;
  /** Null in an empty journal. */
  firstSeq: number | null;
  lastSeq: number | null;
  /** Chain of the last event, hex: note it somewhere else and a cut tail can be noticed. */
  head: string | null;
  /** Files in the inbox that wait for a seq. */
  waiting: number;
  blobs: number;
  damage: (Damage & { segment: string })[];
}

/** What is carried from one segment to the next. */
interface Progress {
  result: Verification;
  chain: Buffer | undefined;
  /** True when the last segment's end is damaged, so that a hole after it is already accounted for. */
  openEnd: boolean;
}

/**
 * Checks every checksum, every commitment and the whole chain. Takes no lock but for a moment, to tell an append
 * in flight from a torn tail.
 * @param progress hears of the bytes done and the bytes there are
 */
export function verifyJournal(
  ports: JournalPorts,
  root: string,
  decoders: Decoders,
  progress: (done: number, all: number) => void = () => undefined,
): Verification {
  const layout = layoutOf(root);
  const files = listSegments(ports.fs, layout);
  const all = files.reduce((sum, file) => sum + sizeOf(ports, file), 0);
  const state: Progress = {
    result: {
      ok: true,
      events: 0,
      segments: files.length,
      firstSeq: null,
      lastSeq: null,
      head: null,
      waiting: ports.fs.readdir(layout.inbox).filter((name) => name.endsWith('.evt')).length,
      blobs: 0,
      damage: [],
    },
    chain: undefined,
    openEnd: false,
  };
  let done = 0;
  for (const [index, file] of files.entries()) {
    const bytes = load(ports, file);
    verifySegment(ports, state, file, bytes, decoders, index === files.length - 1);
    done += bytes.length;
    progress(done, all);
  }
  for (const name of listBlobs(ports, layout)) {
    state.result.blobs += 1;
    if (getBlob(ports, layout, name, decoders) === undefined) {
      const damage = { kind: 'blob' as const, offset: 0, bytes: 0, firstSeq: null, lastSeq: null };
      state.result.damage.push({ ...damage, segment: `blobs/${name}` });
    }
  }
  state.result.head = state.chain?.toString('hex') ?? null;
  state.result.ok = state.result.damage.length === 0;
  return state.result;
}

function sizeOf(ports: JournalPorts, file: SegmentFile): number {
  try {
    return ports.fs.stat(file.path).size;
  } catch {
    return 0; // compacted away meanwhile: `load` finds what took its place
  }
}

function load(ports: JournalPorts, file: SegmentFile): Buffer {
  try {
    return asBuffer(readFile(ports.fs, file.path, SEGMENT_BYTES_MAX));
  } catch (error) {
    if (errno(error) !== 'ENOENT' || file.sealed) throw error;
    // Sealed since it was listed.
    file.sealed = true;
    file.path = `${file.path}z`;
    return asBuffer(readFile(ports.fs, file.path, SEGMENT_BYTES_MAX));
  }
}

function verifySegment(
  ports: JournalPorts,
  state: Progress,
  file: SegmentFile,
  bytes: Buffer,
  decoders: Decoders,
  newest: boolean,
): void {
  const segment = file.path.slice(file.path.lastIndexOf('/') + 1);
  const report = (damage: Damage) => state.result.damage.push({ ...damage, segment });
  const header = decodeSegmentHeader(bytes, ports.xxh64);
  if (header === undefined || header.firstSeq !== file.firstSeq) {
    const lost = { firstSeq: file.firstSeq, lastSeq: null };
    report({ kind: 'segment-header', offset: 0, bytes: bytes.length, ...lost });
    state.openEnd = true;
    state.chain = undefined;
    return;
  }
  verifyLink(state, header, report);
  if (file.sealed) verifySealed(ports, state, bytes, header, decoders, report);
  else verifyActive(ports, state, file, bytes, header, report, newest);
}

function verifyLink(
  state: Progress,
  header: SegmentHeader,
  report: (damage: Damage) => void,
): void {
  const { lastSeq } = state.result;
  const expected = lastSeq === null ? 1 : lastSeq + 1;
  const at = { offset: 0, bytes: 0 };
  if (header.firstSeq > expected && !state.openEnd && (lastSeq !== null || expected === 1)) {
    report({ kind: 'missing', ...at, firstSeq: expected, lastSeq: header.firstSeq - 1 });
  } else if (state.chain !== undefined && !header.prevChain.equals(state.chain) && !state.openEnd) {
    report({ kind: 'chain', ...at, firstSeq: header.firstSeq, lastSeq: null });
  }
  if (!state.openEnd || (header.flags & SEGMENT_FLAG.afterDamage) !== 0)
    state.chain = header.prevChain;
  state.openEnd = false;
}

function verifyActive(
  ports: JournalPorts,
  state: Progress,
  file: SegmentFile,
  bytes: Buffer,
  header: SegmentHeader,
  report: (damage: Damage) => void,
  newest: boolean,
): void {
  for (const item of scanFrames(bytes, header, ports.xxh64)) {
    if (item.damage !== undefined) {
      const { damage } = item;
      const toEnd = damage.offset + damage.bytes === bytes.length;
      if (toEnd && newest && inFlight(ports, file, damage.offset, header)) return;
      report(damage);
      state.openEnd = toEnd;
      state.chain = undefined;
      continue;
    }
    const { frame } = item;
    const chain = verifyEntry(state, frame, { offset: frame.offset, bytes: frame.bytes }, report);
    if (chain !== undefined && !chain.equals(frame.chain)) {
      report({
        kind: 'chain',
        offset: frame.offset,
        bytes: frame.bytes,
        firstSeq: frame.seq,
        lastSeq: frame.seq,
      });
    }
    state.chain = Buffer.from(frame.chain);
    state.openEnd = false;
  }
}

/** With the lock held nobody is in the middle of an append: what is still not whole then is damage. */
function inFlight(
  ports: JournalPorts,
  file: SegmentFile,
  offset: number,
  header: SegmentHeader,
): boolean {
  if (ports.lock === undefined) return true;
  const lock = new LockFile(
    ports,
    layoutOf(file.path.slice(0, file.path.indexOf('/journal/'))).lock,
  );
  try {
    const held = lock.hold(5000, () => {
      const now = asBuffer(readFile(ports.fs, file.path, SEGMENT_BYTES_MAX));
      for (const item of scanFrames(now, header, ports.xxh64, offset))
        return item.frame !== undefined;
      return true;
    });
    return held?.value ?? true;
  } finally {
    lock.close();
  }
}

/** Counts an entry and checks its commitment; returns the chain it ought to have, when that can be told. */
function verifyEntry(
  state: Progress,
  entry: Entry,
  place: { offset: number; bytes: number },
  report: (damage: Damage) => void,
): Buffer | undefined {
  const { result } = state;
  result.events += 1;
  result.firstSeq ??= entry.seq;
  result.lastSeq = entry.seq;
  if (
    entry.kind === FRAME_KIND.event &&
    !commitOf(entry.salt, entry.payload).equals(entry.commit)
  ) {
    report({ kind: 'commit', ...place, firstSeq: entry.seq, lastSeq: entry.seq });
  }
  return state.chain && chainOf(state.chain, chainedBytes(entry));
}

function verifySealed(
  ports: JournalPorts,
  state: Progress,
  bytes: Buffer,
  header: SegmentHeader,
  decoders: Decoders,
  report: (damage: Damage) => void,
): void {
  const sealed = openSealed(bytes, header, ports.xxh64);
  const before = state.result.damage.length;
  for (const damage of sealed.damage) report(damage);
  for (const chunk of sealed.chunks) {
    const read = readChunk(bytes, sealed, chunk, decoders, ports.xxh64);
    const place = { offset: chunk.offset, bytes: chunk.storedBytes };
    if (read.entries === undefined) {
      report(read.damage);
      state.result.lastSeq = chunk.firstSeq + chunk.count - 1;
    } else {
      for (const entry of read.entries) state.chain = verifyEntry(state, entry, place, report);
      if (state.chain !== undefined && !state.chain.equals(chunk.endChain)) {
        report({
          kind: 'chain',
          ...place,
          firstSeq: chunk.firstSeq,
          lastSeq: state.result.lastSeq,
        });
      }
    }
    state.chain = Buffer.from(chunk.endChain);
  }
  state.openEnd = sealed.footer === undefined;
  if (sealed.footer === undefined || state.result.damage.length > before) return;
  const content = bytes.subarray(0, bytes.length - FOOTER_BYTES);
  if (!createHash('sha256').update(content).digest().equals(sealed.footer.digest)) {
    const range = { firstSeq: header.firstSeq, lastSeq: sealed.footer.lastSeq };
    report({ kind: 'index', offset: sealed.footer.indexOffset, bytes: content.length, ...range });
  }
}
