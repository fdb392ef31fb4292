import { ensureDir, readFile, writeAll } from '../platform/fs.ts';
import { randomHex } from '../platform/random.ts';
import { asBuffer } from './bytes.ts';
import { HASH_BYTES, SEGMENT_BYTES_MAX, SEGMENT_FLAG, SEGMENT_HEADER_BYTES } from './format.ts';
import type { Frame } from './frame.ts';
import { readHint } from './hint.ts';
import type { Layout } from './layout.ts';
import type { Manifest } from './manifest.ts';
import type { JournalPorts } from './ports.ts';
import { createSegment } from './rotate.ts';
import { type Damage, scanFrames } from './scan.ts';
import { decodeSegmentHeader, type SegmentHeader } from './segment.ts';
import { readTail, type Tail } from './tail.ts';

/** What a recovery did, for the `journal.repaired` event that tells of it. */
export interface Repair {
  /**
   * - `torn-tail`: an append that nobody had been promised was cut off
   * - `lost-durable`: bytes that had been on disk are gone; nothing was cut, a new segment goes on
   * - `bad-header`: the newest segment's header is damaged; a new segment goes on
   */
  kind: 'torn-tail' | 'lost-durable' | 'bad-header';
  segment: string;
  offset: number;
  bytes: number;
}

/** What the active segment looks like after a full scan. */
interface Survey {
  last: Frame | undefined;
  tail: Damage | undefined;
  syncedUpto: number;
}

/**
 * Makes the end of the newest segment good again. Only the holder of the lock may judge a tail: to everybody
 * else it may be an append in flight. Bytes that are cut off are kept in `quarantine/` first.
 */
export function recoverTail(
  ports: JournalPorts,
  layout: Layout,
  manifest: Manifest,
  file: { path: string; firstSeq: number; fd: number },
  before: { seq: number; chain: Buffer } | undefined,
): { tail: Tail; repair: Repair } {
  const bytes = asBuffer(readFile(ports.fs, file.path, SEGMENT_BYTES_MAX));
  const hint = readHint(ports, `${layout.journal}/${manifest.origin}/synced`);
  const header = decodeSegmentHeader(bytes, ports.xxh64);
  const segment = file.path.slice(file.path.lastIndexOf('/') + 1);
  if (header === undefined) {
    quarantine(ports, layout, `${segment}.0`, bytes);
    const lastSeq = Math.max(hint.syncedUpto, file.firstSeq, before?.seq ?? 0);
    const chain = before?.chain ?? Buffer.alloc(HASH_BYTES);
    const tail = goOn(ports, layout, manifest, { lastSeq, chain, hlcMs: 0 });
    return { tail, repair: { kind: 'bad-header', segment, offset: 0, bytes: bytes.length } };
  }
  const survey = surveyOf(bytes, header, ports);
  const lastSeq = survey.last?.seq ?? header.firstSeq - 1;
  const chain = Buffer.from(survey.last?.chain ?? header.prevChain);
  const offset = survey.tail?.offset ?? bytes.length;
  const repair = { segment, offset, bytes: bytes.length - offset };
  if (repair.bytes > 0) quarantine(ports, layout, `${segment}.${offset}`, bytes.subarray(offset));
  const claimed = Math.max(survey.syncedUpto, hint.syncedUpto);
  if (survey.tail !== undefined && lastSeq >= claimed) {
    ports.fs.truncate(file.fd, Math.max(offset, SEGMENT_HEADER_BYTES));
    ports.fs.datasync(file.fd);
    const tail = readTail(ports, file.fd, file.path);
    if (tail !== undefined) return { tail, repair: { kind: 'torn-tail', ...repair } };
  }
  const hlcMs = survey.last?.hlc.ms ?? header.baseHlc.ms;
  const end = { lastSeq: Math.max(claimed, lastSeq, header.firstSeq), chain, hlcMs };
  const tail = goOn(ports, layout, manifest, end);
  return { tail, repair: { kind: 'lost-durable', ...repair } };
}

function surveyOf(bytes: Buffer, header: SegmentHeader, ports: JournalPorts): Survey {
  const survey: Survey = { last: undefined, tail: undefined, syncedUpto: 0 };
  for (const item of scanFrames(bytes, header, ports.xxh64)) {
    if (item.frame !== undefined) {
      survey.last = item.frame;
      survey.syncedUpto = Math.max(survey.syncedUpto, item.frame.syncedUpto);
      survey.tail = undefined;
    } else if (item.damage.offset + item.damage.bytes === bytes.length) {
      survey.tail = item.damage;
    }
  }
  return survey;
}

function goOn(
  ports: JournalPorts,
  layout: Layout,
  manifest: Manifest,
  end: { lastSeq: number; chain: Buffer; hlcMs: number },
): Tail {
  return createSegment(ports, layout, manifest, {
    firstSeq: end.lastSeq + 1,
    hlc: { ms: end.hlcMs, count: 0 },
    prevChain: end.chain,
    flags: SEGMENT_FLAG.afterDamage,
  });
}

function quarantine(ports: JournalPorts, layout: Layout, name: string, bytes: Uint8Array): void {
  ensureDir(ports.fs, layout.quarantine);
  const unique = randomHex(ports.random, 6);
  const fd = ports.fs.open(`${layout.quarantine}/${name}.${unique}`, 'wx');
  try {
    writeAll(ports.fs, fd, bytes, 0);
    ports.fs.datasync(fd);
  } finally {
    ports.fs.close(fd);
  }
  ports.fs.syncDir(layout.quarantine);
}
